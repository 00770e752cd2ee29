import Foundation
import PiuPiu
import PiuPiuTesting
import TestSupport
import Testing

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

@Suite("The replaying dispatcher", .timeLimit(.minutes(10)))
struct ReplayingDispatcherTests {
    private let folder: TemporaryFolder

    init() throws {
        folder = try TemporaryFolder()
    }

    private func request(_ path: String, _ method: HTTPMethod = .get, body: String? = nil) throws -> URLRequest {
        var request = URLRequest(url: try url("https://example.com/" + path), method: method)
        request.httpBody = body.map { Data($0.utf8) }
        return request
    }

    /// A recording of requests, each a line `METHOD path body`, whose responses count from 0.
    private func recording(_ lines: [String]) throws -> TrafficRecording {
        let exchanges = lines.enumerated().map { number, line in
            let parts = line.split(separator: " ", maxSplits: 2).map { String($0) }
            var request: [String: Any] = ["method": parts[0], "url": "https://example.com/" + parts[1]]
            if parts.count > 2 { request["body"] = ["text": parts[2]] }
            return ["request": request, "response": ["status": 200, "body": ["text": "\(number)"]]]
        }
        return try TrafficRecording(
            data: JSONSerialization.data(withJSONObject: ["version": 1, "exchanges": exchanges]))
    }

    private func text(_ replayer: ReplayingDispatcher, _ request: URLRequest) async throws -> String? {
        try await replayer.dataFuture(from: request).value.data.text
    }

