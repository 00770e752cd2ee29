#if canImport(FoundationNetworking)
    import Foundation
    public import FoundationNetworking
#else
    public import Foundation
#endif

/// The server-sent events of a URL, over successive connections.
///
/// ```swift
/// for try await event in dispatcher.eventSource(from: request) where event.event == "price" {
///     show(event.data)
/// }
/// ```
///
/// After a connection is lost, or closed by the server, it reconnects by the rules of the HTML standard, section
/// "Server-sent events":
///
/// - **Request**: the given one, with `Accept: text/event-stream` and `Cache-Control: no-store` unless it has such
///   headers, and with `Last-Event-ID` once the server has sent an identifier.
/// - **Reconnection**: after the end of a response, and after a transient error: no connection, host not found, timed
///   out, connection lost, truncated, bad response, too many streams; ``CircuitOpenError``, ``LineFullError`` and
///   ``DeadlineExceeded`` of the dispatcher's policies. There is no limit while the iteration goes on, unless its task
///   has a deadline: instead of a wait that would reach it, the error ends the sequence, or a ``DeadlineExceeded`` if
///   there was none (contract rule D3 NOTHING).
/// - **Delay**: at least the time that the server has asked for by `retry:`, plus a random part of it (of
///   ``reconnectionTime`` if there was none), doubled with each failed attempt, up to ``maximumDelay``. This "full
///   jitter" keeps all clients from reconnecting to a recovered server at once.
/// - **End**: a 204, by which a server signals that there are no more events. The loop ends.
/// - **Errors**: ``UnacceptableStatusError`` for any other status than 200; ``EventSourceError`` for another type than
///   `text/event-stream`; ``StreamLimitError`` for a line or an event over the ``limit``; and any other error of the
///   dispatcher, such as a ``TransferError`` about a certificate. After any of them the sequence is over.
///
/// With an ``Authenticator``, all connections of an iterator belong to the user of the first one with a credential (A8
/// SESSION). A sign-out leaves the open connection alone, but no other one is made, not even for the next user: the
/// sequence ends with ``AuthenticationError/credentialRemoved(origin:)``.
///
/// Nothing is sent before the first `next()` (contract rule COLD), and each iterator has a connection of its own.
/// Releasing the iterator closes it. Cancelling the iterating task ends every step at once, also a wait, with a
/// `CancellationError` (DOWN, PROMPT). So does a ``FutureScope`` that the dispatcher is bound to. A slow reader exerts
/// back-pressure on the server: see ``StreamedBody``.
///
/// It works with any ``StreamDispatcher``, so that adapters and policies see each connection: a token is fresh, and
/// with `retrying()` a 503 is retried before it is an error. For a response that ends by itself, such as the answer of
/// a language model, use ``StreamedBody/serverSentEvents``: an event source would request it again.
///
/// The timeout of the request bounds the silence on a connection, comments (lines that begin with a colon) included.
///
/// A `Sendable` value; copies share the clock and the random numbers. Source: the `EventSource` of browsers.
public struct EventSource: AsyncSequence, Sendable {
    /// An event.
    public typealias Element = ServerSentEvent
    /// See above.
    public typealias Failure = any Error

    /// The state of a connection.
    public enum State: Sendable {
        /// The request is being sent.
        case connecting
        /// The server has answered, and sends events.
        case open
        /// It reconnects after this time: after this error, or because the server closed the connection.
        case waiting(Duration, after: (any Error)?)
    }

    /// The `Last-Event-ID` of the first connection: the ``ServerSentEvent/id`` of the last event of an earlier source.
    /// `nil`, or an empty one, is not sent.
    public var lastEventID: String?

    /// The wait before reconnecting, unless the server asks for another: a random part of this time, three seconds by
    /// default. Less than 50 ms counts as 50 ms.
    public var reconnectionTime: Duration = .seconds(3)

    /// The maximum random addition to the server's delay: 20 s.
    public var maximumDelay: Duration = .seconds(20)

    /// The maximum number of bytes of a line, and of the data of an event: 16 MiB.
    public var limit = StreamLimit.defaultBytes

    let dispatcher: any StreamDispatcher
    let urlRequest: URLRequest
    let clock: any Clock<Duration>
    private(set) var stateObserver: (@Sendable (State) -> Void)?
    private let generator: Locked<AnyGenerator>

    /// Makes a source of events.
    ///
    /// - Parameters:
    ///   - dispatcher: makes the connections.
    ///   - urlRequest: the request to send each time; its body, if any, as data.
    ///   - clock: measures the waits. A test passes its own clock and needs no real time.
    ///   - generator: the source of the random numbers.
    public init(
        _ dispatcher: any StreamDispatcher, from urlRequest: URLRequest, clock: any Clock<Duration> = ContinuousClock(),
        generator: any RandomNumberGenerator & Sendable = SystemRandomNumberGenerator()
    ) {
        self.dispatcher = dispatcher
        self.urlRequest = urlRequest
        self.clock = clock
        self.generator = Locked(AnyGenerator(base: generator))
    }

    /// The same source with a callback for each change of the connection's state: to show "reconnecting…", say.
    ///
    /// Called in order, where the iteration runs: before the request is sent, when the head has arrived, and before a
    /// wait; not at the end. It replaces an earlier callback.
    public func onStateChange(_ callback: @escaping @Sendable (State) -> Void) -> EventSource {
        var source = self
        source.stateObserver = callback
        return source
    }

    /// A random number, from 0 to below 1.
    func random() -> Double {
        generator.withLock { Double.random(in: 0..<1, using: &$0) }
    }

    /// Makes an iterator, which opens a connection of its own when the first event is asked for.
    public func makeAsyncIterator() -> Iterator { Iterator(of: self) }
}

extension EventSource: CustomStringConvertible, CustomReflectable {
    /// The URL, with its secrets redacted: "EventSource(https://example.com/prices)".
    public var description: String { "EventSource(\(urlRequest.url?.text(redacting: .secrets) ?? "no URL"))" }

    /// Empty: headers may contain secrets.
    public var customMirror: Mirror { Mirror(self, children: []) }
}
