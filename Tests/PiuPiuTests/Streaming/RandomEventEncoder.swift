import PiuPiu
import TestSupport

/// Makes random events, and writes them as a server would, with comments and unknown fields between them.
struct RandomEventEncoder {
    private(set) var bytes: [UInt8] = []
    private(set) var generator: SeededGenerator
    private var id: String?
    private var retry: Duration?
    private let lineEnd: String

    private static let parts = [
        "", " ", ":", "a", "data: x", "\0", "ü", "日", "👩‍👧", "\u{85}", "\u{2028}", "\u{0B}", "e\u{301}", "\u{FEFF}", "7",
    ]

    init(generator: SeededGenerator) {
        self.generator = generator
        // One for the whole stream: a return before a line feed would otherwise form one line end.
        lineEnd = ["\n", "\r", "\r\n"].randomElement(using: &self.generator) ?? "\n"
        if Bool.random(using: &self.generator) { bytes = [0xEF, 0xBB, 0xBF] }
    }

    mutating func addEvent() -> ServerSentEvent {
        addNoise()
        if Bool.random(using: &generator) {
            let new = text().replacing("\0", with: "")
            id = new.isEmpty ? nil : new
            add("id", new)
        }
        if Int.random(in: 0..<4, using: &generator) == 0 {
            let milliseconds = Int.random(in: 0...100_000, using: &generator)
            retry = .milliseconds(milliseconds)
            add("retry", String(milliseconds))
        }
        addNoise()
        let type = Bool.random(using: &generator) ? text() : ""
        if !type.isEmpty { add("event", type) }
        let lines = (0...Int.random(in: 0...3, using: &generator)).map { _ in text() }
        for line in lines {
            add("data", line)
            addNoise()
        }
        bytes += Array(lineEnd.utf8)
        return ServerSentEvent(
            event: type.isEmpty ? "message" : type, data: lines.joined(separator: "\n"), id: id, retry: retry)
    }

    private mutating func text() -> String {
        (0..<Int.random(in: 0...5, using: &generator)).map { _ in Self.parts.randomElement(using: &generator) ?? "" }
            .joined()
    }

    private mutating func add(_ name: String, _ value: String) {
        // The colon is optional before an empty value, the space unless the value begins with one.
        let isBare = value.isEmpty && Bool.random(using: &generator)
        let isSpaced = value.utf8.first == 0x20 || Bool.random(using: &generator)
        bytes += Array("\(name)\(isBare ? "" : isSpaced ? ": " : ":")\(value)\(lineEnd)".utf8)
    }

    private mutating func addNoise() {
        if Int.random(in: 0..<4, using: &generator) == 0 { add("", "x\(text())") }
        if Int.random(in: 0..<4, using: &generator) == 0 { add("other", text()) }
    }
}
