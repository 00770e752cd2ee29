/// An error that may prove that no server has received the request, so that it may be retried (rule IDEMPOTENT).
package protocol UnsentError: Error {
    /// Whether the failed hop was not sent.
    var isHopUnsent: Bool { get }

    /// Whether the exchange had been redirected, so that a server has received the request.
    var isAfterRedirect: Bool { get set }
}

extension UnsentError {
    /// Whether no server can have received the request.
    package var isUnsent: Bool { isHopUnsent && !isAfterRedirect }
}

extension TransferError: UnsentError {
    package var isHopUnsent: Bool {
        switch kind {
        case .cannotConnect, .hostNotFound, .tooManyStreams: true
        default: false
        }
    }
}

/// An error of this package's engines, which refused the request before it was sent. It is transient, so the request is
/// retried.
package protocol RefusalError: UnsentError {
    /// How long requests are refused at least, if known.
    var retryAfter: Duration { get }
}

extension RefusalError {
    package var isHopUnsent: Bool { true }
}
