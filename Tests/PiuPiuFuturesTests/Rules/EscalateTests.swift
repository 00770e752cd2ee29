import Dispatch
import PiuPiu
import TestSupport
import Testing

/// A future has to do what a plain `Task` does on this platform.
@Suite("ESCALATE", .timeLimit(.minutes(10)))
struct EscalateTests {
    /// Work that begins at the lowest priority and waits for a higher one.
    @available(macOS 26, iOS 26, tvOS 26, watchOS 26, visionOS 26, *)
    private final class Work: Sendable {
        private let begun = Gate()
        private let raised = Gate()
        private let log = EventLog()

        /// Ends when its priority is raised, or the test releases it, and logs its priority.
        func run() async -> Int {
            let before = Task.currentPriority
            await withTaskPriorityEscalationHandler {
                begun.open()
                await raised.pass()
            } onPriorityEscalated: { _, new in
                if new >= .high { self.raised.open() }
            }
            log("\(before == .background), \(Task.currentPriority >= .high)")
            return 1
        }

        func future() -> ResponseFuture<Int> {
            ResponseFuture { await self.run() }
        }

        /// Suspends until the work waits.
        func reached() async {
            await begun.opened()
            await raised.reached()
        }

        /// Lets the work end, although nothing has raised its priority.
        func release() { raised.open() }

        /// Whether it began at the lowest priority, and whether it ended at a high one.
        var outcome: String { get async { await log.all(1).first ?? "nothing" } }
    }

    /// The outcome of a plain task, which is expected of a future too.
    @available(macOS 26, iOS 26, tvOS 26, watchOS 26, visionOS 26, *)
    private static func outcomeOfPlainTask() async -> String {
        let work = Work(), ended = Gate()
        let task = Task(priority: .background) { await work.run() }
        await work.reached()
        Task.immediate(priority: .high) {
            _ = await task.value
            ended.open()
        }
        // An await that raises the priority has done so by now.
        work.release()
        await ended.opened()
        return await work.outcome
    }

    /// Starts the future in a task of the lowest priority.
    private static func start(_ future: ResponseFuture<Int>, isSent: Bool) {
        Task(priority: .background) {
            if isSent { future.send() } else { _ = await future.result }
        }
    }

    @available(macOS 26, iOS 26, tvOS 26, watchOS 26, visionOS 26, *)
    private static func awaitHighly(_ future: ResponseFuture<Int>) {
        Task.immediate(priority: .high) { _ = await future.result }
    }

