import Foundation
import LoopbackServer
import PiuPiu
import Testing

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

@Suite("What becomes of redirects", .timeLimit(.minutes(10)))
struct RedirectPolicyTests {
    private let server: LoopbackServer

    init() throws {
        server = try LoopbackServer.start()
        server.handle("*", "/target", reply: .text("there"))
    }

    private func dispatcher(_ policy: RedirectPolicy) -> URLRequestDispatcher {
        URLRequestDispatcher(configuration: .ephemeral, redirectPolicy: policy)
    }

    @Test func theResponseKnowsItsRedirects() async throws {
        let response = try await dispatcher(.follow).dataFuture(from: server.request("/redirect/2?status=307")).value
        #expect(response.redirects.map { $0.urlRequest.url?.path() } == ["/redirect/2", "/redirect/1"])
        #expect(response.redirects.map(\.status) == [307, 307])
        #expect(response.redirects.allSatisfy { $0.head.value(for: "location") != nil })
        #expect(response.redirects.allSatisfy { $0.metrics != nil })
        let http = try response.makeHTTPResponse()
        #expect(http.redirects.count == 2)
        #expect(Response(response: http, data: 1).redirects.count == 2)
        let direct = try await dispatcher(.follow).dataFuture(from: server.request("/target")).value
        #expect(direct.redirects.isEmpty)
    }

