import Foundation

/// The bytes that a client sends, cut into heads and bodies; what is read beyond a request's end is kept for the next.
struct RequestReader {
    /// Takes a part of a body, or rejects it.
    typealias Sink = (UnsafeRawBufferPointer) throws(ConnectionEnd) -> Void

    private let socket: Int32
    private let limits: LoopbackLimits
    private var buffer = [UInt8](repeating: 0, count: 16 * 1024)
    private var start = 0
    private var end = 0

    init(socket: Int32, limits: LoopbackLimits) {
        self.socket = socket
        self.limits = limits
    }

    /// The next request's head; the wait for it ends with `gone` when the client has no more.
    mutating func readHead(connection: Int) throws(ConnectionEnd) -> RequestHead {
        var scanned = start
        while true {
            // An empty line before the request line must be tolerated (RFC 9112, 2.2).
            while end - start >= 2, buffer[start] == 13, buffer[start + 1] == 10 { start += 2 }
            scanned = max(scanned, start)
            if let length = headLength(from: scanned) {
                guard length <= limits.headBytes else { throw .rejected(431) }
                let bytes = buffer[start..<(start + length)]
                start += length + 4
                return try RequestHead(bytes: bytes, connection: connection)
            }
            guard end - start <= limits.headBytes else { throw .rejected(431) }
            let offset = max(0, end - start - 3)
            try receive()
            scanned = start + offset
        }
    }

    /// Hands the body out in parts.
    mutating func readBody(_ framing: RequestHead.Framing, into sink: Sink) throws(ConnectionEnd) {
        switch framing {
        case .none:
            break
        case .length(let length):
            // A large body in large parts: fewer calls.
            if length > buffer.count, buffer.count < 256 * 1024 {
                buffer.append(contentsOf: [UInt8](repeating: 0, count: 256 * 1024 - buffer.count))
            }
            try readBytes(length, into: sink)
        case .chunked:
            while true {
                let line = try readLine().prefix { $0 != ";" }.trimmingCharacters(in: .whitespaces)
                guard line.allSatisfy(\.isHexDigit), let size = Int(line, radix: 16) else { throw .rejected(400) }
                guard size > 0 else { break }
                try readBytes(size, into: sink)
                guard try readLine().isEmpty else { throw .rejected(400) }
            }
            while try !readLine().isEmpty {}
        }
    }

    /// The number of bytes before the empty line that ends the head.
    private func headLength(from index: Int) -> Int? {
        buffer.withUnsafeBufferPointer { bytes in
            var index = index
            while index + 3 < end {
                // Most bytes rule out several positions at once, as the search begins at the last byte of the end.
                switch bytes[index + 3] {
                case 10:
                    if bytes[index + 2] == 13, bytes[index + 1] == 10, bytes[index] == 13 { return index - start }
                    index += 2
                case 13: index += 1
                default: index += 4
                }
            }
            return nil
        }
    }

    private mutating func readBytes(_ count: Int, into sink: Sink) throws(ConnectionEnd) {
        var rest = count
        while rest > 0 {
            if start == end { try receive() }
            let part = min(rest, end - start)
            let range = start..<(start + part)
            // `withUnsafeBytes` forgets the error's type, a result keeps it.
            try buffer.withUnsafeBytes { bytes in
                Result { () throws(ConnectionEnd) in try sink(UnsafeRawBufferPointer(rebasing: bytes[range])) }
            }.get()
            start += part
            rest -= part
        }
    }

    /// A line within a chunked body, without its end.
    private mutating func readLine() throws(ConnectionEnd) -> String {
        var scanned = start
        while true {
            if let newline = buffer[scanned..<end].firstIndex(of: 10) {
                guard newline > start, buffer[newline - 1] == 13 else { throw .rejected(400) }
                defer { start = newline + 1 }
                return String(decoding: buffer[start..<(newline - 1)], as: UTF8.self)
            }
            guard end - start <= 4 * 1024 else { throw .rejected(400) }
            let offset = end - start
            try receive()
            scanned = start + offset
        }
    }

    /// Reads more, and appends it to the buffer.
    private mutating func receive() throws(ConnectionEnd) {
        if start == end {
            start = 0
            end = 0
        } else if end == buffer.count, start > 0 {
            buffer.replaceSubrange(0..<(end - start), with: Array(buffer[start..<end]))
            end -= start
            start = 0
        }
        if end == buffer.count { buffer.append(contentsOf: [UInt8](repeating: 0, count: buffer.count)) }
        let free = end..<buffer.count
        let socket = socket
        let count = buffer.withUnsafeMutableBytes { bytes in
            Socket.receive(into: UnsafeMutableRawBufferPointer(rebasing: bytes[free]), from: socket)
        }
        guard count > 0 else { throw .gone }
        end += count
    }
}
