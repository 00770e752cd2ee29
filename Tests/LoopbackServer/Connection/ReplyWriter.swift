import Foundation

/// Performs a reply's steps on a socket. Output is buffered, so that a plain response is one call.
struct ReplyWriter {
    private let socket: Int32
    private var output: [UInt8] = []
    /// Whether a head has said that the connection closes after its response.
    private(set) var hasAnnouncedClose = false

    init(socket: Int32) {
        self.socket = socket
    }

    /// Sends the reply, for HEAD without its body. When `closes`, the head says that the connection closes.
    mutating func write(
        _ reply: LoopbackReply, isHead: Bool, closes: Bool, noteSending: (CountedSending) -> Void = { _ in }
    ) throws(ConnectionEnd) {
        for step in reply.steps {
            switch step {
            case .raw(let data):
                try append(data)
            case .head(let status, var headers):
                if closes, !headers.has("Connection") { headers.append(LoopbackHeader("Connection", "close")) }
                if headers.values(of: "Connection").contains(where: { $0.equalsIgnoringCase("close") }) {
                    hasAnnouncedClose = true
                }
                if reply.isInterrupted, ![204, 304].contains(status), status >= 200, !headers.has("Content-Type") {
                    headers.append(LoopbackHeader("Content-Type", "application/octet-stream"))
                }
                try append(LoopbackReply.headBytes(status: status, headers: headers))
            case .body, .patternRange, .chunk, .patternChunk, .lastChunk:
                if !isHead { try writeBody(step) }
            case .countedPattern(let count):
                try flush()
                if !isHead { try CountedSending.sendPattern(count, to: socket, noting: noteSending) }
            case .pause, .gate, .stall:
                try flush()
                try wait(step)
            case .close:
                try flush()
                throw .close
            case .reset:
                try flush()
                throw .reset
            }
        }
        try flush()
    }

    /// Sends the buffered output.
    mutating func flush() throws(ConnectionEnd) {
        guard !output.isEmpty else { return }
        let sent = output.withUnsafeBytes { Socket.send($0, to: socket) }
        output.removeAll(keepingCapacity: true)
        guard sent else { throw .gone }
    }

    private mutating func writeBody(_ step: LoopbackReply.Step) throws(ConnectionEnd) {
        switch step {
        case .body(let data):
            try append(data)
        case .patternRange(let range):
            try appendPattern(range)
        case .chunk(let data):
            try append(Data("\(String(data.count, radix: 16))\r\n".utf8))
            try append(data)
            try append(Data("\r\n".utf8))
        case .patternChunk(let count):
            try append(Data("\(String(count, radix: 16))\r\n".utf8))
            try appendPattern(0..<max(0, count))
            try append(Data("\r\n".utf8))
        case .lastChunk(let trailers):
            let lines = trailers.map { "\($0)\r\n" }.joined()
            try append(Data("0\r\n\(lines)\r\n".utf8))
        case .raw, .head, .countedPattern, .pause, .gate, .stall, .close, .reset:
            break
        }
    }

    private mutating func append(_ data: Data) throws(ConnectionEnd) {
        // `withUnsafeBytes` forgets the error's type, a result keeps it.
        try data.withUnsafeBytes { bytes in Result { () throws(ConnectionEnd) in try append(bytes) } }.get()
    }

    /// Large parts aren't copied.
    private mutating func append(_ bytes: UnsafeRawBufferPointer) throws(ConnectionEnd) {
        if bytes.count < 32 * 1024 {
            output.append(contentsOf: bytes)
            if output.count >= 64 * 1024 { try flush() }
        } else {
            try flush()
            guard Socket.send(bytes, to: socket) else { throw .gone }
        }
    }

    private mutating func appendPattern(_ range: Range<Int>) throws(ConnectionEnd) {
        try LoopbackPattern.forEachPart(of: range) { part throws(ConnectionEnd) in try append(part) }
    }

    private func wait(_ step: LoopbackReply.Step) throws(ConnectionEnd) {
        switch step {
        case .pause(let seconds):
            guard ClientWatch.clientStays(on: socket, seconds: seconds) else { throw .gone }
        case .gate(let gate):
            guard ClientWatch.clientStays(on: socket, until: gate) else { throw .gone }
        default:
            _ = ClientWatch.clientStays(on: socket, seconds: nil)
            throw .gone
        }
    }
}

extension LoopbackReply {
    /// Whether it pauses or breaks off. Then it has a content type: without one `URLSession` on Apple platforms
    /// delivers nothing before it has 512 bytes of the body, or all of it.
    fileprivate var isInterrupted: Bool {
        steps.contains { step in
            switch step {
            case .pause, .gate, .stall, .close, .reset: true
            default: false
            }
        }
    }
}
