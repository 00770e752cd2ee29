/// Reads the events of a `text/event-stream` from its bytes as they arrive, by the rules of the HTML standard (section
/// "Server-sent events", "Parsing an event stream" and "Interpreting an event stream").
///
/// An event is complete with the line end of the empty line after it; an event that is incomplete at the end of the
/// stream is dropped. The chunking of the bytes makes no difference, and the work is linear in their number.
package struct ServerSentEventParser: Sendable {
    /// The maximum number of bytes of a line, without its end, and of the data of an event.
    private let limit: Int
    private var failure: StreamLimitError?

    /// The unfinished line.
    private var line: [UInt8] = []
    /// Whether a following line feed belongs to the line end before it.
    private var isAfterReturn = false
    /// Whether a byte order mark may still follow.
    private var isAtStart = true

    private var event: PartialEvent

    /// Makes a parser at the start of a stream.
    ///
    /// - Parameter lastEventID: the identifier from an earlier connection.
    package init(limit: Int = StreamLimit.defaultBytes, lastEventID: String = "") {
        self.limit = max(0, limit)
        event = PartialEvent(lastEventID: lastEventID)
    }

    /// The identifier to reconnect with, which may have come without an event; empty if there is none.
    package var lastEventID: String { event.lastID }

    /// The minimum wait before reconnecting; `nil` if the server didn't send one.
    package var retry: Duration? { event.retry }

    /// Takes the next bytes and appends the events that they finish.
    ///
    /// Throws a ``StreamLimitError`` when a line or the data of an event exceeds the limit, and with every later call;
    /// the events before it have been appended.
    package mutating func append(
        _ bytes: some Sequence<UInt8>, to events: inout [ServerSentEvent]
    ) throws(StreamLimitError) {
        if let failure { throw failure }
        do throws(StreamLimitError) {
            for byte in bytes { try take(byte, to: &events) }
        } catch {
            failure = error
            line = []
            event = PartialEvent(lastEventID: event.lastID)
            throw error
        }
    }

    private mutating func take(_ byte: UInt8, to events: inout [ServerSentEvent]) throws(StreamLimitError) {
        switch byte {
        case UInt8(ascii: "\n") where isAfterReturn:
            isAfterReturn = false
        case UInt8(ascii: "\n"), UInt8(ascii: "\r"):
            isAfterReturn = byte == UInt8(ascii: "\r")
            isAtStart = false
            guard line.count <= limit else { throw .lineTooLong(limit: limit) }
            if line.isEmpty {
                if let event = event.dispatch() { events.append(event) }
            } else {
                try event.take(line: line, limit: limit)
                line.removeAll(keepingCapacity: true)
            }
        default:
            isAfterReturn = false
            line.append(byte)
            if isAtStart, line.count == 3 {
                isAtStart = false
                if line == [0xEF, 0xBB, 0xBF] { line = [] }
            }
            // The first bytes may turn out to be a mark.
            if line.count > limit, !isAtStart { throw .lineTooLong(limit: limit) }
        }
    }
}
