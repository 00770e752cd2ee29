import Foundation
import LoopbackServer
import PiuPiu
import TestSupport
import Testing

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// A request through `URLSession` ends promptly when cancelled. So an awaiter may run it, but that must not show.
@Suite("SAME: a request beside its await, no matter who holds it", .timeLimit(.minutes(10)))
struct SameTransferTests {
    private let server: LoopbackServer
    private let gate = LoopbackGate()
    private let dispatcher = URLRequestDispatcher(configuration: .ephemeral)

    init() throws {
        server = try LoopbackServer.start()
        server.handle("GET", "/gated", reply: .text("through").gated(by: gate))
    }

    /// A future of the answer, which waits at the gate.
    private func answer(isChained: Bool) -> ResponseFuture<String> {
        let future = dispatcher.dataFuture(from: server.request("/gated")).then { response in
            response.data.map { String(decoding: $0, as: UTF8.self) } ?? ""
        }
        return isChained ? future.then { $0 + "!" }.then { String($0.dropLast()) } : future
    }

    /// A task that is the answer's only awaiter, once the request has reached the server.
    private func awaiting(_ keeper: Keeper<String>, isVariable: Bool) async throws -> Awaiting {
        // Written out: the compiler decides whether the await has the last reference to a variable.
        let task =
            isVariable
            ? Awaiting(running: { [self] in
                let future = keeper.keep(answer(isChained: true))
                return try await future.value
            }) : Awaiting { keeper.keep(answer(isChained: false)) }
        try await gate.waitForArrivals()
        return task
    }

    @Test(
        "SAME, UP: a cancellation ends the await and the exchange", arguments: Holding.allCases, [true, false])
    func cancel(holding: Holding, isVariable: Bool) async throws {
        defer { gate.open() }
        let keeper = Keeper<String>(holding), task = try await awaiting(keeper, isVariable: isVariable)
        if holding == .temporary {
            task.cancel()
        } else {
            let handle = try #require(keeper.future)
            handle.cancel()
            #expect(handle.status == .cancelled)
        }
        #expect(await task.ending == "cancelled")
        try await server.waitForClosedConnections()
    }

    @Test(
        "SAME, SETTLE: a value given through a handle is the outcome for all, and the exchange ends",
        arguments: Holding.reachable, [true, false])
    func succeed(holding: Holding, isVariable: Bool) async throws {
        defer { gate.open() }
        let keeper = Keeper<String>(holding), task = try await awaiting(keeper, isVariable: isVariable)
        let handle = try #require(keeper.future)
        handle.succeed(with: "given")
        #expect(await task.ending == "value given")
        #expect(await handle.ending == "value given")
        #expect(handle.status == .success)
        try await server.waitForClosedConnections()
    }

    @Test(
        "SAME, SHARED: cancelling one of two awaiters doesn't affect the other",
        arguments: Holding.reachable, [true, false])
    func twoAwaiters(holding: Holding, firstLeaves: Bool) async throws {
        defer { gate.open() }
        let keeper = Keeper<String>(holding), first = try await awaiting(keeper, isVariable: firstLeaves)
        let handle = try #require(keeper.future), second = Awaiting(now: handle)
        let leaving = firstLeaves ? first : second, staying = firstLeaves ? second : first
        leaving.cancel()
        #expect(await leaving.ending == "cancelled")
        #expect(handle.status == .started)
        gate.open()
        #expect(await staying.ending == "value through")
        #expect(await handle.ending == "value through")
        #expect(server.requestCount(path: "/gated") == 1)
    }

    @Test(
        "SAME: callbacks attached and sent through a handle outlive the awaiter", arguments: Holding.reachable,
        [true, false])
    func send(holding: Holding, isVariable: Bool) async throws {
        defer { gate.open() }
        let keeper = Keeper<String>(holding), task = try await awaiting(keeper, isVariable: isVariable)
        let log = EventLog()
        do {
            let handle = try #require(keeper.future)
            handle.success { log("success \($0)") }.cancellation { log("cancellation") }
                .completion { log("completion") }.send()
        }
        task.cancel()
        #expect(await task.ending == "cancelled")
        gate.open()
        #expect(await log.all(2) == ["success through", "completion"])
        #expect(server.requestCount(path: "/gated") == 1)
    }

    @Test(
        "SAME, UPDATES: callbacks attached through a handle get the updates from then on",
        arguments: Holding.reachable)
    func updates(holding: Holding) async throws {
        defer { gate.open() }
        let keeper = Keeper<String>(holding), task = try await awaiting(keeper, isVariable: false), log = EventLog()
        _ = try #require(keeper.future).onUpdate { log("\($0.stage)") }.onCompletion { log("completion") }
        gate.open()
        #expect(await log.all(3) == ["responded", "received", "completion"])
        #expect(await task.ending == "value through")
    }

    @Test(
        "SAME, SHARED: a second reader of a weak cache outlives the first, which is cancelled as it comes",
        arguments: [true, false])
    func weakCache(isChained: Bool) async throws {
        gate.open()
        for round in 0..<100 {
            let keeper = Keeper<String>(.weakly)
            let first = Awaiting { keeper.keep(answer(isChained: isChained)) }
            await keeper.filled()
            guard let second = keeper.future.map({ Awaiting(now: $0) }) else { continue }
            first.cancel()
            #expect(await second.ending == "value through", "round \(round)")
            #expect(["cancelled", "value through"].contains(await first.ending))
        }
    }
}
