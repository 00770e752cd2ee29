import Foundation
import LoopbackServer
import PiuPiu
import PiuPiuTesting
import TestSupport
import Testing

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// Takes as long as the deadline.
private struct SlowAdapter: RequestAdapter {
    let clock: SleepyClock

    func adapt(_ urlRequest: URLRequest) async throws -> URLRequest {
        clock.advance(by: .seconds(3600))
        return urlRequest
    }
}

/// The time is an hour, so that no engine's own timeout comes into play on a machine that is busy.
@Suite("Deadlines over a real socket", .timeLimit(.minutes(10)))
struct DeadlineSocketTests {
    private let server: LoopbackServer
    private let network = URLRequestDispatcher(configuration: .ephemeral)
    private let folder: TemporaryFolder
    private let clock = ManualClock()

    init() throws {
        server = try LoopbackServer.start()
        folder = try TemporaryFolder()
    }

    private var dispatcher: some RequestDispatcher { network.deadline(.seconds(3600), clock: clock) }

    private func serve(_ steps: LoopbackReply.Step...) {
        server.handle("*", "/a", reply: LoopbackReply(steps: steps))
    }

    private func request(_ method: HTTPMethod = .put) -> URLRequest {
        var request = server.request("/a")
        request.httpMethod = method.rawValue
        return request
    }

    private let head = LoopbackReply.Step.head(status: 200, headers: [LoopbackHeader("Content-Length", "100")])

    @Test("D2 PROMPT: before the head the transfer is cancelled", arguments: RecordedExchange.Kind.allCases)
    func beforeHead(kind: RecordedExchange.Kind) async throws {
        serve(.stall)
        let future = kind.text(of: request(), by: dispatcher, in: folder)
        let task = Task { await future.stageOrEnding }
        try await server.waitForRequests()
        await clock.sleepers()
        clock.advance(by: .seconds(3600))
        #expect(await task.value.hasPrefix("3600.0 seconds "))
        try await server.waitForClosedConnections()
        #expect(server.requestCount() == 1)
    }

    @Test("D1 TOTAL, D2 PROMPT: the body counts, that of a stream too", arguments: RecordedExchange.Kind.allCases)
    func inBody(kind: RecordedExchange.Kind) async throws {
        serve(head, .body(Data("part".utf8)), .stall)
        let future = kind.text(of: request(), by: dispatcher, in: folder)
        let hasHead = Gate()
        let task = Task { await future.onUpdate { if $0.stage == .responded { hasHead.open() } }.stageOrEnding }
        await hasHead.opened()
        await clock.sleepers()
        clock.advance(by: .seconds(3600))
        #expect(await task.value == "3600.0 seconds receiving")
        try await server.waitForClosedConnections()
    }

    @Test("D2 PROMPT: a stream delivers what arrived in time, and then the error")
    func stream() async throws {
        serve(head, .body(Data("part".utf8)), .stall)
        let response = try await dispatcher.streamFuture(from: request(.get)).value
        #expect(response.head.status == 200)
        await clock.sleepers()
        let log = EventLog()
        let task = Task {
            do {
                for try await chunk in response.data { log(String(decoding: chunk, as: UTF8.self)) }
            } catch let error as DeadlineExceeded {
                log(error.inShort)
            }
        }
        await log.wait(for: 1)
        clock.advance(by: .seconds(3600))
        #expect(await log.all(2) == ["part", "3600.0 seconds receiving"])
        try await task.value
        try await server.waitForClosedConnections()
    }

    @Test("A stream that was read, or released, leaves no timer")
    func streamEnds() async throws {
        serve(head, .body(Data("part".utf8)), .stall)
        do {
            let response = try await dispatcher.streamFuture(from: request(.get)).value
            await clock.sleepers()
            #expect(response.head.status == 200)
        }
        await clock.noSleepers()
        try await server.waitForClosedConnections()
        server.handle("*", "/a", reply: .text("text"))
        let whole = try await dispatcher.streamFuture(from: request(.get)).value
        #expect(try await whole.data.reduce(0) { $0 + $1.count } == 4)
        await clock.noSleepers()
    }

    @Test("Cancelled before the head, and in the body", arguments: [true, false], [true, false])
    func cancellation(inBody: Bool, byTask: Bool) async throws {
        if inBody { serve(head, .body(Data("part".utf8)), .stall) } else { serve(.stall) }
        let isThere = Gate(), log = EventLog()
        let future = dispatcher.dataFuture(from: request(.get))
            .onUpdate { if $0.stage == .responded { isThere.open() } }.onCancellation { log("cancelled") }
        let task = Task { await future.statusOrStage }
        if inBody { await isThere.opened() } else { try await server.waitForRequests() }
        if byTask { task.cancel() } else { future.cancel() }
        #expect(await task.value == "cancelled")
        #expect(await log.all(1) == ["cancelled"])
        try await server.waitForClosedConnections()
        await clock.noSleepers()
        #expect(server.requestCount() == 1)
    }

    @Test("The stage of an upload whose body was sent")
    func upload() async throws {
        serve(.stall)
        let isSent = Gate()
        let future = dispatcher.uploadFuture(from: request(), with: Data("body".utf8))
            .onUpdate { if $0.progress.fractionSent == 1 { isSent.open() } }
        let task = Task { await future.statusOrStage }
        await isSent.opened()
        await clock.sleepers()
        clock.advance(by: .seconds(3600))
        #expect(await task.value == "3600.0 seconds responding")
    }

    @Test("D3 NOTHING: after an adapter that takes too long nothing is sent")
    func slowAdapter() async throws {
        let clock = SleepyClock()
        let dispatcher = URLRequestDispatcher(configuration: .ephemeral, requestAdapter: SlowAdapter(clock: clock))
            .deadline(.seconds(3600), clock: clock)
        #expect(await dispatcher.dataFuture(from: request()).statusOrStage == "3600.0 seconds waiting")
        #expect(await dispatcher.streamFuture(from: request()).statusOrStage == "3600.0 seconds waiting")
        #expect(server.requestCount() == 0)
    }

    @Test("D2 PROMPT: with the continuous clock, too")
    func realTime() async throws {
        serve(.stall)
        let error = await #expect(throws: DeadlineExceeded.self) {
            _ = try await network.deadline(.milliseconds(200)).dataFuture(from: request()).value
        }
        #expect(error?.limit == .milliseconds(200))
    }

    @Test("D3 NOTHING: the engine's own timeout is at most the rest", arguments: [10_000.0, 3])
    func engineTimeout(own: TimeInterval) async throws {
        let time = TransferTimeTests.ManualTime(), engine = TransferTimeTests.QuietEngine()
        let driver = TransferDriver(engine, timer: time.timer), events = Log<TransferEvent>()
        var request = request(.get)
        request.timeoutInterval = own
        let deadline = Deadline(after: .seconds(3600), clock: .continuous)
        ExchangeLocals.$current.withValue(PolicyContext(deadline: deadline).local) {
            _ = driver.start(TransferRequest(request)) { events.append($0) }
        }
        time.advance(seconds: own == 3 ? 2 : 3000)
        #expect(events.all.isEmpty)
        time.advance(seconds: own == 3 ? 1 : 600)
        guard case .failed(let error as TransferError) = await events.untilTheEnd().last else {
            Issue.record("no failure")
            return
        }
        #expect(error.kind == .timedOut)
    }
}
