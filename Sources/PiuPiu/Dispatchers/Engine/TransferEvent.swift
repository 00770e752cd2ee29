public import Foundation

#if canImport(FoundationNetworking)
    public import FoundationNetworking
#endif

/// What happens in the course of one exchange, as a ``TransferEngine`` reports it.
public enum TransferEvent: Sendable {
    /// A part of the request's body was sent: the bytes sent so far, and how many there are, where that is known.
    case sent(bytes: Int64, expected: Int64?)

    /// The head of the response has arrived, and the request that it answers. A dispatcher passes over interim responses
    /// (1xx), and over the redirects that it follows.
    ///
    /// A second head (after an authentication challenge) replaces the first, with the body that followed that one.
    case head(TransferHead, request: URLRequest)

    /// The next part of the response's body, never empty, with its content coding undone.
    case body(Data)

    /// What was measured of the hop: at most once, just before ``finished``. An engine that measures nothing leaves it out.
    indirect case measured(TransferMetrics)

    /// The response is complete.
    case finished

    /// The exchange has failed, with a ``TransferError``, an ``InvalidRequestError`` or a `CancellationError`.
    case failed(any Error)

    /// Whether this event is the last one of its exchange.
    public var isTerminal: Bool {
        switch self {
        case .finished, .failed: true
        case .sent, .head, .body, .measured: false
        }
    }
}
