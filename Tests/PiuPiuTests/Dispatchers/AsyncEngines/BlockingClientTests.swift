import Dispatch
import Foundation
import PiuPiu
import TestSupport
import Testing

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

@Suite("Async engines: clients that block when they are cancelled", .timeLimit(.minutes(10)))
struct BlockingClientTests {
    /// An engine that never answers, and whose handler of a cancellation blocks until the test allows it to return.
    private struct BlockingEngine: AsyncTransferEngine {
        let exchanges = RunningExchanges()
        let isSent = Gate(), cancellations = Log<String>()
        let mayReturn = DispatchSemaphore(value: 0), isInTime = Locked(true)
        private let isOver = Gate()

        func exchange(
            _ request: TransferRequest, body: TransferChunks?
        ) async throws -> (TransferHead, AskedChunks) {
            await withTaskCancellationHandler {
                isSent.open()
                await isOver.pass()
            } onCancel: {
                cancellations.append("begun")
                // A limit, so that a test that fails also ends.
                if mayReturn.wait(timeout: .now() + 60) == .timedOut { isInTime.withLock { $0 = false } }
                isOver.open()
            }
            throw CancellationError()
        }
    }

    @Test("PROMPT: a client that blocks at its timeout delays neither its own outcome nor that of another dispatcher")
    func timeout() async throws {
        let time = TransferTimeTests.ManualTime(), engine = BlockingEngine()
        defer { engine.mayReturn.signal() }
        let blocking = Log<TransferEvent>(), other = Log<TransferEvent>()
        var request = URLRequest(url: ScriptedExchange.url)
        request.timeoutInterval = 10
        let drivers = [
            TransferDriver(engine, timer: time.timer),
            TransferDriver(TransferTimeTests.QuietEngine(), timer: time.timer),
        ]
        for (driver, log) in zip(drivers, [blocking, other]) {
            _ = driver.start(TransferRequest(request)) { log.append($0) }
        }
        await engine.isSent.opened()
        time.advance(seconds: 10)
        for log in [other, blocking] {
            let error = await log.untilTheEnd().last?.failure as? TransferError
            #expect(error?.kind == .timedOut)
        }
        #expect(await engine.cancellations.first { $0 == "begun" } != nil)
        #expect(engine.isInTime.withLock { $0 })
    }

    @Test("D2 PROMPT: a client that blocks at its deadline delays neither its own outcome nor that of another one")
    func deadline() async throws {
        let engine = BlockingEngine(), request = URLRequest(url: ScriptedExchange.url)
        defer { engine.mayReturn.signal() }
        let dispatchers = [
            URLRequestDispatcher(engine: engine), URLRequestDispatcher(engine: TransferTimeTests.QuietEngine()),
        ]
        let futures = dispatchers.map { $0.deadline(.milliseconds(500)).dataFuture(from: request) }
        for future in futures { future.send() }
        for future in futures { await #expect(throws: DeadlineExceeded.self) { try await future.value } }
        #expect(engine.isInTime.withLock { $0 })
    }

    @Test("A caller who cancels waits for the client, which sends nothing afterwards")
    func cancellation() async throws {
        let engine = BlockingEngine(), log = Log<TransferEvent>()
        let handle = engine.start(ScriptedExchange.request()) { log.append($0) }
        await engine.isSent.opened()
        engine.mayReturn.signal()
        handle.cancel()
        #expect(engine.cancellations.all == ["begun"])
        #expect(await log.untilTheEnd().map(\.summary) == ["cancelled"])
    }
}
