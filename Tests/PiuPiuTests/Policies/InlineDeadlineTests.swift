import Foundation
import PiuPiu
import PiuPiuTesting
import TestSupport
import Testing

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// Deadlines by the continuous clock over the network's dispatcher. They are part of the outermost future's work, and
/// have no run of their own that could settle when their time is over.
@Suite("Deadlines inside the work of another future", .timeLimit(.minutes(10)))
struct InlineDeadlineTests {
    private static let short = Duration.milliseconds(30)
    private static let long = Duration.seconds(3600)

    private let engine = DirectedEngine()
    private let inner = ObservedEvents()
    private let outer = ObservedEvents()

    private var network: URLRequestDispatcher { URLRequestDispatcher(engine: engine) }

    /// Waits for its gate only, deaf to cancellation.
    private struct DeafAdapter: RequestAdapter {
        let gate: Gate
        let member: Population.Member

        func adapt(_ urlRequest: URLRequest) async throws -> URLRequest {
            await gate.pass()
            return urlRequest
        }
    }

    @Test(
        "D2 PROMPT: only the transfer is cancelled: observers inside see a cancellation, those outside the error"
    )
    func late() async throws {
        try await withLimit { limit in
            let engine = DirectedEngine(), inner = ObservedEvents(), outer = ObservedEvents()
            let network = URLRequestDispatcher(engine: engine)
            let dispatcher = network.observed(by: inner).deadline(limit).observed(by: outer)
            let isLate = try await isLate(dispatcher, limit)
            #expect(isLate)
            #expect(await outer.ended().last == "failed with DeadlineExceeded")
            guard engine.paths.count == 1 else { return false }
            await engine.called(0, 1)
            #expect(engine.calls(0) == ["cancel"])
            #expect(Self.endsInside.contains(await inner.ended().last ?? ""))
            return true
        }
    }

    /// The cancellation ends a transfer, or the engine's limit at the same instant.
    private static let endsInside = ["cancelled", "failed with timedOut"]

    private func isLate(_ dispatcher: some DataDispatcher, _ limit: Duration) async throws -> Bool {
        await dispatcher.dataFuture(from: try request("GET")).statusOrStage.hasPrefix("\(limit) ")
    }

    /// Answers the first request, and no other.
    private struct AnsweringOnce: TransferEngine {
        /// Retains the receiver of a hop's events: without it the exchange would be over.
        private struct Handle: TransferHandle {
            let onEvent: @Sendable (TransferEvent) -> Void

            func cancel() {}
        }

        let count = Locked(0)
        let status: Int
        let isWhole: Bool

        func start(
            _ request: TransferRequest, onEvent: @escaping @Sendable (TransferEvent) -> Void
        ) -> any TransferHandle {
            let isFirst = count.withLock { count in
                count += 1
                return count == 1
            }
            guard isFirst, let url = request.urlRequest.url else { return Handle(onEvent: onEvent) }
            onEvent(.head(TransferHead(url: url, status: status), request: request.urlRequest))
            onEvent(isWhole ? .finished : .body(Data("part".utf8)))
            return Handle(onEvent: onEvent)
        }

        func finishTasksAndInvalidate() {}
        func invalidateAndCancel() {}
    }

    /// Answers with an endless body, a byte every 20 ms, so that the engine's time limit never applies.
    private struct Dripping: TransferEngine {
        private struct Handle: TransferHandle {
            let task: Task<Void, Never>

            func cancel() { task.cancel() }
        }

        func start(
            _ request: TransferRequest, onEvent: @escaping @Sendable (TransferEvent) -> Void
        ) -> any TransferHandle {
            let task = Task { @concurrent in
                guard let url = request.urlRequest.url else { return }
                onEvent(.head(TransferHead(url: url, status: 200), request: request.urlRequest))
                while (try? await ContinuousClock().sleep(for: .milliseconds(20))) != nil {
                    onEvent(.body(Data([0x2E])))
                }
                onEvent(.failed(CancellationError()))
            }
            return Handle(task: task)
        }

        func finishTasksAndInvalidate() {}
        func invalidateAndCancel() {}
    }

    @Test("D1 TOTAL: the deadline also ends a body that never pauses")
    func dripping() async throws {
        let dispatcher = URLRequestDispatcher(engine: Dripping()).deadline(.milliseconds(500)).observed(by: outer)
        let ending = await dispatcher.dataFuture(from: try request("GET")).statusOrStage
        #expect(ending.hasPrefix("0.5 seconds "))
    }

    @Test("D2 PROMPT: a deadline ends an exchange in its body, too")
    func inBody() async throws {
        try await withLimit { limit in
            let network = URLRequestDispatcher(engine: AnsweringOnce(status: 200, isWhole: false))
            let observed = ObservedEvents()
            let future = network.deadline(limit).observed(by: observed).dataFuture(from: try request("GET"))
            let ending = await future.statusOrStage
            guard await observed.ended().contains("head 200") else { return false }
            #expect(ending == "\(limit) receiving")
            return true
        }
    }

    /// Calls a body with a limit, and with a longer one if the machine was too slow for it: then the body returns
    /// `false`.
    private func withLimit(_ body: (Duration) async throws -> Bool) async throws {
        for seconds in [1, 10, 100] {
            if try await body(.seconds(seconds)) { return }
        }
        Issue.record("The machine is too slow for every limit.")
    }

    @Test("D1 TOTAL: an answer in time cancels the alarm")
    func inTime() async throws {
        let future = network.deadline(Self.long).retrying().observed(by: outer).dataFuture(from: try request("GET"))
        let task = Task { await future.statusOrStage }
        await engine.started(1)
        engine.answer(0, body: "text")
        #expect(await task.value == "200")
        #expect(engine.calls(0) == [] && outer.summaries.count == 1)
    }

