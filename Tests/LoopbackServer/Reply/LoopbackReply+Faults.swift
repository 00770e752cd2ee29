import Foundation

extension LoopbackReply {
    /// Closes the connection without an answer.
    public static let close = LoopbackReply(steps: [.close])

    /// Resets the connection without an answer.
    public static let reset = LoopbackReply(steps: [.reset])

    /// Keeps the connection and sends nothing, until the client leaves or the server stops.
    public static let stall = LoopbackReply(steps: [.stall])

    /// Announces `length` bytes and sends nothing after the head.
    public static func stallAfterHead(length: Int = 100) -> LoopbackReply {
        announcing(length, then: [.stall])
    }

    /// Announces `length` bytes, sends `sent` of them and then nothing more.
    public static func stallMidBody(length: Int = 100, sent: Int = 50) -> LoopbackReply {
        announcing(length, then: [.pattern(count: sent), .stall])
    }

    /// Announces `length` bytes, sends `sent` of them and resets the connection.
    public static func resetMidBody(length: Int = 100, sent: Int = 50) -> LoopbackReply {
        announcing(length, then: [.pattern(count: sent), .reset])
    }

    /// Announces `length` bytes, sends `sent` of them and closes the connection.
    public static func truncated(length: Int = 100, sent: Int = 50) -> LoopbackReply {
        announcing(length, then: [.pattern(count: sent), .close])
    }

    /// Announces `length` bytes, sends `sent`, which are more, and closes the connection.
    public static func overlong(length: Int = 50, sent: Int = 100) -> LoopbackReply {
        announcing(length, then: [.pattern(count: sent), .close])
    }

    /// A good chunk, then one whose size isn't a number.
    public static let badChunk = LoopbackReply(steps: [
        .head(status: 200, headers: [LoopbackHeader("Transfer-Encoding", "chunked")]),
        .chunk(Data("good".utf8)), .raw(Data("zebra\r\nbad\r\n".utf8)), .close,
    ])

    /// A chunked body that ends in the middle of a chunk.
    public static let truncatedChunk = LoopbackReply(steps: [
        .head(status: 200, headers: [LoopbackHeader("Transfer-Encoding", "chunked")]),
        .chunk(Data("good".utf8)), .raw(Data("10\r\nhalf".utf8)), .close,
    ])

    /// Something other than HTTP in place of the status line.
    public static let garbage = LoopbackReply(steps: [
        .raw(Data("\u{1}\u{2}garbage, not a status line\r\n\r\n".utf8)), .close,
    ])

    /// A head that allows no body (204 or 304), then the body that it nevertheless announces; closes the connection.
    public static func forbiddenBody(status: Int, sent: Int = 10) -> LoopbackReply {
        announcing(sent, status: status, then: [.pattern(count: sent), .close])
    }

    /// JSON with the content type of an image.
    public static let wrongContentType = response(
        headers: [LoopbackHeader("Content-Type", "image/png")], body: Data("{\"id\":1}".utf8))

    /// A response with one header of `size` bytes.
    public static func hugeHeader(size: Int = 64 * 1024) -> LoopbackReply {
        .headerFlood(count: 1, size: size)
    }

    /// A response with `count` headers of `size` bytes each.
    public static func headerFlood(count: Int = 10_000, size: Int = 16) -> LoopbackReply {
        let value = String(repeating: "x", count: size)
        return .text("ok", headers: (0..<max(0, count)).map { LoopbackHeader("X-Header-\($0)", value) })
    }

    /// A valid chunked body with trailers. Kills a process in FoundationNetworking: for child processes only.
    public static let trailers = chunked(
        [Data("body".utf8)], headers: [LoopbackHeader("Trailer", "X-Checksum")],
        trailers: [LoopbackHeader("X-Checksum", "abc")])

    /// Closes in the middle of the headers. Kills a process in FoundationNetworking: for child processes only.
    public static let closeMidHead = LoopbackReply(steps: [
        .raw(Data("HTTP/1.1 200 OK\r\nContent-Type: text/pl".utf8)), .close,
    ])

    /// A length near 2^63. Kills a process in FoundationNetworking: for child processes only.
    public static let hugeLength = announcing(.max, then: [.pattern(count: 10), .close])

    private static func announcing(_ length: Int, status: Int = 200, then steps: [Step]) -> LoopbackReply {
        let headers = [
            LoopbackHeader("Content-Type", "application/octet-stream"),
            LoopbackHeader("Content-Length", String(length)),
        ]
        return LoopbackReply(steps: [.head(status: status, headers: headers)] + steps)
    }
}
