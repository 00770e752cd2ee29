import Foundation

/// The request line and header fields, and what follows from them for the connection.
struct RequestHead {
    /// How the end of the body is known.
    enum Framing: Equatable {
        case none
        case length(Int)
        case chunked
    }

    var request: RecordedRequest
    var framing: Framing
    var keepsAlive: Bool
    var expectsContinue: Bool

    /// Reads a head, without its empty line. Anything ambiguous is rejected, as it hides a client's mistake.
    init(bytes: ArraySlice<UInt8>, connection: Int) throws(ConnectionEnd) {
        guard !bytes.contains(0) else { throw .rejected(400) }
        let lines = bytes.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
        var headers: [LoopbackHeader] = []
        headers.reserveCapacity(lines.count)
        for line in lines.dropFirst() {
            headers.append(try Self.header(of: Self.withoutReturn(line)))
        }
        let first = try Self.withoutReturn(lines.first ?? []).split(
            separator: UInt8(ascii: " "), omittingEmptySubsequences: false)
        guard first.count == 3, !first[0].isEmpty, first[0].allSatisfy(Self.isTokenByte), !first[1].isEmpty else {
            throw .rejected(400)
        }
        let version = String(decoding: first[2], as: UTF8.self)
        guard version == "HTTP/1.1" || version == "HTTP/1.0" else {
            throw .rejected(version.hasPrefix("HTTP/") ? 505 : 400)
        }
        let target = String(decoding: first[1], as: UTF8.self)
        let (path, query) = try Self.parts(of: target)
        request = RecordedRequest(
            method: String(decoding: first[0], as: UTF8.self), target: target, path: path, query: query,
            headers: headers, connection: connection)
        framing = try Self.framing(of: headers)
        let options = headers.values(of: "Connection").joined(separator: ",").lowercased()
        keepsAlive = version == "HTTP/1.1" ? !options.contains("close") : options.contains("keep-alive")
        expectsContinue =
            version == "HTTP/1.1" && headers.values(of: "Expect").contains { $0.equalsIgnoringCase("100-continue") }
        guard version == "HTTP/1.0" || headers.values(of: "Host").count == 1 else { throw .rejected(400) }
    }

    private static func withoutReturn(_ line: ArraySlice<UInt8>) throws(ConnectionEnd) -> ArraySlice<UInt8> {
        // The last line has lost its return with the empty line that ended the head.
        let content = line.last == UInt8(ascii: "\r") ? line.dropLast() : line
        guard !content.contains(UInt8(ascii: "\r")) else { throw .rejected(400) }
        return content
    }

    private static func header(of line: ArraySlice<UInt8>) throws(ConnectionEnd) -> LoopbackHeader {
        guard let colon = line.firstIndex(of: UInt8(ascii: ":")), colon > line.startIndex,
            line[..<colon].allSatisfy(isTokenByte)
        else { throw .rejected(400) }
        var value = line[(colon + 1)...]
        while let first = value.first, isBlank(first) { value.removeFirst() }
        while let last = value.last, isBlank(last) { value.removeLast() }
        return LoopbackHeader(
            String(decoding: line[..<colon], as: UTF8.self), String(decoding: value, as: UTF8.self))
    }

    /// Path and query of a target in origin form, in absolute form, or `*`.
    private static func parts(of target: String) throws(ConnectionEnd) -> (path: String, query: String?) {
        var rest = target[...]
        if !rest.hasPrefix("/"), let scheme = rest.range(of: "://") {
            rest = rest[scheme.upperBound...]
            rest = rest.firstIndex(where: { $0 == "/" || $0 == "?" }).map { rest[$0...] } ?? "/"
            if rest.hasPrefix("?") { rest = "/" + rest }
        }
        guard rest.hasPrefix("/") || rest == "*" else { throw .rejected(400) }
        guard let mark = rest.utf8.firstIndex(of: UInt8(ascii: "?")) else { return (String(rest), nil) }
        return (String(rest[..<mark]), String(rest[rest.index(after: mark)...]))
    }

    private static func framing(of headers: [LoopbackHeader]) throws(ConnectionEnd) -> Framing {
        let codings = headers.values(of: "Transfer-Encoding")
        let lengths = headers.values(of: "Content-Length")
        if !codings.isEmpty {
            guard lengths.isEmpty, codings.count == 1 else { throw .rejected(400) }
            guard codings[0].equalsIgnoringCase("chunked") else { throw .rejected(501) }
            return .chunked
        }
        guard let text = lengths.first else { return .none }
        guard lengths.allSatisfy({ $0 == text }), !text.isEmpty,
            text.utf8.allSatisfy({ (0x30...0x39).contains($0) }), let length = Int(text)
        else { throw .rejected(400) }
        return length == 0 ? .none : .length(length)
    }

    private static func isBlank(_ byte: UInt8) -> Bool {
        byte == UInt8(ascii: " ") || byte == UInt8(ascii: "\t")
    }

    /// RFC 9110, 5.6.2.
    private static func isTokenByte(_ byte: UInt8) -> Bool {
        switch byte {
        case 0x30...0x39, 0x41...0x5A, 0x61...0x7A: true
        case 0x21, 0x23...0x27, 0x2A, 0x2B, 0x2D, 0x2E, 0x5E...0x60, 0x7C, 0x7E: true
        default: false
        }
    }
}
