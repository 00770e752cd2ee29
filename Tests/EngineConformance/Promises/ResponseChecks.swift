import Foundation
import LoopbackServer
import PiuPiu

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// What is a response and what isn't.
enum ResponseChecks {
    static let all = [
        statuses, challenge, interim, head, methods, headers, largeBody, emptyBodies, chunkedWithLength, keepAlive,
    ]

    private static let statuses = EngineCheck("STATUS: an HTTP status is no failure") { stand in
        for status in [200, 201, 204, 304, 400, 404, 418, 500, 503] {
            let response = try await stand.load("/status/\(status)")
            try expect(response.status, is: status, "the status")
        }
    }

    private static let challenge = EngineCheck("STATUS: a 401 that asks for credentials is a response") { stand in
        let refused = try await stand.load("/basic-auth/user/secret")
        try expect(refused.status, is: 401, "the status")
        try expect(refused.text, is: "{\"authenticated\":false}", "the body")
        try expect(refused.header("WWW-Authenticate"), is: "Basic realm=\"loopback\"", "the challenge")
        let credentials = Data("user:secret".utf8).base64EncodedString()
        let admitted = try await stand.load(
            stand.request("/basic-auth/user/secret", headers: ["Authorization": "Basic \(credentials)"]))
        try expect(admitted.status, is: 200, "the status with credentials")
    }

    private static let interim = EngineCheck("interim responses are skipped") { stand in
        stand.server.handle(
            "GET", "/interim", reply: .text("done").preceded(byInterim: 103).preceded(byInterim: 100))
        let future = stand.dispatcher.dataFuture(from: stand.request("/interim"))
        let response = try await future.value
        try expect(response.status, is: 200, "the status")
        try expect(response.text, is: "done", "the body")
    }

    private static let head = EngineCheck("the answer to HEAD has no body, whatever it announces") { stand in
        for path in ["/bytes/100000", "/text", "/gzip", "/chunked/5/100"] {
            let response = try await stand.load(stand.request(path, method: .head))
            try expect(response.status, is: 200, "the status of \(path)")
            try expect(response.data, is: nil, "the body of \(path)")
            if path == "/bytes/100000" {
                try expect(response.header("Content-Length"), is: "100000", "the announced length")
            }
        }
    }

    private static let methods = EngineCheck("every method arrives") { stand in
        for method in [HTTPMethod.get, .post, .put, .patch, .delete, .options] {
            let echo = try Echo(await stand.load(stand.request("/echo", method: method)))
            try expect(echo.method, is: method.rawValue, "the method")
        }
        var request = stand.request("/echo")
        request.httpMethod = "PROPFIND"
        try expect(try Echo(await stand.load(request)).method, is: "PROPFIND", "the method")
    }

    private static let headers = EngineCheck("headers arrive, in both directions") { stand in
        stand.server.handle(
            "GET", "/headers",
            reply: .text("done", headers: [LoopbackHeader("X-Answer", "a b"), LoopbackHeader("ETag", "\"1\"")]))
        let response = try await stand.load(
            stand.request("/headers?q=%20&p=1", headers: ["X-Question": "why, oh why?", "Accept": "text/plain"]))
        try expect(response.header("X-Answer"), is: "a b", "a header")
        try expect(response.header("etag"), is: "\"1\"", "a header in another spelling")
        try expect(response.urlResponse.url, is: stand.server.url("/headers?q=%20&p=1"), "the URL of the response")
        let request = try require(stand.server.requests(path: "/headers").first, "the request")
        try expect(request.header("X-Question"), is: "why, oh why?", "a header of the request")
        try expect(request.header("Accept"), is: "text/plain", "a header of the request")
        try expect(request.query, is: "q=%20&p=1", "the query")
        try expect(request.header("Host"), is: "127.0.0.1:\(stand.server.port)", "the host")
    }

    private static let largeBody = EngineCheck("a large body arrives whole") { stand in
        let response = try await stand.load("/bytes/20000000")
        try expect(response.data?.count, is: 20_000_000, "the length")
        try expect(
            LoopbackDigest.of(response.data ?? Data()), is: LoopbackPattern.digest(count: 20_000_000), "the digest")
    }

    private static let emptyBodies = EngineCheck("an empty body is none") { stand in
        for path in ["/empty", "/bytes/0", "/chunked/0/1", "/status/204"] {
            try expect(try await stand.load(path).data, is: nil, "the body of \(path)")
        }
    }

    private static let chunkedWithLength = EngineCheck(
        "a chunked body is whole or refused, whatever length is announced"
    ) {
        stand in
        let chunked = LoopbackHeader("Transfer-Encoding", "chunked")
        for length in ["0", "3", "1000"] {
            let length = LoopbackHeader("Content-Length", length)
            for headers in [[chunked, length], [length, chunked]] {
                let steps: [LoopbackReply.Step] = [
                    .head(status: 200, headers: headers), .chunk(Data("do".utf8)), .chunk(Data("ne".utf8)),
                    .lastChunk(trailers: []),
                ]
                stand.server.handle("GET", "/both", reply: LoopbackReply(steps: steps))
                do {
                    try expect(try await stand.load("/both").text, is: "done", "the body of \(headers)")
                } catch let error as TransferError where error.kind == .badResponse {
                    // A client may refuse what may smuggle another response (RFC 9112, section 6.3).
                }
            }
        }
    }

    private static let keepAlive = EngineCheck("connections are reused") { stand in
        for _ in 0..<10 { try expect(try await stand.load("/text").status, is: 200, "the status") }
        try expect(Set(stand.server.requests.map(\.connection)).count, is: 1, "the number of connections")
    }
}

/// What `/echo` answers.
struct Echo: Decodable {
    let method: String
    let headers: [String: String]
    let body: String

    init(_ response: Response<Data?>) throws {
        self = try JSONDecoder().decode(Echo.self, from: response.data ?? Data())
    }

    func header(_ name: String) -> String? {
        headers.first { $0.key.lowercased() == name.lowercased() }?.value
    }
}
