import Foundation
import PiuPiu
import PiuPiuTesting
import TestSupport
import Testing

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

@Suite("The route table", .timeLimit(.minutes(10)))
struct MockRouteTableTests {
    private let folder: TemporaryFolder

    init() throws {
        folder = try TemporaryFolder()
    }

    private func request(_ path: String, _ method: HTTPMethod = .get) throws -> URLRequest {
        URLRequest(url: try url("https://me:secret@example.com/" + path), method: method)
    }

    private func text(_ table: MockRouteTable, _ path: String, _ method: HTTPMethod = .get) async throws -> String? {
        try await table.dataFuture(from: request(path, method)).value.data.text
    }

    @Test("The first route that matches method and path answers, and gets the request and the values")
    func routes() async throws {
        let table = MockRouteTable(routes: [
            MockRoute(.get, ["posts", .wildcard(type: .integer)]) { request, values in
                let text = "\(values.string) \(request.url?.query() ?? "")"
                return Response.makeMockResponse(with: request, data: Data(text.utf8), statusCode: .ok)
            },
            MockRoute(.get, ["posts", .wildcard(type: .string)], .text("by name")),
            MockRoute(.get, ["posts", "latest"], .text("never")),
            MockRoute(.post, ["posts"], .status(.created)),
            MockRoute(nil, ["any"], .text("any method")),
        ])
        #expect(try await text(table, "posts/12?a=b") == "posts/12 a=b")
        #expect(try await text(table, "posts/latest") == "by name")
        let created = try await table.dataFuture(from: request("posts", .post)).makeHTTPResponse().value
        #expect(created.statusCode == .created)
        #expect(created.data == nil)
        #expect(try await text(table, "any", .delete) == "any method")
        #expect(try await text(table, "any") == "any method")
    }

