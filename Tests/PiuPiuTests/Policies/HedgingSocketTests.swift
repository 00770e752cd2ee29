import Foundation
import LoopbackServer
import PiuPiu
import PiuPiuTesting
import TestSupport
import Testing

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

@Suite("Hedging over a real socket", .timeLimit(.minutes(10)))
struct HedgingSocketTests {
    private let server: LoopbackServer
    private let network = URLRequestDispatcher(configuration: .ephemeral)
    private let folder: TemporaryFolder
    private let clock = ManualClock()

    init() throws {
        server = try LoopbackServer.start()
        folder = try TemporaryFolder()
    }

    private var dispatcher: some RequestDispatcher { network.hedged(.test(clock)) }

    private func request(_ method: HTTPMethod = .put) -> URLRequest {
        var request = server.request("/a")
        request.httpMethod = method.rawValue
        return request
    }

    /// Answers with these in order, and repeats the last.
    private func serve(_ replies: LoopbackReply...) {
        let count = Counter()
        server.handle("*", "/a") { _ in replies[min(count.increment(), replies.count) - 1] }
    }

    private func begun(_ status: Int) -> LoopbackReply {
        let head = LoopbackReply.Step.head(status: status, headers: [LoopbackHeader("Content-Length", "100")])
        return LoopbackReply(steps: [head, .body(Data("part".utf8)), .stall])
    }

    @Test(
        "HEDGE: the second copy wins, and the first is cancelled at the server",
        arguments: [RecordedExchange.Kind.data, .upload, .stream])
    func kinds(kind: RecordedExchange.Kind) async throws {
        serve(.stall, .text("yes"))
        let future = kind.text(of: request(), by: dispatcher, in: folder)
        let task = Task { try await future.value }
        try await server.waitForRequests(1)
        await clock.sleepers()
        clock.advance(by: .seconds(1))
        #expect(try await task.value == "yes")
        // The winner's connection stays open for reuse.
        try await server.waitForClosedConnections(downTo: 1)
        #expect(server.requestCount() == 2)
    }

    @Test("HEDGE: the first acceptable head of streams wins, and a failed copy's stream is released")
    func streams() async throws {
        serve(begun(503), begun(200))
        let response = try await dispatcher.streamFuture(from: request(.get)).value
        #expect(response.head.status == 200)
        try await server.waitForClosedConnections(downTo: 1)
        var iterator = response.data.makeAsyncIterator()
        #expect(try await iterator.next() == Data("part".utf8))
        #expect(server.requestCount() == 2)
    }

    @Test("HEDGE: a download is sent once", arguments: [true, false])
    func downloads(isResumable: Bool) async throws {
        serve(.text("no", status: 503), .text("yes"))
        let file = folder.file("file")
        let future = dispatcher.downloadFuture(from: request(.get), to: file, isResumable: isResumable)
        #expect(await future.statusOrError == "503")
        #expect(server.requestCount() == 1)
    }

    @Test(
        "HEDGE, UP: a cancellation with one copy or with two reaches the server", arguments: 1...2,
        [true, false])
    func cancellation(copies: Int, inBody: Bool) async throws {
        serve(inBody ? begun(200) : .stall)
        let future = dispatcher.dataFuture(from: request(.get))
        let task = Task { await future.statusOrError }
        try await server.waitForRequests(1)
        if copies == 2 {
            await clock.sleepers()
            clock.advance(by: .seconds(1))
            try await server.waitForRequests(2)
        }
        task.cancel()
        #expect(await task.value == "cancelled")
        try await server.waitForClosedConnections()
        clock.advance(by: .seconds(60))
        await clock.noSleepers()
        #expect(server.requestCount() == copies)
    }

    @Test("R6 BUDGET: 100 requests at once to a server that fails everything are 135")
    func budget() async throws {
        serve(.text("no", status: 500))
        let dispatcher = dispatcher, request = request(.get)
        let statuses = await withTaskGroup(of: String.self) { group in
            for _ in 0..<100 { group.addTask { await dispatcher.dataFuture(from: request).statusOrError } }
            return await group.reduce(into: Set()) { $0.insert($1) }
        }
        #expect(statuses == ["500"] && server.requestCount() == 135)
    }

    @Test("HEDGE: deadline, hedge and retry together, in the recommended order")
    func together() async throws {
        serve(.stall, .text("no", status: 503), .text("yes"))
        let deadlines = ManualClock()
        let dispatcher = network.retrying(.fixed(SkippingClock())).hedged(.test(clock))
            .deadline(.seconds(3600), clock: deadlines)
        let future = dispatcher.dataFuture(from: request(.get))
        let task = Task { await future.statusOrError }
        try await server.waitForRequests(1)
        await clock.sleepers()
        clock.advance(by: .seconds(1))
        #expect(await task.value == "200")
        #expect(server.requestCount() == 3)
        await deadlines.noSleepers()
    }

    @Test("HEDGE: by real time, too")
    func realTime() async throws {
        serve(.stall, .text("yes"))
        #expect(await network.hedged(after: .milliseconds(50)).dataFuture(from: request(.get)).statusOrError == "200")
        #expect(server.requestCount() == 2)
    }
}
