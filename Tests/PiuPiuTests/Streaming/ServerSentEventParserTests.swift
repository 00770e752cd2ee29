import Foundation
import PiuPiu
import Testing

@Suite("Parsing of server-sent events", .timeLimit(.minutes(10)))
struct ServerSentEventParserTests {
    private typealias Event = ServerSentEvent

    /// A stream and its events; the name keeps the log short.
    struct Stream: CustomTestStringConvertible {
        let testDescription: String
        let bytes: [UInt8]
        let events: [ServerSentEvent]

        init(_ name: String, _ text: String, _ events: ServerSentEvent...) {
            self.init(name, bytes: Array(text.utf8), events)
        }

        init(_ name: String, bytes: [UInt8], _ events: [ServerSentEvent]) {
            testDescription = name
            self.bytes = bytes
            self.events = events
        }

        static func message(_ data: String, id: String? = nil, retry: Duration? = nil) -> ServerSentEvent {
            ServerSentEvent(data: data, id: id, retry: retry)
        }

        /// The examples of the HTML standard, section "Server-sent events".
        static let standard = [
            Stream(
                "three messages",
                "data: This is the first message.\n\ndata: This is the second message, it\ndata: has two lines.\n\n"
                    + "data: This is the third message.\n\n",
                message("This is the first message."), message("This is the second message, it\nhas two lines."),
                message("This is the third message.")),
            Stream(
                "named events",
                "event: add\ndata: 73857293\n\nevent: remove\ndata: 2153\n\nevent: add\ndata: 113411\n\n",
                ServerSentEvent(event: "add", data: "73857293"), ServerSentEvent(event: "remove", data: "2153"),
                ServerSentEvent(event: "add", data: "113411")),
            Stream(
                "stock ticker", "data: YHOO\ndata: +2\ndata: 10\n\n", message("YHOO\n+2\n10")),
            Stream(
                "comment, identifiers, the last event unfinished",
                ": test stream\n\ndata: first event\nid: 1\n\ndata:second event\nid\n\ndata:  third event",
                message("first event", id: "1"), message("second event")),
            Stream(
                "comment, identifiers, the last event with a leading space",
                ": test stream\n\ndata: first event\nid: 1\n\ndata:second event\nid\n\ndata:  third event\n\n",
                message("first event", id: "1"), message("second event"), message(" third event")),
            Stream("empty data lines", "data\n\ndata\ndata\n\ndata:", message(""), message("\n")),
            Stream("space after the colon", "data:test\n\ndata: test\n\n", message("test"), message("test")),
        ]

        static let lineEnds = [
            Stream("CR", "data: a\rdata: b\r\r", message("a\nb")),
            Stream("CRLF", "data: a\r\ndata: b\r\n\r\n", message("a\nb")),
            Stream("all in one", "data: a\r\ndata: b\rdata: c\n\r", message("a\nb\nc")),
            Stream("a return is an end at once", "data: a\r\r", message("a")),
            Stream("LF, then CRLF", "data: a\n\r\ndata: b\n\n", message("a"), message("b")),
            Stream(
                "no ends of lines in other texts", "data: a\u{85}\u{2028}\u{0B}b\n\n", message("a\u{85}\u{2028}\u{0B}b")
            ),
        ]

        static let fields = [
            Stream("only one space is dropped", "data:  a \n\n", message(" a ")),
            Stream("a tab is none", "data:\ta\n\n", message("\ta")),
            Stream("colons in the value", "data: a: b:\n\n", message("a: b:")),
            Stream("a blank in the name", "data : a\n\n"),
            Stream("capitals", "Data: a\nDATA: b\n\n"),
            Stream("unknown fields and comments", ":\n: data: x\nnothing\nfoo: bar\ndata: a\n:\n\n", message("a")),
            Stream("no data, and its type is forgotten", "event: a\n\ndata: b\n\n", message("b")),
            Stream("an empty type", "event: a\nevent\ndata: b\n\n", message("b")),
            Stream("the last type wins", "event: a\nevent: b\ndata\n\n", ServerSentEvent(event: "b", data: "")),
            Stream("many empty lines", "\n\n\ndata: a\n\n\n\n\n", message("a")),
            Stream("an unfinished line", "data: a\n\ndata: b\n", message("a")),
            Stream("nothing", ""),
        ]

        static let stateful = [
            Stream(
                "an identifier stays", "id: 7\ndata: a\n\ndata: b\n\n", message("a", id: "7"), message("b", id: "7")),
            Stream("an identifier without data counts", "id: 7\n\ndata: b\n\n", message("b", id: "7")),
            Stream(
                "an identifier with NUL is ignored", "id: 7\nid: 8\0\ndata: a\n\n", message("a", id: "7")),
            Stream(
                "an empty identifier takes it back", "id: 7\ndata: a\n\nid:\ndata: b\n\n", message("a", id: "7"),
                message("b")),
            Stream(
                "a time stays", "retry: 1500\n\ndata: a\n\ndata: b\n\n", message("a", retry: .seconds(1.5)),
                message("b", retry: .seconds(1.5))),
            Stream(
                "a time has digits only",
                "retry: 1\nretry: -2\nretry: 3.0\nretry: x\nretry: ٣\nretry\nretry:  4\ndata\n\n",
                message("", retry: .milliseconds(1))),
            Stream(
                "a time too long is the longest", "retry: 99999999999999999999\ndata\n\n",
                message("", retry: .milliseconds(Int64.max))),
            Stream("leading zeros", "retry: 0010\ndata\n\n", message("", retry: .milliseconds(10))),
        ]

