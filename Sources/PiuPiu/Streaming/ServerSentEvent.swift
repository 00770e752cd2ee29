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
    /// The type of the event: "message" unless the server has named another.
    public let event: String

    /// The lines of the data, joined by line feeds.
    public let data: String

    /// The last identifier that the server has given, with this event or an earlier one of the stream.
    ///
    /// It is what to send as `Last-Event-ID` when connecting again; `nil` if there is nothing to send, because the
    /// server has given none, or an empty one last.
    public let id: String?

    /// How long the server has last asked clients to wait before they connect again, with this event or earlier in the
    /// stream; `nil` if it has not.
    public let retry: Duration?

    /// Makes an event, for a mock or a test.
    public init(event: String = "message", data: String, id: String? = nil, retry: Duration? = nil) {
        self.event = event
        self.data = data
        self.id = id
        self.retry = retry
    }
}