    @Test(
        "What was recorded is served from the file, for each kind of transfer",
        arguments: RecordedExchange.Kind.allCases)
    func roundTrip(kind: RecordedExchange.Kind) async throws {
        let image = Data([0x89, 0x50, 0x4E, 0x47, 0xFF, 0])
        let recorder = RecordingDispatcher(
            MockRouteTable(routes: [
                MockRoute(nil, ["text"], .text("Grüße\n\"\u{0}\"", status: .created, headers: ["ETag": "1"])),
                MockRoute(nil, ["image"], .status(.ok, data: image)),
                MockRoute(nil, ["missing"], .status(.notFound)),
                MockRoute(nil, ["down"], .failure(TransferError(.timedOut))),
            ]))
        let requests = try ["text", "image", "missing", "down"].map { try request($0) }
        var expected: [String?] = []
        for request in requests {
            expected.append(try? await kind.text(of: request, by: recorder, in: TemporaryFolder()).value)
        }
        let file = folder.file("a/b/recording.json")
        try await TrafficRecording(recorder.ended(4)).write(to: file)
        let replayer = ReplayingDispatcher(try TrafficRecording(contentsOf: file))
        for (request, expected) in zip(requests, expected) {
            #expect(
                try await kind.text(of: request, by: replayer, in: TemporaryFolder()).result.get(or: nil) == expected)
        }
        let response = try await replayer.dataFuture(from: requests[0]).makeHTTPResponse().value
        #expect(response.statusCode == .created)
        #expect(response.httpResponse.value(forHTTPHeaderField: "etag") == "1")
        #expect(try await replayer.dataFuture(from: requests[1]).value.data == image)
        #expect(try await replayer.dataFuture(from: requests[2]).value.urlResponse.status == 404)
        let error = await #expect(throws: TransferError.self) { _ = try await text(replayer, requests[3]) }
        #expect(error?.kind == .timedOut)
        #expect(error?.url?.path() == "/down")
    }

    @Test("Repeated requests get their recordings in order; then the last repeats, or there is an error")
    func order() async throws {
        let lines = ["GET a", "GET b", "GET a", "POST a"]
        let replayer = ReplayingDispatcher(try recording(lines)),
            strict = ReplayingDispatcher(
                try recording(lines), afterLast: .fail)
        let a = try request("a")
        for expected in ["0", "2", "2", "2"] { #expect(try await text(replayer, a) == expected) }
        #expect(try await text(replayer, request("b")) == "1")
        #expect(try await text(replayer, request("a", .post)) == "3")
        for expected in ["0", "2"] { #expect(try await text(strict, a) == expected) }
        let error = await #expect(throws: ReplayError.self) { _ = try await text(strict, a) }
        #expect(error == .usedUp(method: "GET", url: try url("https://example.com/a"), recordingCount: 2))
        #expect(error?.url == a.url)
        #expect(
            error?.localizedDescription == """
                All 2 recordings that answer GET https://example.com/a were served; if some have the same body, only \
                those count. Record more, or let the last repeat (afterLast: .repeatLast).
                """)
    }

    @Test("If some recordings have the same body, only those answer; otherwise all do, in order")
    func preferredBody() async throws {
        let lines = ["POST a one", "POST a two", "POST a two", "POST a three"]
        let replayer = ReplayingDispatcher(try recording(lines))
        for (body, expected) in [
            ("two", "1"), ("one", "0"), ("two", "2"), ("two", "2"), ("other", "3"), ("other", "3"), ("one", "0"),
        ] {
            #expect(try await text(replayer, request("a", .post, body: body)) == expected, "\(body)")
        }
        let strict = ReplayingDispatcher(try recording(lines), afterLast: .fail)
        #expect(try await text(strict, request("a", .post, body: "one")) == "0")
        await #expect(throws: ReplayError.self) { _ = try await text(strict, request("a", .post, body: "one")) }
        #expect(try await text(strict, request("a", .post, body: "three")) == "3")
    }

    @Test(
        "The body in a stream is not that of a request without one: it may be any, and best one that was not recorded",
        arguments: [ReplayingDispatcher.Matching.methodAndURL, .methodURLAndBody])
    func bodyStreams(matching: ReplayingDispatcher.Matching) async throws {
        var streamed = try request("a", .post)
        streamed.httpBodyStream = InputStream(data: Data("text".utf8))
        let requests = try [
            ("none", request("a", .post)), ("data", request("a", .post, body: "text")), ("stream", streamed),
        ]
        let recorder = RecordingDispatcher(
            MockURLRequestDispatcher { request in
                let kind = request.httpBodyStream != nil ? "stream" : request.httpBody != nil ? "data" : "none"
                return Response.makeMockResponse(with: request, data: Data(kind.utf8), statusCode: .ok)
            })
        for (_, request) in requests { _ = try await recorder.dataFuture(from: request).value }
        let replayer = ReplayingDispatcher(recorder.recording(), matching: matching)
        for _ in 0..<2 {
            for (kind, request) in requests.reversed() { #expect(try await text(replayer, request) == kind) }
        }
        let unrecorded = ReplayingDispatcher(try recording(["POST a one", "POST a", "POST a two"]), matching: matching)
        for expected in ["0", "1", "2"] { #expect(try await text(unrecorded, streamed) == expected) }
    }

    @Test("Method and URL decide; fragments, user names and headers don't, and the body only if asked for")
    func matching() async throws {
        let lines = ["POST a {\"x\": 1, \"y\": [2]}", "POST a other", "POST a"]
        let bodies = ReplayingDispatcher(try recording(lines), matching: .methodURLAndBody)
        #expect(try await text(bodies, request("a", .post, body: "other")) == "1")
        #expect(try await text(bodies, request("a", .post, body: #"{"y":[2],"x":1}"#)) == "0", "JSON by its meaning")
        #expect(try await text(bodies, request("a", .post)) == "2")
        #expect(
            try await bodies.uploadFuture(from: request("a", .post), with: Data("other".utf8)).value.data.text == "1")
        await #expect(throws: ReplayError.self) { _ = try await text(bodies, request("a", .post, body: "others")) }
        let urls = ReplayingDispatcher(try recording(lines))
        var decorated = try request("a#top", .post, body: "anything")
        decorated.url = try url("https://me:secret@example.com/a#top")
        decorated.setValue("x", forHTTPHeaderField: "X")
        #expect(try await text(urls, decorated) == "0")
    }

    @Test("A body is compared with each recorded one without the values that this one has left out")
    func placeholders() async throws {
        let lines = [
            #"POST a {"x":"<redacted>","y":1}"#, #"POST a {"x":1,"y":"<redacted>"}"#,
            #"POST a {"x":"<redacted>","y":2}"#,
        ]
        let replayer = ReplayingDispatcher(try recording(lines), matching: .methodURLAndBody)
        for (body, expected) in [(#"{"x":3,"y":2}"#, "2"), (#"{"x":1,"y":3}"#, "1"), (#"{"x":3,"y":1}"#, "0")] {
            #expect(try await text(replayer, request("a", .post, body: body)) == expected, "\(body)")
        }
        await #expect(throws: ReplayError.self) {
            _ = try await text(replayer, request("a", .post, body: #"{"x":3,"y":3}"#))
        }
    }

    @Test("A miss is a typed error that names the nearest recordings and what is different, but no value of a query")
    func misses() async throws {
        let replayer = ReplayingDispatcher(
            try recording(["GET users/1", "GET posts/1", "GET posts/1?page=1&key=secret", "POST posts/1", "GET x/y/z"]))
        let error = await #expect(throws: ReplayError.self) {
            _ = try await text(replayer, request("posts/1?page=2&key=secret"))
        }
        #expect(error?.url == (try url("https://example.com/posts/1?page=2&key=secret")))
        guard case .noRecording("GET", _, let nearest) = error else { return #expect(Bool(false), "\(error as Any)") }
        #expect(
            nearest == [
                #"GET https://example.com/posts/1?… (differs in the query item "page")"#,
                #"GET https://example.com/posts/1 (differs in the query item "key" and the query item "page")"#,
                #"POST https://example.com/posts/1 (differs in the method and the query item "key" and the query item "page")"#,
            ])
        let message = error?.localizedDescription ?? ""
        #expect(message.hasPrefix("Nothing was recorded for GET https://example.com/posts/1?…. The nearest are: GET "))
        #expect(message.hasSuffix("Record it, or correct the request."))
        #expect(!message.contains("secret"))
        let method = await #expect(throws: ReplayError.self) {
            _ = try await text(replayer, request("x/y/z", .delete))
        }
        #expect(method?.localizedDescription.contains("GET https://example.com/x/y/z (differs in the method)") == true)
        let empty = ReplayingDispatcher(try recording([]))
        let none = await #expect(throws: ReplayError.self) { _ = try await text(empty, request("a")) }
        #expect(none?.localizedDescription.contains("There are no recordings at all.") == true)
    }

    @Test("A body that was not recorded is an error, unless it is that of an HTTP error")
    func omittedBodies() async throws {
        let recorder = RecordingDispatcher(
            MockRouteTable(routes: [
                MockRoute(nil, ["large"], .text("12345")),
                MockRoute(nil, ["missing"], .text("12345", status: .notFound)),
            ]), bodyLimit: 4)
        for path in ["large", "missing"] { _ = try await recorder.dataFuture(from: request(path)).value }
        let replayer = ReplayingDispatcher(try TrafficRecording(data: recorder.recording().data()))
        let error = await #expect(throws: ReplayError.self) { _ = try await text(replayer, request("large")) }
        #expect(error == .bodyNotRecorded(method: "GET", url: try url("https://example.com/large")))
        #expect(error?.url == (try url("https://example.com/large")))
        #expect(error?.localizedDescription.contains("bodyLimit") == true)
        #expect(try await replayer.dataFuture(from: request("missing")).value.urlResponse.status == 404)
    }

    @Test("A redirected request is found by its first URL, and its response names the last one")
    func redirects() async throws {
        let target = try url("https://example.com/new")
        let recorder = RecordingDispatcher(
            MockRouteTable(
                script: MockScript([
                    MockAnswer { _, _ in Response.makeMockResponse(with: URLRequest(url: target), statusCode: .ok) }
                ])))
        _ = try await recorder.dataFuture(from: request("old")).value
        let response = try await ReplayingDispatcher(recorder.recording()).dataFuture(from: request("old")).value
        #expect(response.urlResponse.url == target)
        #expect(response.urlRequest.url == target)
    }

    @Test("Latency is measured by the clock, and a cancellation ends it")
    func latency() async throws {
        let clock = ManualClock()
        let replayer = ReplayingDispatcher(try recording(["GET a"]), latency: .seconds(9), clock: clock)
        let slow = replayer.dataFuture(from: try request("a")).then { $0.data.text }.awaitedInTask()
        await clock.sleepers()
        clock.advance(by: .seconds(9))
        #expect(await slow.value == #"value Optional("0")"#)
        let cancelled = replayer.dataFuture(from: try request("a"))
        let task = cancelled.awaitedInTask()
        await clock.sleepers()
        cancelled.cancel()
        #expect(await task.value == "cancelled")
        var request = try request("a")
        request.url = nil
        await #expect(throws: RequestError.missingURL) { _ = try await replayer.dataFuture(from: request).value }
    }
}

extension Result {
    /// The value, or another one after an error.
    fileprivate func get(or other: Success) -> Success {
        if case .success(let value) = self { value } else { other }
    }
}