    @Test("A miss is a typed error that lists the routes, and no secrets")
    func miss() async throws {
        let table = MockRouteTable(routes: [
            MockRoute(.get, ["posts", .wildcard(type: .integer)], .status(.ok)), MockRoute(nil, [], .status(.ok)),
        ])
        let error = await #expect(throws: MockError.self) { _ = try await text(table, "posts/1?key=1", .delete) }
        #expect(
            error?.localizedDescription == """
                The mock has no route for DELETE https://example.com/posts/1?…. Its routes are: GET /posts/:integer; \
                any method /. Add one for this method and path.
                """)
        #expect(error?.url.path() == "/posts/1")
        let empty = await #expect(throws: MockError.self) { _ = try await text(MockRouteTable(routes: []), "a") }
        #expect(empty?.localizedDescription.contains("It has no routes at all.") == true)
        var request = try request("a")
        request.url = nil
        await #expect(throws: RequestError.missingURL) { _ = try await table.dataFuture(from: request).value }
    }

    @Test("A literal with slashes is one segment, and the error of a miss says so")
    func slashes() async throws {
        let table = MockRouteTable(routes: [
            MockRoute(.get, ["api/v1/posts"], .text("one")),
            MockRoute(nil, ["50%?#", .wildcard(type: .string)], .text("two")),
        ])
        #expect(try await text(table, "api%2Fv1%2Fposts") == "one")
        #expect(try await text(table, "50%25%3F%23/a") == "two")
        let error = await #expect(throws: MockError.self) { _ = try await text(table, "api/v1/posts") }
        #expect(
            error?.localizedDescription == """
                The mock has no route for GET https://example.com/api/v1/posts. Its routes are: GET /api%2Fv1%2Fposts; \
                any method /50%25%3F%23/:string (%2F is a slash inside a segment: each literal is one segment). Add one \
                for this method and path.
                """)
    }

    @Test("A route for everything comes last, and may ask another dispatcher")
    func everything() async throws {
        let other = MockRouteTable(script: MockScript([.text("from afar")]))
        let table = MockRouteTable(routes: [
            MockRoute(.get, ["near"], .text("near")),
            MockRoute(
                MockAnswer { request, values in
                    #expect(values.isEmpty)
                    return try await other.dataFuture(from: request).value
                }),
        ])
        #expect(try await text(table, "near") == "near")
        #expect(try await text(table, "a/b/c", .put) == "from afar")
        #expect("\(table.routes[1])" == "any method any path")
    }

    @Test("Answers: JSON, a status with headers, a failure, a cancellation")
    func answers() async throws {
        let table = MockRouteTable(routes: [
            MockRoute(.get, ["json"], .json(["a": 1], status: .accepted)),
            MockRoute(.get, ["busy"], .status(.serviceUnavailable, headers: ["Retry-After": "3"])),
            MockRoute(.get, ["down"], .failure(TransferError(.cannotConnect))),
            MockRoute(.get, ["cancelled"], .failure(CancellationError())),
            MockRoute(.get, ["nan"], .json(Double.nan)),
        ])
        let json = try await table.dataFuture(from: request("json")).makeHTTPResponse().value
        #expect(try json.decode([String: Int].self) == ["a": 1])
        #expect(json.statusCode == .accepted)
        #expect(json.httpResponse.value(forHTTPHeaderField: "content-type") == "application/json")
        let busy = try await table.dataFuture(from: request("busy")).makeHTTPResponse().value
        #expect(busy.httpError?.statusCode == .serviceUnavailable)
        #expect(busy.httpResponse.value(forHTTPHeaderField: "retry-after") == "3")
        let down = await #expect(throws: TransferError.self) { _ = try await text(table, "down") }
        #expect(down?.kind == .cannotConnect)
        // As from an engine, it names the URL.
        #expect(try down?.url == url("https://example.com/down"))
        #expect(down?.errorDescription?.contains("https://example.com/down") == true)
        #expect(try await table.dataFuture(from: request("cancelled")).ending == "cancelled")
        await #expect(throws: MockResponseError.self) { _ = try await text(table, "nan") }
    }

    // MARK: Scripts

    @Test("A script answers in order; after that, the last answer repeats, or there is an error")
    func scripts() async throws {
        let table = MockRouteTable(routes: [
            MockRoute(.get, ["repeats"], MockScript([.status(.serviceUnavailable), .text("ok")])),
            MockRoute(.get, ["ends"], MockScript([.failure(Mishap(number: 1)), .text("ok")], afterLast: .fail)),
            MockRoute(.get, ["empty"], MockScript([])),
        ])
        func status(_ path: String) async throws -> Int? {
            try await table.dataFuture(from: request(path)).value.urlResponse.status
        }
        #expect(try await status("repeats") == 503)
        for _ in 0..<3 { #expect(try await status("repeats") == 200) }
        await #expect(throws: Mishap(number: 1)) { _ = try await status("ends") }
        #expect(try await status("ends") == 200)
        let ended = await #expect(throws: MockError.self) { _ = try await status("ends") }
        #expect(
            ended?.localizedDescription == """
                The mock's script for GET https://example.com/ends has no answer left after 2. Add one, or let the last \
                repeat (afterLast: .repeatLast).
                """)
        let empty = await #expect(throws: MockError.self) { _ = try await status("empty") }
        #expect(empty?.localizedDescription.hasSuffix("has no answers. Add one.") == true)
        guard case .usedUp(_, _, answerCount: 0) = empty else {
            return #expect(Bool(false), "\(String(describing: empty))")
        }
    }

    @Test("ONCE: each of many requests at once gets its own answer")
    func concurrency() async throws {
        let count = 200
        let table = MockRouteTable(
            script: MockScript((0..<count).map { .text(String($0)) }, afterLast: .fail))
        let request = try request("a")
        let texts = try await withThrowingTaskGroup(of: String?.self) { group in
            for _ in 0..<count { group.addTask { try await table.dataFuture(from: request).value.data.text } }
            return try await group.reduce(into: Set<String?>()) { $0.insert($1) }
        }
        #expect(texts == Set((0..<count).map { String($0) }))
    }

    // MARK: Latency

    @Test("Latency is measured by the clock alone, for each answer", arguments: RecordedExchange.Kind.allCases)
    func latency(kind: RecordedExchange.Kind) async throws {
        let clock = ManualClock(), handlers = Counter()
        let slow = MockAnswer { request, _ in
            handlers.increment()
            return Response.makeMockResponse(with: request, data: Data("slow".utf8), statusCode: .ok)
        }
        let script = MockScript([slow.after(.seconds(3600)), .text("quick")])
        let table = MockRouteTable(clock: clock, script: script)
        let request = try request("a")
        let task = kind.text(of: request, by: table, in: folder).awaitedInTask()
        await clock.sleepers()
        #expect(handlers.value == 0)
        #expect(try await kind.text(of: request, by: table, in: TemporaryFolder()).value == "quick")
        clock.advance(by: .seconds(3600))
        #expect(await task.value == #"value Optional("slow")"#)
        #expect(handlers.value == 1)
    }

    @Test(
        "UP, DOWN: a cancellation ends the latency, and the handler is not called",
        arguments: RecordedExchange.Kind.allCases, [true, false])
    func cancellation(kind: RecordedExchange.Kind, byTask: Bool) async throws {
        let clock = ManualClock(), handlers = Counter()
        let answer = MockAnswer(latency: .seconds(60)) { request, _ in
            handlers.increment()
            return Response.makeMockResponse(with: request, statusCode: .ok)
        }
        let table = MockRouteTable(clock: clock, routes: [MockRoute(answer)])
        let future = kind.text(of: try request("a"), by: table, in: folder)
        let task = Task { try await future.value }
        await clock.sleepers()
        if byTask { task.cancel() } else { future.cancel() }
        await #expect(throws: CancellationError.self) { try await task.value }
        #expect(handlers.value == 0)
        #expect(try folder.names.isEmpty)
    }

    // MARK: The kinds of futures

    @Test(
        "UPDATES, FILES: every kind of transfer has two updates and its text", arguments: RecordedExchange.Kind.allCases
    )
    func kinds(kind: RecordedExchange.Kind) async throws {
        let table = MockRouteTable(routes: [
            MockRoute(nil, ["echo"]) { request, _ in
                Response.makeMockResponse(with: request, data: request.httpBody, statusCode: .ok)
            }
        ])
        var request = try request("echo")
        request.httpBody = Data("sent".utf8)
        let log = EventLog(), hasEnded = Gate()
        kind.text(of: request, by: table, in: folder)
            .updated { log("\($0.stage) \($0.progress.bytesReceived)") }
            .success { log($0 ?? "nothing") }
            .completion { hasEnded.open() }
            .send()
        await hasEnded.opened()
        #expect(log.events == ["started 0", "received 4", "sent"])
    }

    @Test("A custom double needs one function")
    func ownDouble() async throws {
        struct EchoDispatcher: MockDispatcher {
            func answer(to urlRequest: URLRequest) async throws -> Response<Data?> {
                Response.makeMockResponse(with: urlRequest, data: urlRequest.httpBody, statusCode: .ok)
            }
        }
        let response = try await EchoDispatcher().uploadFuture(from: request("a", .post), with: Data("b".utf8)).value
        #expect(response.data.text == "b")
    }
}
