import Foundation

extension LoopbackRoutes {
    /// Routes that show the request, or answer in a certain way.
    public static let tools = LoopbackRoutes([
        LoopbackRoute("*", "/echo", handler: echo),
        LoopbackRoute("*", "/echo/body") { request in
            .response(
                headers: [LoopbackHeader("Content-Type", request.header("Content-Type") ?? "application/octet-stream")],
                body: request.body)
        },
        LoopbackRoute("*", "/sink", body: .digest) { request in
            let digest = LoopbackDigest.hexadecimal(request.bodyDigest ?? 0)
            return .json("{\"count\":\(request.bodyLength),\"digest\":\"\(digest)\"}")
        },
        LoopbackRoute("*", "/early-reply", body: .ignore) { _ in .json("{\"error\":\"too large\"}", status: 413) },
        LoopbackRoute("*", "/status/{code}") { request in
            guard let code = request.number("code"), (200...999).contains(code) else { return badRequest }
            return .json("{\"status\":\(code)}", status: code)
        },
        LoopbackRoute("*", "/delay/{milliseconds}") { request in
            guard let milliseconds = request.number("milliseconds"), milliseconds >= 0 else { return badRequest }
            return .json("{\"delay\":\(milliseconds)}").delayed(seconds: Double(milliseconds) / 1_000)
        },
        LoopbackRoute("GET", "/bytes/{count}") { request in
            guard let count = request.number("count"), count >= 0 else { return badRequest }
            let headers = [
                LoopbackHeader("Content-Type", "application/octet-stream"),
                LoopbackHeader("Content-Length", String(count)),
            ]
            return LoopbackReply(steps: [.head(status: 200, headers: headers), .pattern(count: count)])
        },
        LoopbackRoute("GET", "/chunked/{chunks}/{bytesEach}") { request in
            guard let chunks = request.number("chunks"), let bytes = request.number("bytesEach"),
                (0...1_000_000).contains(chunks), bytes > 0
            else { return badRequest }
            let headers = [
                LoopbackHeader("Content-Type", "application/octet-stream"),
                LoopbackHeader("Transfer-Encoding", "chunked"),
            ]
            let body = repeatElement(LoopbackReply.Step.patternChunk(count: bytes), count: chunks)
            return LoopbackReply(steps: [.head(status: 200, headers: headers)] + body + [.lastChunk(trailers: [])])
        },
        LoopbackRoute("GET", "/flow/{count}") { request in
            guard let count = request.number("count"), count >= 0 else { return badRequest }
            let headers = [
                LoopbackHeader("Content-Type", "application/octet-stream"),
                LoopbackHeader("Content-Length", String(count)),
            ]
            return LoopbackReply(steps: [.head(status: 200, headers: headers), .countedPattern(count: count)])
        },
        LoopbackRoute("GET", "/events") { request in
            let count = request.queryItem("count").flatMap { Int($0) } ?? 3
            guard (0...1_000_000).contains(count) else { return badRequest }
            return .chunked(
                (0..<count).map { Data("id: \($0 + 1)\ndata: event \($0 + 1)\n\n".utf8) },
                headers: [
                    LoopbackHeader("Content-Type", "text/event-stream"), LoopbackHeader("Cache-Control", "no-store"),
                ])
        },
        LoopbackRoute("GET", "/headers/{count}/{size}") { request in
            guard let count = request.number("count"), let size = request.number("size"),
                (0...1_000_000).contains(count), (0...16_000_000).contains(size), count * size <= 64_000_000
            else { return badRequest }
            return .headerFlood(count: count, size: size)
        },
        LoopbackRoute("GET", "/empty") { _ in .response() },
        LoopbackRoute("GET", "/malformed-json") { _ in .json("{\"id\": 1, \"title\": ") },
        LoopbackRoute("GET", "/text") { _ in .text("Grüße von 127.0.0.1\n") },
        LoopbackRoute("GET", "/gzip") { _ in .gzip(gzipText) },
        LoopbackRoute("GET", "/gzip-corrupt") { _ in .corruptGzip(gzipText) },
        LoopbackRoute("GET", "/early-hints") { _ in
            let hint = [LoopbackHeader("Link", "</style.css>; rel=preload; as=style")]
            return .json("{\"hinted\":true}").preceded(byInterim: 103, headers: hint)
        },
        LoopbackRoute("*", "/basic-auth/{user}/{password}", handler: basicAuthentication),
        LoopbackRoute("GET", "/cookies") { request in .json(encoding: fields(request.cookies)) },
        LoopbackRoute("GET", "/cookies/set") { request in
            .json(
                encoding: fields(request.queryItems),
                headers: request.queryItems.map { LoopbackHeader("Set-Cookie", "\($0.name)=\($0.value); Path=/") })
        },
    ])

    static let gzipText = Data(String(repeating: "All work and no play makes Jack a dull boy.\n", count: 100).utf8)

    private struct Echo: Encodable {
        let method: String
        let path: String
        let query: [String: String]
        let headers: [String: String]
        let body: String
    }

    static func echo(_ request: RecordedRequest) -> LoopbackReply {
        .json(
            encoding: Echo(
                method: request.method, path: request.path, query: fields(request.queryItems),
                headers: fields(request.headers.map { ($0.name, $0.value) }),
                body: String(decoding: request.body, as: UTF8.self)))
    }

    /// The values of a repeated name are joined, as in a repeated header.
    private static func fields(_ items: [(name: String, value: String)]) -> [String: String] {
        Dictionary(items.map { ($0.name, $0.value) }) { "\($0), \($1)" }
    }

    private static func basicAuthentication(_ request: RecordedRequest) -> LoopbackReply {
        let user = request.parameters["user"] ?? ""
        let expected = Data("\(user):\(request.parameters["password"] ?? "")".utf8).base64EncodedString()
        guard request.header("Authorization") == "Basic \(expected)" else {
            return .json(
                "{\"authenticated\":false}", status: 401,
                headers: [LoopbackHeader("WWW-Authenticate", "Basic realm=\"loopback\"")])
        }
        return .json(encoding: ["authenticated": "true", "user": user])
    }
}
