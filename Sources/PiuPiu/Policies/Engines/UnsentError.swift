/// An error that may prove that no server has had the request, so that one of any method may be sent again (rule IDEMPOTENT).
package protocol UnsentError: Error {
    /// Whether the hop that has failed was not sent.
    var isHopUnsent: Bool { get }

    /// Whether the exchange had been redirected, so that a server has had the request, whatever became of it afterwards.
    var isAfterRedirect: Bool { get set }
}

extension UnsentError {
    /// Whether no server can have had the request.
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

/// An error of this package's own engines, which have refused the request before it was sent. It passes, so the request is
/// sent again.
package protocol RefusalError: UnsentError {
    /// How long it lasts at the least, if that is known.
    var retryAfter: Duration { get }
}

extension RefusalError {
    package var isHopUnsent: Bool { true }
}
