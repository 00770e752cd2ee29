package import Foundation

#if canImport(FoundationNetworking)
    package import FoundationNetworking
#endif

/// What a dispatcher needs from the network: a thing that carries out one exchange at a time, and as many of them side
/// by side as it is asked for.
///
/// `URLSession` is behind the engine that comes with the package (``URLSessionEngine``); a test or another HTTP client
/// can take its place.
package protocol TransferEngine: Sendable {
    /// Starts one exchange.
    ///
    /// The events of an exchange arrive one at a time, in order and off the main actor; exactly one of them is terminal
    /// (``TransferEvent/isTerminal``), and it is the last. None arrives inside this call. The engine lives at least as
    /// long as the exchange, and lets `onEvent` go after the terminal event.
    func start(_ request: URLRequest, onEvent: @escaping @Sendable (TransferEvent) -> Void) -> any TransferHandle

    /// Lets the running exchanges come to their end and refuses new ones with ``TransferError/Kind/sessionInvalidated``.
    func finishTasksAndInvalidate()

    /// Cancels the running exchanges and refuses new ones with ``TransferError/Kind/sessionInvalidated``.
    func invalidateAndCancel()
}

/// One exchange, for whoever may want to give it up.
package protocol TransferHandle: Sendable {
    /// Ends the exchange with a `CancellationError`, unless it is over already.
    ///
    /// May be called from any thread, any number of times, and never waits for the network.
    func cancel()
}

/// What happens in the course of one exchange.
package enum TransferEvent: Sendable {
    /// A part of the request's body was sent: the bytes sent so far, and how many there are, where that is known.
    case sent(bytes: Int64, expected: Int64?)

    /// The head of the response has arrived, and the request that it answers: the last one, after redirects.
    ///
    /// A second head (after an authentication challenge) replaces the first, with the body that followed that one.
    case head(URLResponse, request: URLRequest)

    /// The next part of the response's body.
    case body(Data)

    /// The response is complete.
    case finished

    /// The exchange has failed, with a ``TransferError``, an ``InvalidRequestError`` or a `CancellationError`.
    case failed(any Error)

    /// Whether this event is the last one of its exchange.
    package var isTerminal: Bool {
        switch self {
        case .finished, .failed: true
        case .sent, .head, .body: false
        }
    }
}