        private static let mark: [UInt8] = [0xEF, 0xBB, 0xBF]
        private static let line = Array("data: a\n\n".utf8)

        static let encoding = [
            Stream("a byte order mark is dropped", bytes: mark + line, [message("a")]),
            Stream("a second one is not", bytes: mark + mark + line, []),
            Stream("nor is a later one", bytes: line + mark + line, [message("a")]),
            Stream("nor one behind an empty line", bytes: [0x0A] + mark + line, []),
            Stream("half a mark", bytes: [0xEF, 0xBB, 0x0A] + line, [message("a")]),
            Stream("a mark alone", bytes: mark, []),
            Stream(
                "broken sequences", bytes: Array("data: ".utf8) + [0xFF, 0x61, 0xE2, 0x82, 0x0A, 0x0A],
                [message("\u{FFFD}a\u{FFFD}")]),
            Stream(
                "text of any kind", "event: ü\nid: 日\ndata: 👩‍👩‍👧 e\u{301}\n\n",
                ServerSentEvent(event: "ü", data: "👩‍👩‍👧 e\u{301}", id: "日")),
        ]

        static let all = standard + lineEnds + fields + stateful + encoding
    }

    @Test("A stream has the events of the HTML standard, in one piece or byte by byte", arguments: Stream.all)
    func events(_ stream: Stream) throws {
        var parser = ServerSentEventParser()
        var events: [ServerSentEvent] = []
        try parser.append(stream.bytes, to: &events)
        #expect(events == stream.events)
        parser = ServerSentEventParser()
        events = []
        for byte in stream.bytes { try parser.append(CollectionOfOne(byte), to: &events) }
        #expect(events == stream.events)
        parser = ServerSentEventParser()
        events = []
        try parser.append(Data(stream.bytes), to: &events)
        #expect(events == stream.events)
    }

    @Test("An event is delivered at the return that ends it, and a line feed after it starts nothing")
    func promptness() throws {
        var parser = ServerSentEventParser()
        var events: [ServerSentEvent] = []
        try parser.append("data: a\r\n\r".utf8, to: &events)
        #expect(events == [Event(data: "a")])
        try parser.append("\n".utf8, to: &events)
        try parser.append("data: b\r\n\r\n".utf8, to: &events)
        #expect(events == [Event(data: "a"), Event(data: "b")])
    }

    @Test("A line may be as long as the limit, not counting a byte order mark or its end")
    func lineLimit() throws {
        for end in ["\n", "\r", "\r\n"] {
            for mark in ["", "\u{FEFF}"] {
                var parser = ServerSentEventParser(limit: 10)
                var events: [ServerSentEvent] = []
                try parser.append("\(mark)data: 6789\(end)\(end)".utf8, to: &events)
                #expect(events == [Event(data: "6789")])
                parser = ServerSentEventParser(limit: 10)
                #expect(throws: StreamLimitError.lineTooLong(limit: 10)) {
                    try parser.append("\(mark)data: 67890".utf8, to: &events)
                }
            }
        }
        var parser = ServerSentEventParser(limit: 1)
        var events: [ServerSentEvent] = []
        try parser.append("\u{FEFF}:\n".utf8, to: &events)
        #expect(throws: StreamLimitError.lineTooLong(limit: 1)) { try parser.append(":x\n".utf8, to: &events) }
    }

    @Test("An event's data may be as long as the limit, however many lines it has")
    func eventLimit() throws {
        var parser = ServerSentEventParser(limit: 10)
        var events: [ServerSentEvent] = []
        try parser.append("data: 123\ndata: 567\ndata: 90\n\n".utf8, to: &events)
        #expect(events == [Event(data: "123\n567\n90")])
        #expect(throws: StreamLimitError.eventTooLong(limit: 10)) {
            try parser.append("data: 123\ndata: 567\ndata: 901\n".utf8, to: &events)
        }
    }

    @Test("Events before a breach of the limit are kept, and nothing is read after it")
    func breach() {
        for text in [":12345678\n\ndata: c\n\n", "data: 1\ndata: 2\ndata: 3\ndata: 4\ndata: 5\n\n"] {
            var parser = ServerSentEventParser(limit: 8)
            var events: [ServerSentEvent] = []
            #expect(throws: StreamLimitError.self) {
                try parser.append("data: a\n\ndata: b\n\n\(text)".utf8, to: &events)
            }
            #expect(events == [Event(data: "a"), Event(data: "b")])
            #expect(throws: StreamLimitError.self) { try parser.append("\n\ndata: d\n\n".utf8, to: &events) }
            #expect(events.count == 2)
        }
    }

    @Test("The errors say what to do")
    func errorText() {
        for error in [StreamLimitError.lineTooLong(limit: 123), .eventTooLong(limit: 123)] {
            #expect(error.localizedDescription.contains("123 bytes"))
            #expect(error.localizedDescription.contains("raise the limit"))
        }
    }

    @Test("A long line, and many short ones, are read byte by byte")
    func scale() throws {
        let count = 256 * 1024
        var parser = ServerSentEventParser()
        var events: [ServerSentEvent] = []
        try parser.append(Array("data:".utf8) + [UInt8](repeating: 0x61, count: count), to: &events)
        for byte in "\n\n".utf8 { try parser.append(CollectionOfOne(byte), to: &events) }
        #expect(events.first?.data.utf8.count == count)
        for _ in 0..<count { try parser.append(CollectionOfOne(0x0A), to: &events) }
        #expect(events.count == 1)
        for _ in 0..<count / 16 { try parser.append("data\n".utf8, to: &events) }
        try parser.append("\n".utf8, to: &events)
        #expect(events.last?.data.utf8.count == count / 16 - 1)
    }
}
