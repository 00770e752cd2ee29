import Foundation
import PiuPiu
import PiuPiuTesting
import TestSupport
import Testing

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

@Suite("The end of a dispatcher and of those decorated from it", .timeLimit(.minutes(10)))
struct DecoratedEndTests {
    private let engine: DirectedEngine

    init() {
        var settings = TransferSettings()
        settings.exchangesPerOrigin = 2
        engine = DirectedEngine(settings, endsCancelled: false)
    }

    private var ends: [String] { engine.state.withLock { $0.ends } }

    @Test("VALUE: when a dispatcher has ended, no cache over it answers a new request", arguments: [false, true])
    func cache(isOfCopy: Bool) async throws {
        let network = URLRequestDispatcher(engine: engine), cache = HTTPCache()
        let cached = network.cached(in: cache), other = network.coalescing(), ending = isOfCopy ? other : network
        let request = try hop("/a").urlRequest, address = try url("http://host/a")
        let loaded = cached.dataFuture(from: request)
        loaded.start()
        await engine.started(1)
        let head = TransferHead(url: address, status: 200, fields: [(name: "Cache-Control", value: "max-age=60")])
        engine.tell(0, .head(head, request: request))
        engine.tell(0, .finished)
        #expect(await loaded.statusOrError == "200")
        #expect(await cached.dataFuture(from: request).statusOrError == "200")
        ending.invalidateAndCancel()
        let local = URLRequest(url: try url("data:,a"))
        for dispatcher in [cached, other, network, network.cached(in: cache)] {
            #expect(await dispatcher.dataFuture(from: request).statusOrError == "sessionInvalidated")
            #expect(await dispatcher.dataFuture(from: local).statusOrError == "sessionInvalidated")
        }
        await engine.state.wait { $0.ends == ["cancel"] }
        #expect(engine.paths == ["/a"])
    }

    @Test("A dispatcher that finishes lets those decorated from it end what they have started, also what waits")
    func finish() async throws {
        let network = EngineRouter(engine), limited = network.decorated { $0.limited(to: 16) }
        let exchanges = try limited.start(0..<6)
        network.finishTasksAndInvalidate()
        try #require(ends == [] && engine.paths == ["/0", "/1"])
        let late = try limited.start(7..<8)
        #expect(await late[0].trace.end == "sessionInvalidated")
        // A redirect goes to the end of the line.
        let moved = TransferHead(url: try url("http://host/0"), status: 302, fields: [(name: "Location", value: "/6")])
        engine.tell(0, .head(moved, request: try hop("/0").urlRequest))
        engine.tell(0, .finished)
        for hop in 1..<7 {
            await engine.started(hop + 1)
            #expect(ends == [])
            engine.answer(hop)
        }
        for exchange in exchanges { #expect(await exchange.trace.end == "200 measured .") }
        await engine.state.wait { $0.ends == ["finish"] }
        #expect(engine.paths == ["/0", "/1", "/2", "/3", "/4", "/5", "/6"])
    }

    @Test("UP: a dispatcher that is invalidated cancels the requests of those decorated from it, also those that wait")
    func cancel() async throws {
        let network = EngineRouter(engine), limited = network.decorated { $0.limited(to: 16) }
        let exchanges = try limited.start(0..<6)
        network.invalidateAndCancel()
        try #require(engine.calls(0) == ["cancel"] && engine.calls(1) == ["cancel"])
        for exchange in exchanges { #expect(await exchange.trace.end == "cancelled") }
        #expect(engine.paths == ["/0", "/1"] && ends == ["cancel"])
    }

    /// Begins a shutdown that waits, or has returned, when this returns; it logs that.
    private func beginShutdown(of router: EngineRouter, _ log: EventLog) {
        runToSuspension {
            await router.shutdown()
            log("returned")
        }
    }

    @Test("A shutdown returns when the last exchange has ended, also of those that were decorated from it")
    func shutdown() async throws {
        let network = EngineRouter(engine), limited = network.decorated { $0.limited(to: 16) }
        let exchanges = try limited.start(0..<3), log = EventLog()
        for router in [network, limited] { beginShutdown(of: router, log) }
        for hop in 0..<3 {
            await engine.started(hop + 1)
            log("\(hop) ends")
            engine.answer(hop)
        }
        #expect(await log.all(5) == ["0 ends", "1 ends", "2 ends", "returned", "returned"])
        for exchange in exchanges { #expect(await exchange.trace.end == "200 measured .") }
        #expect(engine.paths == ["/0", "/1", "/2"] && ends == ["finish"])
        // One that has ended.
        await limited.shutdown()
    }

    @Test("A cancelled shutdown returns, and the dispatcher goes on ending; an invalidation ends another one")
    func cancelledShutdown() async throws {
        let network = EngineRouter(engine)
        let exchanges = try network.start(0..<2)
        let cancelled = Task { await network.shutdown() }
        cancelled.cancel()
        await cancelled.value
        let late = try network.start(2..<3)
        #expect(await late[0].trace.end == "sessionInvalidated")
        #expect(engine.running == [0, 1] && ends == [])
        let log = EventLog()
        beginShutdown(of: network, log)
        log("invalidates")
        network.invalidateAndCancel()
        #expect(await log.all(2) == ["invalidates", "returned"])
        for exchange in exchanges { #expect(await exchange.trace.end == "cancelled") }
        #expect(ends == ["cancel"])
    }
}
