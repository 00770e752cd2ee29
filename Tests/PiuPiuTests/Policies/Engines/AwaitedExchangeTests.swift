import Foundation
import PiuPiu
import PiuPiuTesting
import TestSupport
import Testing

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// A request that is only awaited is sent without a task of its own, and its last event resumes the awaiter.
@Suite("Requests that are only awaited", .timeLimit(.minutes(10)))
struct AwaitedExchangeTests {
    private let engine = DirectedEngine()
    private let dispatcher: URLRequestDispatcher

    init() {
        dispatcher = URLRequestDispatcher(engine: engine)
    }

    private func future() throws -> ResponseFuture<Response<Data?>> {
        dispatcher.dataFuture(from: URLRequest(url: try url("http://host/a")))
    }

    @Test("SAME, MEMO: the response is that of the engine, whoever holds the future", arguments: Holding.allCases)
    func response(holding: Holding) async throws {
        let request = URLRequest(url: try url("http://host/a")), keeper = Keeper<Response<Data?>>(holding)
        let task = Task { [dispatcher] in try await keeper.keep(dispatcher.dataFuture(from: request)).value }
        await engine.started(1)
        engine.answer(0, body: "body")
        #expect(try await task.value.data == Data("body".utf8))
        guard let later = keeper.future else { return }
        #expect(later.status == .success)
        #expect(try await later.value.data == Data("body".utf8))
        #expect(engine.paths.count == 1)
    }

    @Test("SAME, UP: a cancellation ends it, whoever holds the future", arguments: Holding.reachable)
    func cancellation(holding: Holding) async throws {
        let request = URLRequest(url: try url("http://host/a")), keeper = Keeper<Response<Data?>>(holding)
        let awaiting = Awaiting { [dispatcher] in keeper.keep(dispatcher.dataFuture(from: request)) }
        await engine.started(1)
        keeper.future?.cancel()
        #expect(await awaiting.ending == "cancelled")
        await engine.called(0, 1)
        #expect(engine.calls(0) == ["cancel"])
    }

    @Test("DOWN, SHARED: only the last of its awaiters takes it along", arguments: [false, true])
    func sharing(endsBoth: Bool) async throws {
        let future = try future()
        let first = Awaiting(now: future)
        await engine.started(1)
        let second = Awaiting(now: future)
        first.cancel()
        #expect(await first.ending == "cancelled")
        #expect(engine.calls(0).isEmpty)
        if endsBoth {
            second.cancel()
            #expect(await second.ending == "cancelled")
            #expect(engine.calls(0) == ["cancel"])
        } else {
            engine.answer(0)
            #expect(await second.ending.hasPrefix("value"))
        }
    }

    @Test("EARLY: an awaiter that was cancelled before sends nothing")
    func cancelledBefore() async throws {
        let future = try future()
        let task = Task {
            withUnsafeCurrentTask { $0?.cancel() }
            return try await future.value
        }
        await #expect(throws: CancellationError.self) { try await task.value }
        #expect(engine.paths.isEmpty)
    }

    @Test("UP: a cancellation inside the start of the engine reaches the exchange")
    func cancelledInStart() async throws {
        let future = try future()
        engine.state.withLock { $0.duringStart = { future.cancel() } }
        await #expect(throws: CancellationError.self) { try await future.value }
        await engine.called(0, 1)
        #expect(engine.calls(0) == ["cancel"])
    }

