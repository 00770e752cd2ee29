import Foundation
import PiuPiu
import PiuPiuTesting
import TestSupport
import Testing

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

@Suite("Async engines: cancellation and pauses", .timeLimit(.minutes(10)))
struct AsyncEngineCancellationTests {
    private func start(
        _ engine: some AsyncTransferEngine, _ log: Log<TransferEvent>
    ) -> any TransferHandle {
        engine.start(ScriptedExchange.request()) { log.append($0) }
    }

    @Test("EARLY: an exchange that is cancelled before it begins sends nothing")
    func before() async {
        let calls = Watched(0)
        let engine = ClosureEngine { _, _ in
            calls.withLock { $0 += 1 }
            return AskedChunks(1)
        }
        let log = Log<TransferEvent>(), gate = Gate()
        let task = Task {
            try? await gate.passUnlessCancelled()
            await AsyncExchange { log.append($0) }.run(ScriptedExchange.request(), on: engine)
        }
        task.cancel()
        await task.value
        #expect(log.all.map(\.summary) == ["cancelled"])
        #expect(calls.withLock { $0 } == 0)
    }

    @Test("A cancellation before the head reaches the client, and is reported as one, whatever the client throws")
    func beforeTheHead() async {
        for isOwnError in [true, false] {
            let gate = Gate()
            let engine = ClosureEngine { _, _ in
                do {
                    try await gate.passUnlessCancelled()
                } catch {
                    throw isOwnError ? TransferError(.connectionLost) : error
                }
                return AskedChunks(1)
            }
            let log = Log<TransferEvent>()
            let handle = start(engine, log)
            await gate.reached()
            handle.cancel()
            #expect(await log.untilTheEnd().map(\.summary) == ["cancelled"])
        }
    }

    @Test("A client that ignores its cancellation can't end in success")
    func deaf() async {
        for stage in ["head", "chunk", "end"] {
            let gate = Gate()
            let engine = ClosureEngine { _, _ in
                if stage == "head" { await gate.pass() }
                return AskedChunks(1) { number in
                    if stage == (number == 1 ? "chunk" : "end") { await gate.pass() }
                }
            }
            let log = Log<TransferEvent>()
            let handle = start(engine, log)
            await gate.reached()
            handle.cancel()
            gate.open()
            let summaries = await log.untilTheEnd().map(\.summary)
            #expect(summaries.last == "cancelled")
            #expect(stage != "head" || summaries.count == 1)
        }
    }

    @Test("A cancellation while a chunk is awaited cancels the sequence, and no more chunks are requested")
    func duringTheBody() async {
        let gate = Gate()
        let chunks = AskedChunks(3) { if $0 == 2 { try await gate.passUnlessCancelled() } }
        let log = Log<TransferEvent>()
        let handle = start(ClosureEngine { _, _ in chunks }, log)
        await gate.reached()
        handle.cancel()
        #expect(await log.untilTheEnd().map(\.summary) == ["head 200", "1 ", "cancelled"])
        #expect(chunks.asked.withLock { $0 } == 2)
    }

    @Test("A paused exchange can be cancelled")
    func whilePaused() async {
        let gate = Gate()
        let chunks = AskedChunks(3) { if $0 == 1 { await gate.pass() } }
        let log = Log<TransferEvent>()
        let handle = start(ClosureEngine { _, _ in chunks }, log)
        await gate.reached()
        handle.pause()
        gate.open()
        _ = await log.first { $0.summary == "1 " }
        handle.cancel()
        #expect(await log.untilTheEnd().map(\.summary) == ["head 200", "1 ", "cancelled"])
        #expect(chunks.asked.withLock { $0 } == 1)
    }

    @Test("A cancellation after the end changes nothing")
    func afterTheEnd() async {
        let engine = ClosureEngine { _, _ in AskedChunks(1) }
        let log = Log<TransferEvent>()
        let handle = start(engine, log)
        _ = await log.untilTheEnd()
        handle.cancel()
        engine.invalidateAndCancel()
        handle.pause()
        handle.resume()
        #expect(log.all.map(\.summary) == ["head 200", "1 ", "finished"])
    }

    /// Gives whatever is in flight time to arrive, by running other exchanges to their end.
    private func letOthersPass() async {
        for _ in 0..<200 {
            let log = Log<TransferEvent>()
            _ = start(ClosureEngine { _, _ in AskedChunks(5) }, log)
            _ = await log.untilTheEnd()
        }
    }

    @Test("MEMORY: a paused exchange asks for no chunk, and resumes where it stopped")
    func pause() async {
        let gate = Gate()
        let chunks = AskedChunks(5) { if $0 == 2 { await gate.pass() } }
        let log = Log<TransferEvent>()
        let handle = start(ClosureEngine { _, _ in chunks }, log)
        await gate.reached()
        handle.pause()
        handle.pause()
        gate.open()
        // The chunk that was already requested still arrives.
        _ = await log.first { $0.summary == "2 " }
        await letOthersPass()
        #expect(chunks.asked.withLock { $0 } == 2)
        handle.resume()
        #expect(await log.untilTheEnd().map(\.summary) == ["head 200", "1 ", "2 ", "3 ", "4 ", "5 ", "finished"])
    }

    @Test("MEMORY: an exchange that is paused before its head asks for no chunk at all")
    func pauseBeforeTheHead() async {
        let gate = Gate(), chunks = AskedChunks(1)
        let engine = ClosureEngine { _, _ in
            await gate.pass()
            return chunks
        }
        let log = Log<TransferEvent>()
        let handle = start(engine, log)
        await gate.reached()
        handle.pause()
        gate.open()
        _ = await log.first { $0.summary == "head 200" }
        await letOthersPass()
        #expect(chunks.asked.withLock { $0 } == 0)
        handle.resume()
        #expect(await log.untilTheEnd().map(\.summary) == ["head 200", "1 ", "finished"])
    }

    @Test("Pauses at random moments lose nothing and end nothing")
    func randomPauses() async {
        var generator = SeededGenerator(seed: 1313)
        for _ in 0..<50 {
            let log = Log<TransferEvent>()
            let handle = start(ClosureEngine { _, _ in AskedChunks(100) }, log)
            for _ in 0..<40 {
                if Bool.random(using: &generator) { handle.pause() } else { handle.resume() }
            }
            handle.resume()
            let expected = ["head 200"] + (1...100).map { "\($0) " } + ["finished"]
            #expect(await log.untilTheEnd().map(\.summary) == expected)
        }
    }
}
