public import Foundation

/// The failure of an awaited promise, if it isn't an `Error` itself.
public struct PromiseFailure<E: Sendable>: LocalizedError, Sendable {
    /// What the promise failed with.
    public let failure: E

    /// The error in the failure, if it is an ``ErrorResponse``.
    public var underlyingError: (any Error)? { (failure as? any ErrorHolding)?.heldError }

    /// What failed, and how.
    public var errorDescription: String? {
        underlyingError.map { "The request failed: \($0.localizedDescription)" }
            ?? "The promise failed with a \(E.self). Catch the PromiseFailure, and look at its failure."
    }
}

/// A response that says what went wrong.
protocol ErrorHolding {
    var heldError: any Error { get }
}