    /// Releases the work at once if the platform raises no priority, so that nothing waits for it.
    @available(macOS 26, iOS 26, tvOS 26, watchOS 26, visionOS 26, *)
    private static func expect(_ works: [Work], _ expected: String) async {
        if expected != "true, true" { for work in works { work.release() } }
        for work in works { #expect(await work.outcome == expected) }
    }

    /// Starts the future at the lowest priority, and awaits it at a high one as soon as the works wait.
    @available(macOS 26, iOS 26, tvOS 26, watchOS 26, visionOS 26, *)
    private static func expect(
        _ works: [Work], raisedThrough future: ResponseFuture<Int>, isSent: Bool, _ expected: String
    ) async {
        start(future, isSent: isSent)
        for work in works { await work.reached() }
        awaitHighly(future)
        await expect(works, expected)
    }

    @Test(
        "ESCALATE: an awaiter with a higher priority raises the work's, sent or awaited",
        arguments: Holding.reachable, [true, false])
    func operation(holding: Holding, isSent: Bool) async throws {
        guard #available(macOS 26, iOS 26, tvOS 26, watchOS 26, visionOS 26, *) else { return }
        let expected = await Self.outcomeOfPlainTask()
        let work = Work(), keeper = Keeper<Int>(holding)
        defer { work.release() }
        Task(priority: .background) {
            if isSent { keeper.keep(work.future()).send() } else { _ = try await keeper.keep(work.future()).value }
        }
        await work.reached()
        Self.awaitHighly(try #require(keeper.future))
        await Self.expect([work], expected)
    }

    /// The links between the work and its awaiter.
    enum Shape: CaseIterable, Sendable {
        case then, transforms, flatMap, queued, head, side, array, race, firstSuccess, source

        func future(_ part: consuming ResponseFuture<Int>, _ other: consuming ResponseFuture<Int>) -> ResponseFuture<
            Int
        > {
            switch self {
            case .then: return (consume part).then { $0 + 1 }
            case .transforms: return (consume part).then { $0 }.thenResult { try $0.get() }.map { $0 }
            case .flatMap:
                let part = consume part
                return ResponseFuture { 1 }.flatMap { _ in part }.then { $0 }
            case .queued: return (consume part).then(on: .global()) { $0 }
            case .head: return (consume part).join(consume other).then { $0.0 }
            case .side: return (consume other).join(consume part).then { $0.1 }
            case .array: return ResponseFuture<[Int]>(childFutures: [consume other, consume part]).then { $0[1] }
            case .race: return ResponseFuture.race(consume other, consume part)
            case .firstSuccess: return ResponseFuture.firstSuccess(of: consume other, consume part)
            case .source:
                let part = consume part
                return ResponseFuture<Int> { (target: ResponseFuture<Int>) in part.fulfill(target) }
            }
        }
    }

    @Test(
        "ESCALATE: an awaiter of whatever is made from the work raises it too", arguments: Shape.allCases,
        Holding.allCases)
    func through(shape: Shape, holding: Holding) async throws {
        guard #available(macOS 26, iOS 26, tvOS 26, watchOS 26, visionOS 26, *) else { return }
        let expected = await Self.outcomeOfPlainTask()
        for isSent in [true, false] {
            let work = Work(), otherGate = Gate(), keeper = Keeper<Int>(holding)
            defer {
                work.release()
                otherGate.open()
            }
            let future = shape.future(keeper.keep(work.future()), waiting(at: otherGate))
            await Self.expect([work], raisedThrough: future, isSent: isSent, expected)
        }
    }

    @Test("ESCALATE: the priority of every part of a join is raised")
    func parts() async throws {
        guard #available(macOS 26, iOS 26, tvOS 26, watchOS 26, visionOS 26, *) else { return }
        let expected = await Self.outcomeOfPlainTask()
        let works = (0..<6).map { _ in Work() }
        defer { for work in works { work.release() } }
        let future = works[0].future().join(works[1].future().then { $0 }, works[2].future())
            .parallelJoin { ResponseFuture<[Int]>(childFutures: works[3...].map { $0.future() }) }
            .then { _ in 1 }
        await Self.expect(works, raisedThrough: future, isSent: true, expected)
    }

    @Test("ESCALATE: a part that was raised before keeps no other part of its join low", arguments: 0..<3)
    func raisedPart(index: Int) async throws {
        guard #available(macOS 26, iOS 26, tvOS 26, watchOS 26, visionOS 26, *) else { return }
        let expected = await Self.outcomeOfPlainTask()
        let works = (0..<3).map { _ in Work() }, parts = works.map { $0.future() }
        defer { for work in works { work.release() } }
        let future = ResponseFuture<[Int]>(childFutures: parts).then { _ in 1 }
        Self.start(future, isSent: true)
        for work in works { await work.reached() }
        Self.awaitHighly(parts[index])
        // Each await that raises a priority has done so when it returns, so no work can hang here.
        Self.awaitHighly(future)
        for work in works { work.release() }
        await Self.expect(works, expected)
    }

    @Test(
        "ESCALATE: a future made from the work, and started with a higher priority, raises it as well",
        arguments: [true, false])
    func child(isSent: Bool) async throws {
        guard #available(macOS 26, iOS 26, tvOS 26, watchOS 26, visionOS 26, *) else { return }
        let expected = await Self.outcomeOfPlainTask()
        let work = Work(), future = work.future()
        defer { work.release() }
        Self.start(future, isSent: true)
        await work.reached()
        let child = future.then { $0 + 1 }
        if isSent { Task(priority: .high) { child.send() } } else { Self.awaitHighly(child) }
        if isSent {
            // A send is no await, but an await of the child must raise all above it.
            Self.awaitHighly(child)
        }
        await Self.expect([work], expected)
    }

    @Test("ESCALATE: a transform after raised work runs with the raised priority")
    func laterTransform() async throws {
        guard #available(macOS 26, iOS 26, tvOS 26, watchOS 26, visionOS 26, *) else { return }
        guard await Self.outcomeOfPlainTask() == "true, true" else { return }
        let work = Work(), log = EventLog()
        defer { work.release() }
        let future = work.future().then { number in
            log("\(Task.currentPriority >= .high)")
            return number
        }
        Self.start(future, isSent: true)
        await work.reached()
        Self.awaitHighly(future)
        #expect(await log.all(1) == ["true"])
    }

    /// How an operation awaits another future.
    enum Wait: CaseIterable, Sendable {
        case value, results, values

        func operation(_ inner: ResponseFuture<Int>) -> ResponseFuture<Int> {
            switch self {
            case .value: ResponseFuture { try await inner.value }
            case .results: ResponseFuture { await [inner].resultsInCompletionOrder().reduce(0) { sum, _ in sum + 1 } }
            case .values: ResponseFuture { try await [inner].valuesInOrder().reduce(0, +) }
            }
        }
    }

    @Test(
        "ESCALATE: an operation that awaits another future passes on what it is raised to", arguments: Wait.allCases,
        [true, false])
    func throughOperation(wait: Wait, isRunning: Bool) async throws {
        guard #available(macOS 26, iOS 26, tvOS 26, watchOS 26, visionOS 26, *) else { return }
        let expected = await Self.outcomeOfPlainTask()
        let work = Work(), inner = work.future(), future = wait.operation(inner)
        defer { work.release() }
        if isRunning {
            Self.start(inner, isSent: true)
            await work.reached()
        }
        await Self.expect([work], raisedThrough: future, isSent: true, expected)
    }

    @Test("ESCALATE: work that is started by an awaiter, or for one, that was raised before begins raised")
    func startedByRaised() async throws {
        guard #available(macOS 26, iOS 26, tvOS 26, watchOS 26, visionOS 26, *) else { return }
        guard await Self.outcomeOfPlainTask() == "true, true" else { return }
        for (wait, suspends) in Wait.allCases.map({ ($0, true) }) + [(.value, false)] {
            let gate = Gate(), log = EventLog()
            let inner = ResponseFuture {
                if suspends { await Task {}.value }
                log("\(Task.currentPriority >= .high)")
                return 1
            }
            let low = Task(priority: .background) {
                await gate.pass()
                switch wait {
                case .value: _ = await inner.result
                case .results: for await _ in [inner].resultsInCompletionOrder() {}
                case .values: for try await _ in [inner.then { $0 }].valuesInOrder() {}
                }
            }
            await gate.reached()
            Task.immediate(priority: .high) { _ = await low.result }
            gate.open()
            #expect(await log.all(1) == ["true"], "\(wait)")
        }
    }

    @Test("ESCALATE, SHARED: an awaiter with a lower priority lowers nothing")
    func noLowering() async throws {
        guard #available(macOS 26, iOS 26, tvOS 26, watchOS 26, visionOS 26, *) else { return }
        let begun = Gate(), end = Gate(), log = EventLog()
        let future = ResponseFuture {
            begun.open()
            await end.pass()
            log("\(Task.currentPriority >= .high)")
        }
        Task.immediate(priority: .high) { _ = await future.result }
        await begun.opened()
        Task.immediate(priority: .background) { _ = await future.result }
        end.open()
        #expect(await log.all(1) == ["true"])
    }
}
