// with: README/sixty-seconds-1

import Foundation
import PiuPiu

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// Stands for a promise of the other library.
nonisolated final class LegacyPromise: Sendable {
    /// By default its `catch` isn't called for a cancellation.
    enum CatchPolicy { case allErrors, allErrorsExceptCancellation }

    func done(_ body: @escaping @Sendable (Post) -> Void) {}
    func `catch`(
        policy: CatchPolicy = .allErrorsExceptCancellation, _ body: @escaping @Sendable (any Error) -> Void
    ) {}
}

/// As in the other library.
extension Error {
    nonisolated var isCancelled: Bool { (self as? URLError)?.code == .cancelled }
}

// snippet
