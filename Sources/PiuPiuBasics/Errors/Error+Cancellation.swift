import Foundation

extension Error {
    /// Whether this error means that the work was cancelled rather than that it failed.
    @usableFromInline
    package var isCancellation: Bool {
        self is CancellationError || (self as? URLError)?.code == .cancelled
            || (self as? CocoaError)?.code == .userCancelled
    }
}
