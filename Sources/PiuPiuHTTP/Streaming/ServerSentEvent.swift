/// An event of a `text/event-stream`, as the HTML standard defines it.
///
/// The lines
///
/// ```
/// event: price
/// id: 17
/// data: {"EUR": 1.08}
/// ```
///
/// and the empty line after them make
/// `ServerSentEvent(event: "price", data: "{\"EUR\": 1.08}", id: "17")`.
public struct ServerSentEvent: Sendable, Hashable {
    /// The type of the event: "message" unless the server names another.
    public let event: String

    /// The lines of the data, joined by line feeds.
    public let data: String

    /// The latest identifier from the server, with this event or an earlier one of the stream.
    ///
    /// Send it as `Last-Event-ID` when reconnecting. `nil` if there is nothing to send, because the server sent none,
    /// or an empty one last.
    public let id: String?

    /// The server's latest request how long to wait before reconnecting, with this event or earlier in the stream;
    /// `nil` if there was none.
    public let retry: Duration?

    /// Makes an event, for a mock or a test.
    public init(event: String = "message", data: String, id: String? = nil, retry: Duration? = nil) {
        self.event = event
        self.data = data
        self.id = id
        self.retry = retry
    }
}
