/// The errors that `recover` recovers from, and after which `retry` tries again.
public struct RecoverableErrors: Sendable {
    let includesCancellations: Bool
    private let isWanted: @Sendable (any Error) -> Bool

    /// Every error; a cancellation is not an error.
    public static let errors = RecoverableErrors(includesCancellations: false) { _ in true }

    /// Every error, and the cancellation of the future itself, as a `CancellationError`.
    ///
    /// A cancellation of the chain, or of the task that awaits it, still ends everything (contract rules UP and DOWN).
    public static let errorsAndCancellations = RecoverableErrors(includesCancellations: true) { _ in true }

    /// The errors for which a closure returns `true`; it is not called for cancellations.
    ///
    /// ```swift
    /// page.recover(from: .errors { ($0 as? TransferError)?.kind == .timedOut }) { _ in cachedPage }
    /// ```
    ///
    /// - Parameter isWanted: is called once for each error, in the background.
    public static func errors(where isWanted: @escaping @Sendable (any Error) -> Bool) -> RecoverableErrors {
        RecoverableErrors(includesCancellations: false, isWanted)
    }

    private init(includesCancellations: Bool, _ isWanted: @escaping @Sendable (any Error) -> Bool) {
        self.includesCancellations = includesCancellations
        self.isWanted = isWanted
    }

    /// Whether this error is among them.
    func contains(_ error: any Error) -> Bool {
        (includesCancellations || !error.isCancellation) && isWanted(error)
    }
}
