public import Foundation

#if canImport(FoundationNetworking)
    public import FoundationNetworking
#endif

/// An event of one exchange, reported by a ``TransferEngine``.
public enum TransferEvent: Sendable {
    /// A part of the request's body was sent: the bytes sent so far, and their total number, if known.
    ///
    /// After the head it only shows that the exchange goes on, and the same number may come again: the timeout
    /// restarts, and a dispatcher reports nothing. So a ``CurlEngine`` says that a part of a coded body has come of
    /// which nothing can be decoded yet.
    case sent(bytes: Int64, expected: Int64?)

    /// The head of the response has arrived, with the request that it answers.
    ///
    /// A dispatcher skips the redirects that it follows, and interim responses (1xx), which only show that the server
    /// is still at work: the timeout restarts. A second head, after an authentication challenge, replaces the first
    /// head and its body.
    case head(TransferHead, request: URLRequest)

    /// The next part of the response's body, never empty, with its content coding decoded.
    case body(Data)

    /// The measurements of the hop: at most once, just before ``finished``. An engine that measures nothing leaves it
    /// out.
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
