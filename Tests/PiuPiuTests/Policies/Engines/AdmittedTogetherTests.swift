import Foundation
import PiuPiu
import PiuPiuTesting
import TestSupport
import Testing

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// Where an engine reports several events in one turn, an exchange is admitted in the place of each that ends.
@Suite("Observed requests that are admitted in the place of others", .timeLimit(.minutes(10)))
struct AdmittedTogetherTests {
    private let engine: DirectedEngine
    private let dispatcher: URLRequestDispatcher

    init() {
        var settings = TransferSettings()
        settings.exchangesPerOrigin = 2
        engine = DirectedEngine(settings)
        dispatcher = URLRequestDispatcher(engine: engine)
    }

    private func future(
        _ path: String, observedBy observer: (any ExchangeObserver)? = nil
    ) throws -> ResponseFuture<Response<Data?>> {
        let request = URLRequest(url: try url("http://host/\(path)"))
        guard let observer else { return dispatcher.dataFuture(from: request) }
        return dispatcher.observed(by: observer).dataFuture(from: request)
    }

    @Test("NEVER-HANG: an observer of an admission may wait for the awaiter of any response of the turn")
    func waitingObserver() async throws {
        let hasGoneOn = DispatchSemaphore(value: 0), wait = Watched<DispatchTimeoutResult?>(nil)
        let observer = ClosureObserver.closure { event in
            guard case .admitted = event.step else { return }
            let result = hasGoneOn.wait(timeout: .now() + 300)
            wait.withLock { $0 = result }
        }
        let first = Awaiting(now: try future("0"))
        await engine.started(1)
        let second = try future("1")
        let awaiting = Task {
            _ = try await second.value
            hasGoneOn.signal()
        }
        await engine.started(2)
        let third = Awaiting(now: try future("2", observedBy: observer))
        // Not a thread of the pool, which the awaiter needs.
        Thread.detachNewThread { [engine] in
            Resumptions.together {
                // The third is admitted now, and the awaiter of the second is to be resumed later.
                engine.answer(0)
                engine.answer(1)
            }
        }
        try await awaiting.value
        await wait.wait { $0 != nil }
        #expect(wait.withLock { $0 } == .success)
        await engine.started(3)
        engine.answer(2)
        #expect(await first.ending.hasPrefix("value"))
        #expect(await third.ending.hasPrefix("value"))
    }

    @Test("O2 ORDER, O1 ONE: one that is answered in the same turn has all of its events, before its outcome")
    func answeredAtOnce() async throws {
        let events = ObservedEvents(), around = ObservedEvents()
        let first = Awaiting(now: try future("0"))
        await engine.started(1)
        let second = Awaiting(now: try future("1"))
        await engine.started(2)
        let request = URLRequest(url: try url("http://host/2"))
        let third = dispatcher.observed(by: events).retrying().observed(by: around).dataFuture(from: request)
        // It has come as far as the line when this returns, or the first answer might admit nothing.
        let awaiting = Awaiting(
            now: third.then { response in
                [[response.head.status.map { "\($0)" } ?? ""], events.words, around.words]
            })
        await around.event("started")
        await events.event("started")
        let inFirstTurn = Watched<[String]>([])
        Thread.detachNewThread { [engine] in
            Resumptions.together {
                engine.state.withLock { state in state.duringStart = { engine.answer(2, body: "body") } }
                engine.answer(0)
                inFirstTurn.withLock { $0 = events.words }
                engine.answer(1)
            }
        }
        let words = ["started", "admitted", "head 200", "finished 200"]
        #expect(await awaiting.ending == "value \([["200"], words, words])")
        #expect(inFirstTurn.withLock { $0 } == ["started", "admitted", "head 200"])
        events.check()
        #expect(await first.ending.hasPrefix("value"))
        #expect(await second.ending.hasPrefix("value"))
    }
}
