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

// The compiler's own description of a failure may show the URL of a request with its query, and all headers.

extension PromiseFailure: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    /// The request, the status and the error of an ``ErrorResponse``, without its body and without secrets, as
    /// "PromiseFailure: GET https://example.com/posts, 404, NotFound"; for any other failure, its type.
    public var description: String {
        "PromiseFailure: \((failure as? any ErrorHolding)?.textWithoutBody ?? localizedDescription)"
    }

    /// The same as ``description``.
    public var debugDescription: String { description }

    /// Empty: the failure may contain secrets.
    public var customMirror: Mirror { Mirror(self, children: []) }
}

/// A response that says what went wrong.
protocol ErrorHolding {
    var heldError: any Error { get }
    /// The request, the status and the error, without secrets.
    var textWithoutBody: String { get }
}
