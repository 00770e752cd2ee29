import Foundation
import LoopbackServer
import PiuPiu
import TestSupport
import Testing

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

private struct Post: Codable, Sendable, Equatable {
    let userId: Int
    let id: Int
}

private struct User: Codable, Sendable, Equatable {
    let id: Int
}

@Suite("Requests over a real socket", .timeLimit(.minutes(10)))
struct URLRequestDispatcherTests {
    private let server: LoopbackServer
    private let dispatcher = URLRequestDispatcher(configuration: .ephemeral)

    init() throws {
        server = try LoopbackServer.start()
    }

    private func request(_ path: String) -> URLRequest {
        server.request(path)
    }

    private func future(_ path: String) -> ResponseFuture<Response<Data?>> {
        dispatcher.dataFuture(from: request(path))
    }

    @Test("A dispatcher that was made without an engine is over libcurl on Linux, over URLSession elsewhere")
    func standardEngine() {
        #if canImport(FoundationNetworking)
            let name = "CurlEngine"
        #else
            let name = "URLSessionEngine"
        #endif
        #expect("\(URLRequestDispatcher())" == "URLRequestDispatcher(\(name))")
        #expect("\(dispatcher)" == "URLRequestDispatcher(\(name))")
    }

    @Test("ONCE: callbacks, awaiters and branches share one request")
    func once() async throws {
        let future = future("/posts/1").decoded(Post.self), log = EventLog()
        future.success { log("post \($0.data.id)") }.completion { log("completion") }.send()
        async let first = future.value.data
        async let second = future.then { $0.data.userId }.value
        #expect(try await first == Post(userId: 1, id: 1))
        #expect(try await second == 1)
        #expect(await log.all(2) == ["post 1", "completion"])
        #expect(server.requestCount(path: "/posts/1") == 1)
    }

    @Test("COLD, EARLY: nothing is sent before the start, and nothing at all after an early cancellation")
    func early() async throws {
        let cold = future("/posts/1"), cancelled = future("/posts/2").decoded(Post.self)
        cancelled.cancel()
        cancelled.send()
        #expect(await cancelled.ending == "cancelled")
        let task = Task {
            withUnsafeCurrentTask { $0?.cancel() }
            return await future("/posts/3").ending
        }
        #expect(await task.value == "cancelled")
        _ = try await future("/posts/4").value
        #expect(server.requests.map(\.path) == ["/posts/4"])
        #expect(cold.status == .created)
    }

    @Test("A series join of two requests, in callbacks and in the background")
    func join() async throws {
        let log = EventLog()
        future("/posts/12").decoded(Post.self)
            .seriesJoin(Response<User>.self) { future("/users/\($0.data.userId)").decoded(User.self) }
            .updated { _ in log("updated") }
            .success { post, user in log("\(post.data.id) \(user.data.id)") }
            .completion { log("completion") }
            .send()
        #expect(await log.all(8) == Array(repeating: "updated", count: 6) + ["12 2", "completion"], "UPDATES")
        let (post, user) = try await future("/posts/12").decoded(Post.self)
            .flatJoin { future("/users/\($0.data.userId)").decoded(User.self) }
            .value
        #expect(post.data.userId == user.data.id)
    }

    @Test("UPDATES: start, head, one for each chunk; the counts are right where the task's own are not")
    func updates() async {
        let log = EventLog()
        future("/bytes/100000")
            .updated { update in log("\(update.stage)") }
            .completion { log("completion") }
            .onUpdate { update in
                if update.progress.fractionReceived == 1 { log("all \(update.progress.bytesReceived)") }
            }
            .onCompletion { log("done") }
            .send()
        var events: [String] = []
        while !Set(events).isSuperset(of: ["completion", "done"]) {
            // One more than were looked at, not than there are by now: the last may have come in between.
            await log.wait(for: events.count + 1)
            events = log.events
        }
        let stages = events.filter { ["started", "responded", "received"].contains($0) }
        #expect(stages.starts(with: ["started", "responded", "received"]))
        #expect(stages.dropFirst(2).allSatisfy { $0 == "received" })
        #expect(events.contains("all 100000"))
    }