    @Test("R3 WHAT: a deadline of each attempt ends each attempt, and counts as a timeout")
    func attempts() async throws {
        var policy = RetryPolicy.standard
        (policy.maximumAttempts, policy.baseDelay) = (3, .milliseconds(1))
        let future = network.deadline(Self.short).retrying(policy).dataFuture(from: try request("GET"))
        let error = await #expect(throws: DeadlineExceeded.self) { try await future.value }
        #expect(error?.earlierAttempts.map(\.number) == [1, 2])
        #expect(engine.paths.count <= 3)
    }

    @Test("D1 TOTAL: a deadline around retries reports the attempts that had ended; no wait crosses it")
    func aroundRetries() async throws {
        var policy = RetryPolicy.standard
        (policy.maximumAttempts, policy.baseDelay) = (9, .milliseconds(1))
        try await withLimit { limit in
            let engine = AnsweringOnce(status: 500, isWhole: true)
            let future = URLRequestDispatcher(engine: engine).retrying(policy).deadline(limit)
                .dataFuture(from: try request("GET"))
            let result = await future.result
            guard engine.count.withLock({ $0 }) == 2 else { return false }
            let error = #expect(throws: DeadlineExceeded.self) { try result.get() }
            #expect(error?.earlierAttempts.map { $0.statusCode?.rawValue } == [500])
            return true
        }
    }

    @Test("D1 TOTAL: the earliest of nested deadlines counts", arguments: [true, false])
    func nested(isInnerEarlier: Bool) async throws {
        try await withLimit { limit in
            let engine = DirectedEngine(), inner = ObservedEvents(), network = URLRequestDispatcher(engine: engine)
            let limits = isInnerEarlier ? (limit, Self.long) : (Self.long, limit)
            let dispatcher = network.deadline(limits.0).observed(by: inner).deadline(limits.1)
            let isLate = try await isLate(dispatcher, limit)
            #expect(isLate)
            guard engine.paths.count == 1 else { return false }
            await engine.called(0, 1)
            let expected = isInnerEarlier ? ["failed with DeadlineExceeded"] : Self.endsInside
            #expect(expected.contains(await inner.ended().last ?? ""))
            return true
        }
    }

    @Test("D2 PROMPT: a deaf adapter keeps no caller waiting, however many policies surround it")
    func deafAdapter() async throws {
        let gate = Gate(), adapters = Population()
        do {
            let adapter = DeafAdapter(gate: gate, member: adapters.member())
            let deaf = URLRequestDispatcher(engine: engine, requestAdapter: adapter)
            let dispatcher = deaf.retrying().deadline(Self.short).observed(by: outer).validating()
            let ending = await dispatcher.dataFuture(from: try request("GET")).statusOrStage
            #expect(ending == "\(Self.short) waiting")
        }
        gate.open()
        // The work has ended, too.
        await adapters.extinct()
        #expect(engine.paths == [])
    }

    @Test("UP: a cancellation ends the transfer, and is no missed deadline")
    func cancel() async throws {
        let future = network.observed(by: inner).deadline(Self.long).retrying().observed(by: outer)
            .dataFuture(from: try request("GET"))
        future.send()
        await engine.started(1)
        future.cancel()
        #expect(await future.statusOrStage == "cancelled")
        await engine.called(0, 1)
        #expect(await inner.ended().last == "cancelled")
        #expect(await outer.ended().last == "cancelled")
    }

    @Test("D3 NOTHING: without time nothing is sent", arguments: [Duration.zero, .seconds(-1)])
    func nothing(limit: Duration) async throws {
        let dispatcher = network.observed(by: inner).deadline(limit).observed(by: outer)
        #expect(await dispatcher.dataFuture(from: try request("GET")).statusOrStage == "\(limit) waiting")
        #expect(engine.paths == [] && inner.words == [])
    }

    @Test("UPDATES: updates pass through all policies")
    func updates() async throws {
        var policy = RetryPolicy.standard
        policy.baseDelay = .milliseconds(1)
        let future = network.retrying(policy).deadline(Self.long).observed(by: outer).validating()
            .dataFuture(from: try request("GET"))
        let task = Task { try await future.valueAndUpdates }
        await engine.started(1)
        engine.answer(0, status: 503)
        await engine.started(2)
        engine.answer(1, body: "text")
        let (response, updates) = try await task.value
        #expect(response.head.status == 200)
        let inShort = updates.map { update in
            if case .retrying = update.stage { "again" } else { "\(update.stage)" }
        }
        #expect(inShort == ["started", "responded", "again", "started", "responded", "received"])
    }

    @Test("The same holds for uploads, a user's own policy and a mock below")
    func others() async throws {
        struct Passing: DispatcherPolicy {
            func future<Content: Sendable>(
                of exchange: PendingExchange<Content>
            ) -> ResponseFuture<Response<Content>> { exchange.makeFuture() }
        }
        let own = network.retrying().applying(Passing()).deadline(Self.long).observed(by: outer)
        let upload = own.uploadFuture(from: try request("PUT"), with: Data("body".utf8))
        let task = Task { await upload.statusOrStage }
        await engine.started(1)
        guard case .data(let body) = engine.state.withLock({ $0.hops[0].request.body }) else {
            Issue.record("no body")
            return
        }
        #expect(body == Data("body".utf8))
        engine.answer(0, status: 201)
        #expect(await task.value == "201")
        let mock = Waiting()
        mock.gate.open()
        let mocked = mock.dispatcher.retrying().deadline(Self.long).observed(by: outer)
        #expect(await mocked.dataFuture(from: try request("GET")).statusOrStage == "200")
    }
}
