import Foundation
import PiuPiu
import PiuPiuTesting
import TestSupport
import Testing

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

@Suite("Async engines: life and end", .timeLimit(.minutes(10)))
struct AsyncEngineLifeTests {
    private func refusal(by engine: some AsyncTransferEngine) async -> TransferError? {
        let log = Log<TransferEvent>()
        _ = engine.start(ScriptedExchange.request()) { log.append($0) }
        let events = await log.untilTheEnd()
        #expect(events.count == 1)
        return events.last?.failure as? TransferError
    }

    @Test("finishTasksAndInvalidate lets running exchanges finish, and refuses new ones")
    func finish() async {
        let gate = Gate()
        let engine = ClosureEngine { _, _ in
            await gate.pass()
            return AskedChunks(1)
        }
        let log = Log<TransferEvent>()
        _ = engine.start(ScriptedExchange.request()) { log.append($0) }
        await gate.reached()
        engine.finishTasksAndInvalidate()
        let refusal = await refusal(by: engine)
        #expect(refusal?.kind == .sessionInvalidated)
        #expect(refusal?.url == ScriptedExchange.url)
        gate.open()
        #expect(await log.untilTheEnd().map(\.summary) == ["head 200", "1 ", "finished"])
    }

    @Test("invalidateAndCancel cancels running exchanges in every copy of the engine, and refuses new ones")
    func cancel() async {
        let gates = [Gate(), Gate(), Gate()]
        let next = Watched(gates)
        let engine = ClosureEngine { _, _ in
            try await next.withLock { $0.removeFirst() }.passUnlessCancelled()
            return AskedChunks(1)
        }
        let copy = engine
        let logs = gates.map { _ in Log<TransferEvent>() }
        for log in logs { _ = engine.start(ScriptedExchange.request()) { log.append($0) } }
        for gate in gates { await gate.reached() }
        copy.invalidateAndCancel()
        engine.invalidateAndCancel()
        for log in logs { #expect(await log.untilTheEnd().map(\.summary) == ["cancelled"]) }
        #expect(await refusal(by: engine)?.kind == .sessionInvalidated)
    }

    /// An engine that is counted as long as it lives.
    private final class CountedEngine: AsyncTransferEngine {
        let exchanges = RunningExchanges()
        private let member: Population.Member
        private let chunks: AskedChunks

        init(_ population: Population, _ chunks: AskedChunks) {
            member = population.member()
            self.chunks = chunks
        }

        func exchange(
            _ request: TransferRequest, body: TransferChunks?
        ) async throws -> (TransferHead, some AsyncSequence<Data, any Error>) {
            (TransferHead(url: ScriptedExchange.url, status: 200), chunks)
        }
    }

    @Test("RELEASE: an exchange retains its engine; its end releases everything, even while the handle is retained")
    func release() async {
        for wait in [{ @Sendable in }, { @Sendable in throw TransferError(.connectionLost) }] {
            let engines = Population(), callbacks = Population(), bodies = Population()
            let gate = Gate(), log = Log<TransferEvent>()
            let handle = {
                let chunks = AskedChunks(1) { number in
                    guard number == 1 else { return }
                    await gate.pass()
                    try wait()
                }
                let member = callbacks.member(), content = bodies.member()
                let body = TransferChunks(AskedChunks(1) { _ in withExtendedLifetime(content) {} })
                return CountedEngine(engines, chunks).start(ScriptedExchange.request(.chunks(body))) { event in
                    log.append(event)
                    withExtendedLifetime(member) {}
                }
            }()
            await gate.reached()
            #expect(engines.count == 1 && callbacks.count == 1 && bodies.count == 1)
            gate.open()
            _ = await log.untilTheEnd()
            for population in [engines, callbacks, bodies] { await population.extinct() }
            handle.resume()
        }
    }

    @Test("RELEASE: ten thousand exchanges, a third of them cancelled, leave nothing behind")
    func nothingLeft() async {
        let engines = Population(), callbacks = Population()
        do {
            let engine = CountedEngine(engines, AskedChunks(0))
            var generator = SeededGenerator(seed: 10_000)
            for _ in 0..<100 {
                let logs = (0..<100).map { _ in Log<TransferEvent>() }
                for log in logs {
                    let member = callbacks.member()
                    let handle = engine.start(ScriptedExchange.request()) { event in
                        log.append(event)
                        withExtendedLifetime(member) {}
                    }
                    if Int.random(in: 0..<3, using: &generator) == 0 { handle.cancel() }
                }
                for log in logs { _ = await log.untilTheEnd() }
            }
        }
        await callbacks.extinct()
        await engines.extinct()
    }
}