    @Test("STATUS: a status is data", arguments: [200, 301, 404, 418, 500, 999])
    func status(code: Int) async throws {
        let response = try await future("/status/\(code)").makeHTTPResponse().value
        #expect(response.statusCode.rawValue == code)
        #expect((response.httpError == nil) == (100..<400).contains(code))
    }

    @Test("VALUE: a running future outlives its dispatcher, and an unsent one can still be sent")
    func value() async throws {
        let gate = LoopbackGate(), log = EventLog()
        server.handle("GET", "/gated", reply: .text("open").gated(by: gate))
        var dispatcher: URLRequestDispatcher? = URLRequestDispatcher(configuration: .ephemeral)
        dispatcher?.dataFuture(from: request("/gated")).success { _ in log("success") }.send()
        let unsent = dispatcher?.dataFuture(from: request("/posts/1"))
        dispatcher = nil
        try await server.waitForRequests(1, path: "/gated")
        gate.open()
        #expect(await log.all(1) == ["success"])
        #expect(try await unsent?.decoded(Post.self).value.data.id == 1)
        try await server.waitForClosedConnections()
    }

    @Test("UP, DOWN: a cancellation closes the connection of a transfer in flight", arguments: [true, false])
    func cancelTransfer(byTask: Bool) async throws {
        let future = future("/fault/stall-mid-body").decodedString()
        let task = Task { await future.ending }
        try await server.waitForRequests(1)
        if byTask { task.cancel() } else { future.cancel() }
        #expect(await task.value == "cancelled")
        try await server.waitForClosedConnections()
    }

    @Test("invalidateAndCancel() is a cancellation, in both styles; afterwards nothing is sent")
    func invalidate() async throws {
        let log = EventLog(), future = future("/fault/stall")
        future.error { log("\($0)") }.cancellation { log("cancellation") }.completion { log("completion") }.send()
        try await server.waitForRequests(1)
        dispatcher.invalidateAndCancel()
        #expect(await future.ending == "cancelled")
        #expect(await log.all(2) == ["cancellation", "completion"])
        let error = await #expect(throws: TransferError.self) { try await self.future("/posts/1").value }
        #expect(error?.kind == .sessionInvalidated)
    }

    /// Begins a shutdown that waits, or has returned, when this returns; it logs that.
    private func beginShutdown(_ log: EventLog) {
        runToSuspension { [dispatcher] in
            await dispatcher.shutdown()
            log("returned")
        }
    }

    @Test("shutdown() lets a running request end, and returns then; afterwards nothing is sent")
    func shutdown() async throws {
        let gate = LoopbackGate(), log = EventLog(), running = future("/gated")
        server.handle("GET", "/gated", reply: .text("open").gated(by: gate))
        running.start()
        try await gate.waitForArrivals()
        beginShutdown(log)
        log("ends")
        gate.open()
        #expect(await log.all(2) == ["ends", "returned"])
        #expect(try await running.value.data == Data("open".utf8))
        let error = await #expect(throws: TransferError.self) { try await future("/posts/1").value }
        #expect(error?.kind == .sessionInvalidated)
    }

    @Test("shutdown() waits for local resources, too")
    func localShutdown() async throws {
        let folder = try TemporaryFolder(), file = folder.file("film")
        try Data(count: 1 << 20).write(to: file)
        let body = try await dispatcher.streamFuture(from: URLRequest(url: file)).value.data
        let log = EventLog()
        var count = 0
        beginShutdown(log)
        // The exchange is in flight: not the whole file is read ahead.
        log("reads")
        for try await part in body { count += part.count }
        #expect(count == 1 << 20)
        #expect(await log.all(2) == ["reads", "returned"])
    }

    @Test("NO-MAIN: a request is awaited while the main thread is blocked")
    func noMain() async throws {
        let post = try await MainQueue.blocked { try await future("/posts/7").decoded(Post.self).value.data }
        #expect(post.id == 7)
    }
}
