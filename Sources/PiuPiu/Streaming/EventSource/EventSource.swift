#if canImport(FoundationNetworking)
    import Foundation
    public import FoundationNetworking
#else
    public import Foundation
#endif

/// The server-sent events of a URL, from one connection after the other.
///
/// ```swift
/// for try await event in dispatcher.eventSource(from: request) where event.event == "price" {
///     show(event.data)
/// }
/// ```
///
/// A connection that is lost, or that the server closes, is made again by the rules of the HTML standard, section
/// "Server-sent events":
///
/// - **Request** as it was given, with `Accept: text/event-stream` and `Cache-Control: no-store` unless it has such
///   headers, and with `Last-Event-ID` as soon as the server has given an identifier.
/// - **Again** after the end of a response, and after an error that may pass: no connection, host not found, timed out,
///   connection lost, truncated, bad response. For ever, as long as somebody iterates.
/// - **When** the time that the server has asked for by `retry:` is the least. To that comes a random part of it (of
///   ``reconnectionTime`` if there was none), doubled with each attempt in vain, of ``maximumDelay`` at the most: "full
///   jitter", so that a server that comes back isn't met by all clients at once.
/// - **The end** a 204, by which a server says that it has no more. The loop ends.
/// - **Errors** any other status than 200: ``UnacceptableStatusError``. Another type than `text/event-stream`:
///   ``EventSourceError``. A line or an event over the ``limit``: ``StreamLimitError``. Whatever else the dispatcher throws,
///   such as a ``TransferError`` about a certificate. After any of them the sequence is over.
///
/// Nothing is sent before the first `next()` (contract rule COLD), and each iterator has a connection of its own. An
/// iterator that is dropped closes it; cancelling the task that iterates ends every step at once, the waits too, with a
/// `CancellationError` (DOWN, PROMPT). A reader that is slower than the server holds the server up: see ``StreamedBody``.
///
/// It stands over any ``StreamDispatcher``, so that adapters and policies see each connection: a token is fresh, and with
/// `retrying()` a 503 is tried again before it is an error. For a response that has an end by itself, such as the answer of
/// a language model, there is ``StreamedBody/serverSentEvents``: this would ask for it again.
///
/// The timeout of the request bounds the silence on a connection, comments (lines that begin with a colon) included.
///
/// A `Sendable` value, whose copies share the clock and the random numbers. Source: the `EventSource` of browsers.
public struct EventSource: AsyncSequence, Sendable {
    /// An event.
    public typealias Element = ServerSentEvent
    /// See above.
    public typealias Failure = any Error

    /// Where a connection is.
    public enum State: Sendable {
        /// The request is on its way.
        case connecting
        /// The server has answered, and sends events.
        case open
        /// The connection is made again after this time: because of this error, or as the server has closed it.
        case waiting(Duration, after: (any Error)?)
    }

    /// What is sent as `Last-Event-ID` with the first connection: the ``ServerSentEvent/id`` of the last event of another
    /// time. `nil`, or an empty one, is not sent.
    public var lastEventID: String?

    /// The wait before a new connection, as long as the server has asked for none: a random part of three seconds, as in
    /// browsers. Less than 50 ms counts as that.
    public var reconnectionTime: Duration = .seconds(3)

    /// The most that is added at random to what the server has asked for: 20 s.
    public var maximumDelay: Duration = .seconds(20)

    /// How many bytes a line, and the data of an event, may have: 16 MiB.
    public var limit = 16 << 20

    let dispatcher: any StreamDispatcher
    let urlRequest: URLRequest
    let clock: any Clock<Duration>
    private(set) var stateObserver: (@Sendable (State) -> Void)?
    private let generator: Locked<AnyGenerator>

    /// Makes a source of events.
    ///
    /// - Parameters:
    ///   - dispatcher: makes the connections.
    ///   - urlRequest: what is sent each time; its body, if it has one, as data.
    ///   - clock: what measures the waits. A test hands over a clock of its own and needs no real time.
    ///   - generator: where the random numbers come from.
    public init(
        _ dispatcher: any StreamDispatcher, from urlRequest: URLRequest, clock: any Clock<Duration> = ContinuousClock(),
        generator: any RandomNumberGenerator & Sendable = SystemRandomNumberGenerator()
    ) {
        self.dispatcher = dispatcher
        self.urlRequest = urlRequest
        self.clock = clock
        self.generator = Locked(AnyGenerator(base: generator))
    }

    /// The same source, which tells of each change of the state of a connection: "reconnecting…", say.
    ///
    /// Called in order, where the iteration runs, before the request is sent, when the head is there, and before a wait; not
    /// at the end. What was said before is replaced.
    public func onStateChange(_ callback: @escaping @Sendable (State) -> Void) -> EventSource {
        var source = self
        source.stateObserver = callback
        return source
    }

    /// A random number, from 0 to below 1.
    func random() -> Double {
        generator.withLock { Double.random(in: 0..<1, using: &$0) }
    }

    /// Begins to iterate, with a connection of its own once the first event is asked for.
    public func makeAsyncIterator() -> Iterator { Iterator(of: self) }
}

extension EventSource: CustomStringConvertible, CustomReflectable {
    /// The URL, with its secrets redacted: "EventSource(https://example.com/prices)".
    public var description: String { "EventSource(\(urlRequest.url?.text(redacting: .secrets) ?? "no URL"))" }

    /// Nothing: headers may hold secrets.
    public var customMirror: Mirror { Mirror(self, children: []) }
}
