/// The unfinished event of a stream, and the values kept from earlier ones.
struct PartialEvent: Sendable {
    /// The lines of the data, each with a line feed after it.
    private var data: [UInt8] = []
    private var event = ""
    private var id = ""
    /// The server's latest request how long to wait before reconnecting.
    private(set) var retry: Duration?
    /// The latest identifier, taken at the end of an event or of lines without data.
    private(set) var lastID = ""

    init(lastEventID: String) {
        (id, lastID) = (lastEventID, lastEventID)
    }

    /// Takes a line that is not empty.
    ///
    /// Its parts are decoded one by one: no broken sequence reaches beyond a colon or a line end.
    mutating func take(line: [UInt8], limit: Int) throws(StreamLimitError) {
        let colon = line.firstIndex(of: UInt8(ascii: ":"))
        var value = colon.map { line[($0 + 1)...] } ?? []
        if value.first == UInt8(ascii: " ") { value.removeFirst() }
        switch String(decoding: line[..<(colon ?? line.endIndex)], as: UTF8.self) {
        case "data":
            guard data.count + value.count <= limit else { throw .eventTooLong(limit: limit) }
            data.append(contentsOf: value)
            data.append(UInt8(ascii: "\n"))
        case "event":
            event = String(decoding: value, as: UTF8.self)
        case "id":
            if !value.contains(0) { id = String(decoding: value, as: UTF8.self) }
        case "retry":
            if let time = Self.reconnectionTime(value) { retry = time }
        default:
            // A comment, whose name is empty, or an unknown field.
            break
        }
    }

    /// Begins the next event and returns this one, unless it has no data.
    mutating func dispatch() -> ServerSentEvent? {
        defer {
            data.removeAll(keepingCapacity: true)
            event = ""
            lastID = id
        }
        guard !data.isEmpty else { return nil }
        return ServerSentEvent(
            event: event.isEmpty ? "message" : event, data: String(decoding: data.dropLast(), as: UTF8.self),
            id: id.isEmpty ? nil : id, retry: retry)
    }

    /// Milliseconds in ASCII digits; a number that is too large becomes the largest possible.
    private static func reconnectionTime(_ value: ArraySlice<UInt8>) -> Duration? {
        guard !value.isEmpty, value.allSatisfy({ (0x30...0x39).contains($0) }) else { return nil }
        return .milliseconds(Int64(String(decoding: value, as: UTF8.self)) ?? .max)
    }
}
