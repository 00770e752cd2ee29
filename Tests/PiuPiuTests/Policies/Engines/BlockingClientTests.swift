import Dispatch
import Foundation
import PiuPiu
import TestSupport
import Testing

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

@Suite("Clients that block when they are cancelled", .timeLimit(.minutes(10)))
struct BlockingClientTests {
    /// Work that never ends, and whose handler of a cancellation blocks until the test allows it to return.
    private struct BlockingWork: Sendable {
        let hasBegun = Gate(), cancellations = Log<String>()
        let mayReturn = DispatchSemaphore(value: 0), isInTime = Locked(true)
        private let isOver = Gate()

        func run() async throws {
            await withTaskCancellationHandler {
                hasBegun.open()
                await isOver.pass()
            } onCancel: {
                cancellations.append("begun")
                // A limit, so that a test that fails also ends.
                if mayReturn.wait(timeout: .now() + 300) == .timedOut { isInTime.withLock { $0 = false } }
                isOver.open()
            }
            throw CancellationError()
        }
    }

    /// An engine that never answers.
    private struct BlockingEngine: AsyncTransferEngine {
        let exchanges = RunningExchanges()
        let work = BlockingWork()

        func exchange(
            _ request: TransferRequest, body: TransferChunks?
        ) async throws -> (TransferHead, AskedChunks) {
            try await work.run()
            return (TransferHead(url: ScriptedExchange.url, status: 200), AskedChunks(0))
        }
    }

    @Test("PROMPT: a client that blocks at its timeout delays neither its own outcome nor that of another dispatcher")
    func timeout() async throws {
        let engine = BlockingEngine()
        try await expectTimeouts(of: engine, TransferRequest(timedRequest), engine.work)
    }

    @Test("PROMPT: nor do chunks that are collected first, and block at a timeout")
    func timeoutOfChunks() async throws {
        var settings = TransferSettings()
        settings.wholeTimeout = 10
        let work = BlockingWork(), chunks = AskedChunks(1) { _ in try await work.run() }
        var request = TransferRequest(timedRequest, body: .chunks(TransferChunks(chunks)))
        request.spool = BodySpool()
        try await expectTimeouts(of: DirectedEngine(settings), request, work)
    }

    private var timedRequest: URLRequest {
        var request = URLRequest(url: ScriptedExchange.url)
        request.timeoutInterval = 10
        return request
    }

    private func expectTimeouts(
        of engine: any TransferEngine, _ request: TransferRequest, _ work: BlockingWork
    ) async throws {
        let time = TransferTimeTests.ManualTime()
        defer { work.mayReturn.signal() }
        let blocking = Log<TransferEvent>(), other = Log<TransferEvent>()
        _ = TransferDriver(engine, timer: time.timer).start(request) { blocking.append($0) }
        let quiet = TransferDriver(TransferTimeTests.QuietEngine(), timer: time.timer)
        _ = quiet.start(TransferRequest(timedRequest)) { other.append($0) }
        await work.hasBegun.opened()
        time.advance(seconds: 10)
        for log in [other, blocking] {
            let error = await log.untilTheEnd().last?.failure as? TransferError
            #expect(error?.kind == .timedOut)
        }
        #expect(await work.cancellations.first { $0 == "begun" } != nil)
        #expect(work.isInTime.withLock { $0 })
    }

    @Test("D2 PROMPT: a client that blocks at its deadline delays neither its own outcome nor that of another one")
    func deadline() async throws {
        let engine = BlockingEngine(), request = URLRequest(url: ScriptedExchange.url)
        let dispatcher = URLRequestDispatcher(engine: engine).deadline(.milliseconds(500))
        try await expectDeadlines(dispatcher.dataFuture(from: request), engine.work)
    }

    @Test("D2 PROMPT: nor do chunks that are collected first, and block at a deadline")
    func deadlineOfChunks() async throws {
        let work = BlockingWork(), chunks = AskedChunks(1) { _ in try await work.run() }
        var request = URLRequest(url: ScriptedExchange.url)
        request.httpMethod = "POST"
        let dispatcher = URLRequestDispatcher(engine: DirectedEngine()).deadline(.milliseconds(500))
        try await expectDeadlines(dispatcher.uploadFuture(from: request, withChunks: chunks), work)
    }

    private func expectDeadlines(_ blocking: ResponseFuture<Response<Data?>>, _ work: BlockingWork) async throws {
        defer { work.mayReturn.signal() }
        let quiet = URLRequestDispatcher(engine: TransferTimeTests.QuietEngine()).deadline(.milliseconds(500))
        let futures = [blocking, quiet.dataFuture(from: URLRequest(url: ScriptedExchange.url))]
        for future in futures { future.send() }
        for future in futures { await #expect(throws: DeadlineExceeded.self) { try await future.value } }
        #expect(work.isInTime.withLock { $0 })
    }

    @Test("A caller who cancels waits for the client, which sends nothing afterwards")
    func cancellation() async throws {
        let engine = BlockingEngine(), log = Log<TransferEvent>()
        let handle = engine.start(ScriptedExchange.request()) { log.append($0) }
        await engine.work.hasBegun.opened()
        engine.work.mayReturn.signal()
        handle.cancel()
        #expect(engine.work.cancellations.all == ["begun"])
        #expect(await log.untilTheEnd().map(\.summary) == ["cancelled"])
    }
}
