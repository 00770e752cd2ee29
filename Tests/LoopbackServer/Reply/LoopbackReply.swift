public import Foundation

/// A loopback server's answer, as a script of steps: a plain response is a short one, a fault another.
public struct LoopbackReply: Sendable {
    /// One thing that the connection does.
    public enum Step: Sendable {
        /// Sends these bytes as they are.
        case raw(Data)
        /// Sends a status line and header fields, with nothing added but `Connection: close` when it is due.
        case head(status: Int, headers: [LoopbackHeader])
        /// Sends a part of the body, which a HEAD request doesn't get.
        case body(Data)
        /// Sends this range of the bytes of ``LoopbackPattern`` as body, made while they are sent.
        case patternRange(Range<Int>)
        /// Sends the first `count` bytes of ``LoopbackPattern`` as body, and counts those that the system takes: see
        /// ``LoopbackServer/bytesSent(path:)``.
        case countedPattern(count: Int)
        /// Sends a chunk of a chunked body.
        case chunk(Data)
        /// Sends a chunk with that many bytes of ``LoopbackPattern``, from its start.
        case patternChunk(count: Int)
        /// Ends a chunked body.
        case lastChunk(trailers: [LoopbackHeader])
        /// Sends what there is, then waits. A client that leaves, or finishes its sending, ends this wait and those of
        /// the next two.
        case pause(seconds: Double)
        /// Sends what there is, then waits for the test.
        case gate(LoopbackGate)
        /// Sends what there is, then waits for the client to leave or the server to stop.
        case stall
        /// Sends what there is and closes the connection.
        case close
        /// Sends what there is and resets the connection.
        case reset

        /// Sends the first `count` bytes of ``LoopbackPattern`` as body.
        public static func pattern(count: Int) -> Step {
            .patternRange(0..<max(0, count))
        }
    }

    /// The steps, in their order. Without a closing step the connection is reused.
    public var steps: [Step]

    /// A reply of these steps.
    public init(steps: [Step]) {
        self.steps = steps
    }

    /// A whole response. `Content-Length` is added unless a header or the status says otherwise.
    public static func response(
        _ status: Int = 200, headers: [LoopbackHeader] = [], body: Data = Data()
    ) -> LoopbackReply {
        var headers = headers
        let bodyless = status < 200 || status == 204 || status == 304
        if !bodyless, !headers.has("Content-Length"), !headers.has("Transfer-Encoding") {
            headers.append(LoopbackHeader("Content-Length", String(body.count)))
        }
        return LoopbackReply(steps: [.head(status: status, headers: headers)] + (bodyless ? [] : [.body(body)]))
    }

    /// A response of plain text.
    public static func text(_ text: String, status: Int = 200, headers: [LoopbackHeader] = []) -> LoopbackReply {
        .response(
            status, headers: [LoopbackHeader("Content-Type", "text/plain; charset=utf-8")] + headers,
            body: Data(text.utf8))
    }

    /// A response of JSON text, which isn't checked.
    public static func json(_ text: String, status: Int = 200, headers: [LoopbackHeader] = []) -> LoopbackReply {
        .json(data: Data(text.utf8), status: status, headers: headers)
    }

    /// A response of JSON data, which isn't checked.
    public static func json(data: Data, status: Int = 200, headers: [LoopbackHeader] = []) -> LoopbackReply {
        .response(
            status, headers: [LoopbackHeader("Content-Type", "application/json; charset=utf-8")] + headers, body: data)
    }

    /// A response of a value as JSON, with sorted keys; 500 when it can't be encoded.
    public static func json(
        encoding value: some Encodable, status: Int = 200, headers: [LoopbackHeader] = []
    ) -> LoopbackReply {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        do {
            return .json(data: try encoder.encode(value), status: status, headers: headers)
        } catch {
            return .text("The server can't encode its answer: \(error)", status: 500)
        }
    }

    /// A chunked response; `beforeEach` comes before each chunk, with its number from 0: a gate or a pause, say.
    public static func chunked(
        _ chunks: [Data], headers: [LoopbackHeader] = [], trailers: [LoopbackHeader] = [],
        beforeEach: (Int) -> [Step] = { _ in [] }
    ) -> LoopbackReply {
        var steps = [Step.head(status: 200, headers: headers + [LoopbackHeader("Transfer-Encoding", "chunked")])]
        for (index, chunk) in chunks.enumerated() {
            steps += beforeEach(index)
            steps.append(.chunk(chunk))
        }
        return LoopbackReply(steps: steps + [.lastChunk(trailers: trailers)])
    }

    /// A redirect; without a location the header is missing.
    public static func redirect(_ status: Int = 302, to location: String?) -> LoopbackReply {
        .response(status, headers: location.map { [LoopbackHeader("Location", $0)] } ?? [])
    }
}