    @Test func noneIsFollowed() async throws {
        server.handle("GET", "/app", reply: .redirect(302, to: "myapp://callback?code=1"))
        for path in ["/redirect/1", "/app", "/redirect-loop"] {
            let response = try await dispatcher(.never).dataFuture(from: server.request(path)).value
            #expect(response.head.status == 302)
            #expect(response.head.value(for: "Location") != nil)
            #expect(response.redirects.isEmpty)
            #expect(server.requestCount(path: path) == 1)
        }
        let file = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)
        let download = try await dispatcher(.never).downloadFuture(from: server.request("/redirect/1"), to: file).value
        #expect(download.head.status == 302)
        #expect(!FileManager.default.fileExists(atPath: file.path()))
        let stream = try await dispatcher(.never).streamFuture(from: server.request("/redirect/1")).value
        #expect(stream.head.status == 302)
    }

    @Test(
        "A closure that changes the method sends the body that the redirect wants",
        arguments: [(302, "POST", ""), (302, "GET", ""), (307, "PUT", "x"), (307, "GET", "")])
    func bodyOfAnotherMethod(status: Int, method: String, body: String) async throws {
        server.handle("POST", "/from", reply: .redirect(status, to: "/echo"))
        let policy = RedirectPolicy.decide { _, next in
            var next = next
            next.httpMethod = method
            return next
        }
        var post = server.request("/from")
        post.httpMethod = "POST"
        let echo = try Echo(try await dispatcher(policy).uploadFuture(from: post, with: Data("x".utf8)).value.data)
        #expect(echo.method == method && echo.body == body)
    }

    @Test func aClosureDecides() async throws {
        let asked = Log<String>()
        let policy = RedirectPolicy.decide { redirect, next in
            asked.append("\(redirect.status) \(redirect.urlRequest.url?.path() ?? "") → \(next.url?.path() ?? "")")
            return next.url?.path() == "/redirect/0" ? nil : next
        }
        let response = try await dispatcher(policy).dataFuture(from: server.request("/redirect/2")).value
        #expect(response.head.status == 302)
        #expect(response.urlRequest.url == server.url("/redirect/1"))
        #expect(response.redirects.count == 1)
        #expect(asked.all == ["302 /redirect/2 → /redirect/1", "302 /redirect/1 → /redirect/0"])
        #expect(server.requestCount(path: "/redirect/0") == 0)
    }

    @Test("A closure may change the request; credentials are removed before it is asked")
    func changes() async throws {
        let other = try LoopbackServer.start()
        server.handle("POST", "/away", reply: .redirect(307, to: other.url("/echo").absoluteString))
        let seen = Log<String?>()
        let policy = RedirectPolicy.decide { _, next in
            seen.append(next.value(forHTTPHeaderField: "Authorization"))
            var next = next
            next.setValue("yes", forHTTPHeaderField: "X-Changed")
            next.httpBody = Data("another".utf8)
            return next
        }
        var request = server.request("/away")
        request.httpMethod = "POST"
        request.setValue("Bearer secret", forHTTPHeaderField: "Authorization")
        _ = try await dispatcher(policy).uploadFuture(from: request, with: Data("first".utf8)).value
        let sent = try #require(other.requests.first)
        #expect(seen.all == [nil])
        #expect(sent.header("X-Changed") == "yes")
        #expect(sent.header("Authorization") == nil)
        #expect(sent.body == Data("another".utf8))
        #expect(sent.method == "POST")
    }

    @Test("A closure may take the body away with an empty one")
    func emptyBody() async throws {
        server.handle("POST", "/away", reply: .redirect(307, to: "/echo"))
        let policy = RedirectPolicy.decide { _, next in
            var next = next
            next.httpBody = Data()
            return next
        }
        var request = server.request("/away")
        request.httpMethod = "POST"
        _ = try await dispatcher(policy).uploadFuture(from: request, with: Data("first".utf8)).value
        #expect(server.requests(path: "/echo").map(\.body) == [Data()])
    }

    @Test func whatCanNotBeSentIsAnError() async throws {
        server.handle("GET", "/app", reply: .redirect(302, to: "myapp://callback"))
        let all = dispatcher(.decide { _, next in next })
        await #expect(throws: TransferError.self) { try await all.dataFuture(from: server.request("/app")).value }
        // The closure may also end there.
        let none = dispatcher(.decide { _, _ in nil })
        #expect(try await none.dataFuture(from: server.request("/app")).value.head.status == 302)
        let injects = dispatcher(
            .decide { _, next in
                var next = next
                next.httpMethod = "GET /"
                return next
            })
        await #expect(throws: InvalidRequestError.self) {
            try await injects.dataFuture(from: server.request("/redirect/1")).value
        }
        await #expect(throws: TransferError.self) {
            try await all.dataFuture(from: server.request("/redirect-loop")).value
        }
        #expect(server.requestCount(path: "/redirect-loop") == 21)
    }

    @Test("A closure may cancel the future; what it returns after that is ignored")
    func cancelInside() async throws {
        let future = Locked<ResponseFuture<Response<Data?>>?>(nil)
        let made = dispatcher(
            .decide { _, next in
                future.withLock { $0 }?.cancel()
                return next
            }
        ).dataFuture(from: server.request("/redirect/1"))
        future.withLock { $0 = made }
        await #expect(throws: CancellationError.self) { try await made.value }
        future.withLock { $0 = nil }
        try await server.waitUntilIdle()
        #expect(server.requestCount(path: "/redirect/0") == 0)
    }

    /// Answers a request with a redirect before `start` returns.
    private struct Redirecting: TransferEngine {
        /// Retains the receiver of a hop's events: without it the exchange would be over.
        private struct Handle: TransferHandle {
            let onEvent: @Sendable (TransferEvent) -> Void

            func cancel() {}
        }

        let count = Locked(0)

        func start(
            _ request: TransferRequest, onEvent: @escaping @Sendable (TransferEvent) -> Void
        ) -> any TransferHandle {
            count.withLock { $0 += 1 }
            if let url = request.urlRequest.url {
                let head = TransferHead(url: url, status: 302, fields: [("Location", "/next")])
                onEvent(.head(head, request: request.urlRequest))
                onEvent(.finished)
            }
            return Handle(onEvent: onEvent)
        }

        func finishTasksAndInvalidate() {}
        func invalidateAndCancel() {}
    }

    @Test("A closure may cancel the future even before the engine has returned the handle of the first exchange")
    func cancelWhileStarting() async throws {
        let future = Locked<ResponseFuture<Response<Data?>>?>(nil), engine = Redirecting()
        let policy = RedirectPolicy.decide { _, next in
            future.withLock { $0 }?.cancel()
            return next
        }
        let made = URLRequestDispatcher(engine: engine, redirectPolicy: policy).dataFuture(from: server.request("/"))
        future.withLock { $0 = made }
        await #expect(throws: CancellationError.self) { try await made.value }
        future.withLock { $0 = nil }
        #expect(engine.count.withLock { $0 } == 1)
    }
}