    @Test("PROMPT: of ends that come together none loses its awaiter", arguments: [false, true])
    func together(hasPolicy: Bool) async throws {
        let request = URLRequest(url: try url("http://host/a"))
        let futures = (0..<3).map { _ in
            hasPolicy ? dispatcher.retrying().dataFuture(from: request) : dispatcher.dataFuture(from: request)
        }
        var awaiting: [Awaiting] = []
        for (number, future) in futures.enumerated() {
            awaiting.append(Awaiting(now: future))
            await engine.started(number + 1)
        }
        Resumptions.together {
            for number in 0..<3 { engine.answer(number, body: "body") }
        }
        for awaiting in awaiting { #expect(await awaiting.ending.hasPrefix("value")) }
        #expect(futures.allSatisfy { $0.status == .success })
    }

    /// Expects that code of an exchange may wait for the awaiter of a response that came before, in the same turn of the
    /// engine.
    ///
    /// - Parameters:
    ///   - makeFuture: makes the future of the exchange, with code that waits.
    ///   - report: reports the events of the exchange.
    private func expectAwaiterFirst(
        _ makeFuture: (_ wait: @escaping @Sendable () -> Void) -> ResponseFuture<Response<Data?>>,
        _ report: @escaping @Sendable (DirectedEngine) -> Void
    ) async throws {
        let hasGoneOn = DispatchSemaphore(value: 0), wait = Watched<DispatchTimeoutResult?>(nil)
        let waiting = makeFuture {
            let result = hasGoneOn.wait(timeout: .now() + 300)
            wait.withLock { $0 = result }
        }
        let first = try future(), second = Awaiting(now: waiting)
        await engine.started(1)
        let awaiting = Task {
            _ = try await first.value
            hasGoneOn.signal()
        }
        await engine.started(2)
        // Not a thread of the pool, which the awaiter needs.
        Thread.detachNewThread { [engine] in
            Resumptions.together {
                engine.answer(1)
                report(engine)
            }
        }
        try await awaiting.value
        #expect(await second.ending.hasPrefix("value"))
        #expect(wait.withLock { $0 } == .success)
    }

    @Test("NEVER-HANG: an observer may wait for the awaiter of a response that came before")
    func waitingObserver() async throws {
        let request = URLRequest(url: try url("http://host/a"))
        try await expectAwaiterFirst { wait in
            dispatcher.observed(by: .closure { if case .head = $0.step { wait() } }).dataFuture(from: request)
        } _: {
            $0.answer(0)
        }
    }

    @Test("NEVER-HANG: a redirect policy may wait for the awaiter of a response that came before")
    func waitingRedirectPolicy() async throws {
        let request = URLRequest(url: try url("http://host/a"))
        let fields = [(name: "Location", value: "/b")]
        let redirect = TransferHead(url: try url("http://host/a"), status: 302, fields: fields)
        try await expectAwaiterFirst { wait in
            let policy = RedirectPolicy.decide { _, _ in
                wait()
                return nil
            }
            return URLRequestDispatcher(engine: engine, redirectPolicy: policy).dataFuture(from: request)
        } _: { engine in
            engine.tell(0, .head(redirect, request: request))
            engine.tell(0, .finished)
        }
    }

    /// Who is interested in a request beside the awaiter that has started it, or in its place.
    enum Party: CaseIterable { case callbacks, scope, child, join }

    /// The thread of an engine is not for the code of others, which could keep its other exchanges waiting.
    @Test(
        "SAME: who joins it later is notified as of any other future, and not on the thread of the engine",
        arguments: Party.allCases)
    func lateParties(party: Party) async throws {
        let future = try future(), log = EventLog(), scope = FutureScope()
        let engineThread = DispatchQueue(label: "engine"), key = DispatchSpecificKey<Bool>()
        engineThread.setSpecific(key: key, value: true)
        let note: @Sendable (String) -> Void = { log($0 + (DispatchQueue.getSpecific(key: key) == true ? "!" : "")) }
        let awaiting = Awaiting(now: future)
        await engine.started(1)
        var other: Awaiting?
        switch party {
        case .callbacks:
            _ = future.onSuccess { _ in note("success") }.onCompletion { note("completion") }
        case .scope:
            _ = future.bound(to: scope)
        case .child:
            other = Awaiting(now: future.then { _ in note("then") })
        case .join:
            // The parts begin in order.
            let isJoined = Gate()
            other = Awaiting(now: future.join(ResponseFuture { isJoined.open() }).then { _ in note("join") })
            await isJoined.opened()
        }
        if other != nil { awaiting.cancel() }
        engineThread.async { [engine] in engine.answer(0) }
        let ending = await awaiting.ending
        #expect(other == nil ? ending.hasPrefix("value") : ending == "cancelled")
        if let other { #expect(await other.ending == "value ()") }
        switch party {
        case .callbacks: #expect(await log.all(2) == ["success", "completion"])
        case .scope: #expect(future.status == .success)
        case .child: #expect(log.events == ["then"])
        case .join: #expect(log.events == ["join"])
        }
    }

    @Test("ESCALATE: a later awaiter's priority is that of what the end of the request starts")
    func escalation() async throws {
        let future = try future(), priorities = Box<TaskPriority>()
        let patient = Task(priority: .background) { try await future.value }
        await engine.started(1)
        let urgent = Awaiting(now: future)
        let isCalled = Gate()
        _ = future.onCompletion {
            priorities.value = Task.currentPriority
            isCalled.open()
        }
        engine.answer(0)
        await isCalled.opened()
        #expect(try #require(priorities.value) >= Task.currentPriority)
        #expect(await urgent.ending.hasPrefix("value"))
        _ = try await patient.value
    }

    @Test("SETTLE: an answer that comes after a cancellation changes nothing")
    func lateAnswer() async throws {
        let engine = DirectedEngine(endsCancelled: false)
        let future = URLRequestDispatcher(engine: engine).dataFuture(from: URLRequest(url: try url("http://host/a")))
        let awaiting = Awaiting(now: future)
        await engine.started(1)
        future.cancel()
        #expect(await awaiting.ending == "cancelled")
        engine.answer(0)
        #expect(future.status == .cancelled)
        await #expect(throws: CancellationError.self) { try await future.value }
    }

    @Test("VALUE: the engine is released with the last dispatcher and the last future")
    func release() async throws {
        let population = Population()
        do {
            let dispatcher = URLRequestDispatcher(engine: CountedEngine(member: population.member()))
            _ = try await dispatcher.dataFuture(from: URLRequest(url: try url("http://host/a"))).value
        }
        await population.extinct()
    }

    private struct CountedEngine: TransferEngine {
        let member: Population.Member

        func start(
            _ request: TransferRequest, onEvent: @escaping @Sendable (TransferEvent) -> Void
        ) -> any TransferHandle {
            DispatchQueue.global().async {
                guard let url = request.urlRequest.url else { return }
                onEvent(.head(TransferHead(url: url, status: 200), request: request.urlRequest))
                onEvent(.finished)
            }
            return Handle()
        }

        func finishTasksAndInvalidate() {}
        func invalidateAndCancel() {}

        private struct Handle: TransferHandle {
            func cancel() {}
        }
    }
}
