import Dispatch
import Foundation
import PiuPiu
import TestSupport
import Testing

/// Everything here happens while work that ignores cancellation is in flight.
@Suite("PROMPT: an await of work that ignores cancellation ends with its task", .timeLimit(.oneProcessAtATime))
struct PromptAwaitTests {
    /// The awaited future: the deaf one, or one made from it.
    enum Shape: CaseIterable, Sendable {
        case itself, then, queued, thenResult, flatMap, join, array, race

        func future(_ deaf: consuming ResponseFuture<Int>) -> ResponseFuture<Int> {
            switch self {
            case .itself: return consume deaf
            case .then: return (consume deaf).then { $0 + 1 }.then { $0 }
            case .queued: return (consume deaf).then(on: .global()) { $0 }
            case .thenResult: return (consume deaf).thenResult { try $0.get() }
            case .flatMap:
                let deaf = consume deaf
                return ResponseFuture { 1 }.flatMap { _ in deaf }
            case .join: return (consume deaf).join(ResponseFuture { 1 }).then { $0.0 }
            case .array: return ResponseFuture<[Int]>(childFutures: [consume deaf]).then { $0[0] }
            case .race: return ResponseFuture.race([consume deaf])
            }
        }
    }

    @Test(
        "PROMPT, DOWN: an await whose task is cancelled ends at once", arguments: Shape.allCases, Holding.allCases)
    func cancelledAwait(shape: Shape, holding: Holding) async {
        for kind in DeafWork.Kind.allCases {
            for isVariable in [true, false] {
                let deaf = DeafWork(kind), keeper = Keeper<Int>(holding)
                defer { deaf.release() }
                let task = Awaiting(isVariable: isVariable) { shape.future(keeper.keep(deaf.future())) }
                await deaf.reached()
                task.cancel()
                #expect(await task.ending == "cancelled", "\(kind)")
                await keeper.cancelled()
            }
        }
    }

    @Test("PROMPT, DOWN: so does an await on the main actor", arguments: DeafWork.Kind.allCases, Holding.allCases)
    func onMainActor(kind: DeafWork.Kind, holding: Holding) async {
        let deaf = DeafWork(kind), keeper = Keeper<Int>(holding), log = EventLog()
        defer { deaf.release() }
        let task = Task { @MainActor in
            do { _ = try await keeper.keep(deaf.future()).value } catch { log("\(error is CancellationError)") }
        }
        await deaf.reached()
        task.cancel()
        #expect(await log.all(1) == ["true"])
    }

    @Test(
        "PROMPT, UP: a cancelled future's callbacks and awaiters are notified at once",
        arguments: Shape.allCases, Holding.allCases)
    func cancelledFuture(shape: Shape, holding: Holding) async {
        for kind in DeafWork.Kind.allCases {
            let deaf = DeafWork(kind), keeper = Keeper<Int>(holding), log = EventLog()
            defer { deaf.release() }
            let future = shape.future(keeper.keep(deaf.future()))
                .onCancellation { log("cancellation") }.onCompletion { log("completion") }
            future.send()
            await deaf.reached()
            future.cancel()
            #expect(future.status == .cancelled)
            #expect(await log.all(2) == ["cancellation", "completion"])
            if let future = keeper.future { #expect(future.status == .cancelled) }
        }
    }

    @Test(
        "PROMPT, GROUPS: a deaf child doesn't hold up a task group that fails",
        arguments: DeafWork.Kind.allCases, Holding.allCases)
    func taskGroup(kind: DeafWork.Kind, holding: Holding) async {
        let deaf = DeafWork(kind), keeper = Keeper<Int>(holding), log = EventLog(), gate = Gate()
        defer { deaf.release() }
        Task {
            do {
                try await withThrowingTaskGroup(of: Int.self) { group in
                    group.addFuture(keeper.keep(deaf.future()))
                    group.addFuture(waiting(at: gate).then { _ in throw Mishap(number: 3) })
                    for try await _ in group {}
                }
            } catch {
                log("\(error)")
            }
        }
        await deaf.reached()
        gate.open()
        #expect(await log.all(1) == ["Mishap(number: 3)"])
    }

    @Test(
        "PROMPT: a transform on a queue may go on, but nobody waits for it",
        arguments: Holding.allCases, [true, false])
    func queuedTransform(holding: Holding, isAwaited: Bool) async {
        let keeper = Keeper<Int>(holding), entered = Gate(), log = EventLog(), end = DispatchSemaphore(value: 0)
        defer { end.signal() }
        let queue = DispatchQueue(label: "slow")
        let make = { @Sendable in
            keeper.keep(
                ResponseFuture { 1 }.then(on: queue) { number in
                    entered.open()
                    end.wait()
                    return number
                })
        }
        if isAwaited {
            let task = Awaiting { make().then { $0 } }
            await entered.opened()
            task.cancel()
            #expect(await task.ending == "cancelled")
        } else {
            let future = make().then { $0 }.onCompletion { log("completion") }
            future.send()
            await entered.opened()
            future.cancel()
            await log.wait(for: 1)
            #expect(future.status == .cancelled)
        }
        await keeper.cancelled()
    }

    @Test(
        "PROMPT, GROUPS: an iteration that fails, or is cancelled, ends at once", arguments: Holding.allCases,
        [true, false])
    func iteration(holding: Holding, isCancelled: Bool) async {
        for kind in DeafWork.Kind.allCases {
            let deaf = DeafWork(kind), keeper = Keeper<Int>(holding), log = EventLog(), gate = Gate()
            defer { deaf.release() }
            let task = Task {
                do {
                    let futures = [
                        keeper.keep(deaf.future()), waiting(at: gate).then { _ in throw Mishap(number: 3) },
                    ]
                    for try await _ in futures.valuesInCompletionOrder() {}
                    log("end")
                } catch {
                    log("\(error)")
                }
            }
            await deaf.reached()
            if isCancelled { task.cancel() } else { gate.open() }
            let endings = isCancelled ? ["end", "\(CancellationError())"] : ["Mishap(number: 3)"]
            #expect(endings.contains(await log.all(1).first ?? "nothing"), "\(kind)")
        }
    }

    /// How a future with a blocking callback begins.
    enum Beginning: String, CaseIterable, Sendable {
        case synchronous, asynchronous, firstOfJoin

        /// Awaits a future whose callback blocks a thread of the pool until the awaiter, or the next part of the join,
        /// has continued.
        func check() async throws {
            let goesOn = DispatchSemaphore(value: 0), log = EventLog()
            let future =
                switch self {
                case .synchronous, .firstOfJoin: ResponseFuture { 1 }
                case .asynchronous: ResponseFuture { () async throws -> Int in 1 }
                }
            // Longer than anything takes here, so a wait for it would show.
            _ = future.onSuccess { _ in log(goesOn.wait(timeout: .now() + 300) == .success ? "in time" : "late") }
            if case .firstOfJoin = self {
                let next = ResponseFuture { goesOn.signal() }.then { 2 }
                let joined = ResponseFuture<[Int]>(childFutures: [future, next], limit: 1)
                try #require(await joined.then { $0[1] }.ending == "value 2")
            } else {
                try #require(await future.ending == "value 1")
                goesOn.signal()
            }
            try #require(await log.all(1) == ["in time"])
        }
    }

    #if os(Linux) || os(macOS)
        // In a process of its own, as it blocks a thread of the pool, which may have only two.
        @Test(
            "PROMPT: neither an awaiter nor the next part of a join waits for a callback", .oneProcessAtATime,
            .enabled(if: ProcessInfo.processInfo.activeProcessorCount > 1), arguments: Beginning.allCases)
        func blockingCallback(beginning: Beginning) async {
            await #expect(processExitsWith: .success) { [name = beginning.rawValue as String] in
                try await #require(Beginning(rawValue: name)).check()
            }
        }
    #endif
}
