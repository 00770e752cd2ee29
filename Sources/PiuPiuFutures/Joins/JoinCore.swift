internal import Foundation

/// A running join: it observes its parts, without a task for each, and settles the run of its future.
///
/// Parts begin in order. Those up to the last one with a legacy action begin on the caller (SYNC-START), where only the
/// actions run; the others on as many tasks as there are processors. Each task goes on to the next part when the work of
/// one suspends or ends. So no part can keep the join from ending (contract rule PROMPT). The tasks begin with the
/// join, and wait where a limit demands it, so that each part has the priority and the task-local values of the join
/// (INHERIT).
@usableFromInline
package final class JoinCore: OutcomeObserver {
    fileprivate struct State: Sendable {
        var machine: JoinStateMachine<Token>
        /// The tasks that begin the parts, or wait for one of them.
        var workers: [Task<Void, Never>] = []
        /// Workers that wait until a part may begin.
        var idleWorkers: [CheckedContinuation<Int?, Never>] = []
        /// The highest priority that the parts have been raised to.
        var priority: UInt8 = 0
    }

    /// How often, and for how long each time, a failure waits for an earlier part that is just beginning, and may fail
    /// too. Many short waits: on a busy machine each of them takes longer, too.
    private static let atOnce = (count: 10, time: Duration.milliseconds(10))

    private let run: FutureRun
    private let parts: JoinParts
    private let state: Locked<State>
    private let limit: Int
    private let outcome: @Sendable (JoinEnd) -> FutureRun.Outcome

    @usableFromInline
    init(
        for future: AnyResponseFuture, _ parts: JoinParts, _ policy: JoinPolicy, limit: Int?,
        outcome: @escaping @Sendable (JoinEnd) -> FutureRun.Outcome
    ) {
        run = future.run
        self.parts = parts
        self.limit = min(limit.map { max($0, 1) } ?? .max, ProcessInfo.processInfo.activeProcessorCount)
        self.outcome = outcome
        state = Locked(State(machine: JoinStateMachine(policy, count: parts.count, limit: limit)))
    }

    @usableFromInline
    package var updateReceiver: FutureRun? { run }

    // MARK: Beginning

    @usableFromInline
    func begin() {
        if let end = state.withLock({ $0.machine.endIfEmpty() }) { return FutureRun.perform(settling(end)) }
        if !run.hold(.join(self)) { return EarlyParts.callOut { FutureRun.perform(all: giveUp()) } }
        let early = parts.placesOnCaller
        guard !early.isEmpty else { return addWorkers() }
        // All are taken before the first begins: its end may wake a worker, which must begin none of them.
        let places = state.withLock { $0.machine.beginEarly(early) }
        EarlyParts.begin(places, begin: beginEarly, completion: addWorkers)
    }

    private func beginEarly(_ place: Int) {
        let outcome = parts.begin(place, self, false)
        EarlyParts.callOut {
            FutureRun.perform(handle(state.withLock { $0.machine.didBegin(place, with: outcome) }))
        }
    }

    /// Begins a part that other code can reach, or that may suspend.
    ///
    /// - Returns: its outcome, if it has one.
    @inlinable
    func observe<Value>(
        _ part: ResponseFuture<Value>, at place: Int, isHere: Bool
    ) -> FutureOutcome<any FutureValue>? {
        switch join(part, at: place) {
        case .settled(let outcome): return outcome
        case .wait: break
        case .launch: part.launchUnlessClaimed(isHere: isHere)
        }
        return nil
    }

    /// Takes a token for a part.
    @usableFromInline
    func join(_ part: AnyResponseFuture, at place: Int) -> FutureJoin<any FutureValue> {
        // It may release callbacks, and cancel the part. Only the launch of the part needs the list.
        EarlyParts.callOut { takeToken(for: part, at: place) }
    }

    private func takeToken(for part: AnyResponseFuture, at place: Int) -> FutureJoin<any FutureValue> {
        let partRun = part.run
        let join = partRun.join(below: .part(ObservedPart(self, place)))
        switch join {
        case .settled:
            break
        case .wait(let id):
            hold(Token(run: partRun, id: id), for: place)
            // Checked only now: see `FutureRun.wait(_:as:)`. A part that has ended meanwhile has notified this join.
            if partRun.dependsOn(run), let aftermath = partRun.leaving(id) {
                FutureRun.perform(aftermath)
                return .settled(.failure(FutureError.waitsForItself))
            }
            partRun.escalateToCurrentTask()
        case .launch(let id):
            hold(Token(run: partRun, id: id), for: place)
            // The join fulfills the part, which fails with it, and isn't given up before: that would cancel it.
            if partRun.dependsOn(run), partRun.silence(id) {
                return .settled(.failure(FutureError.waitsForItself))
            }
        }
        return join
    }

    private func hold(_ token: Token, for place: Int) {
        let (isHeld, priority) = state.withLock { ($0.machine.hold(token, for: place), $0.priority) }
        guard isHeld else { return token.run.leave(token.id) }
        if let priority = FutureRun.missedPriority(priority) { FutureRun.escalate([token.run], to: priority) }
    }

    // MARK: Workers

    private func addWorkers() {
        for _ in 0..<min(limit, state.withLock { $0.machine.unbegunCount }) { addTask { await $0.work() } }
    }

    /// Adds a task that ends with the join.
    private func addTask(_ work: @escaping @Sendable (JoinCore) async -> Void) {
        let worker = Task { @concurrent in await work(self) }
        let (isTooLate, priority) = state.withLock { state in
            if !state.machine.isEnded { state.workers.append(worker) }
            return (state.machine.isEnded, state.priority)
        }
        if isTooLate { return worker.cancel() }
        if let priority = FutureRun.missedPriority(priority) { WorkTask.handle(worker).escalate(to: priority) }
    }

    private func work() async {
        while let place = await nextPlace() {
            var next: Int? = place
            while let place = next {
                let outcome = parts.begin(place, self, true)
                let decision: JoinStateMachine<Token>.Decision
                (decision, next) = state.withLock { state in
                    (state.machine.didBegin(place, with: outcome), state.machine.beginNext())
                }
                // This worker begins the next part itself.
                if case .beginNext = decision { continue }
                FutureRun.perform(handle(decision))
            }
        }
    }

    /// The next part for a worker; suspends until it may begin. `nil` ends the worker.
    private func nextPlace() async -> Int? {
        await withCheckedContinuation { worker in
            let (place, mustWait) = state.withLock { state in
                let place = state.machine.beginNext()
                let mustWait = place == nil && state.machine.unbegunCount > 0
                if mustWait { state.idleWorkers.append(worker) }
                return (place, mustWait)
            }
            if !mustWait { worker.resume(returning: place) }
        }
    }

    /// Lets a waiting worker begin the next part; one that doesn't wait takes it by itself.
    private func wakeWorker() {
        let next = state.withLock { state -> (worker: CheckedContinuation<Int?, Never>, place: Int)? in
            guard !state.idleWorkers.isEmpty, let place = state.machine.beginNext() else { return nil }
            return (state.idleWorkers.removeLast(), place)
        }
        if let next { next.worker.resume(returning: next.place) }
    }

    // MARK: Ending

    @usableFromInline
    package func didSettle(_ place: Int, with outcome: FutureOutcome<any FutureValue>) -> [FutureRun.Aftermath] {
        if case .success(let value) = outcome { parts.keep(place, value) }
        return handle(state.withLock { $0.machine.didEnd(place, with: outcome.withoutValue) }).map { [$0] } ?? []
    }

    /// Nothing waits for the join but the awaiters of its future.
    @usableFromInline
    package func resumeWaiters() {}

    private func handle(_ decision: JoinStateMachine<Token>.Decision) -> FutureRun.Aftermath? {
        switch decision {
        case .none:
            return nil
        case .beginNext:
            wakeWorker()
            return nil
        case .askAgain:
            addTask { core in
                for _ in 0..<Self.atOnce.count {
                    guard (try? await Task.sleep(for: Self.atOnce.time)) != nil else { return }
                }
                FutureRun.perform(core.handle(core.state.withLock { $0.machine.decideNow() }))
            }
            return nil
        case .end(let end):
            return settling(end)
        }
    }

    private func settling(_ end: JoinEnd) -> FutureRun.Aftermath? {
        let outcome = outcome(end)
        parts.release()
        return run.settling(outcome)
    }

    /// Abandons the parts: those that have not begun stay cold, and running ones are cancelled, unless somebody else is
    /// interested in them (contract rules EARLY and INTEREST).
    func giveUp() -> [FutureRun.Aftermath] {
        let (tokens, workers, idleWorkers) = state.withLock { state in
            defer { (state.workers, state.idleWorkers) = ([], []) }
            return (state.machine.giveUp(), state.workers, state.idleWorkers)
        }
        Trampoline.cancel(workers.map(WorkTask.handle))
        for worker in idleWorkers { worker.resume(returning: nil) }
        parts.release()
        return tokens.compactMap { $0.giveUp() }
    }

    /// Raises the priority of the tasks that begin the parts.
    ///
    /// - Returns: the runs of the parts.
    func escalate(to priority: TaskPriority) -> [FutureRun] {
        let (tokens, workers) = state.withLock { state in
            state.priority = max(state.priority, priority.rawValue)
            return (state.machine.heldTokens(), state.workers)
        }
        for worker in workers { WorkTask.handle(worker).escalate(to: priority) }
        return tokens.map(\.run)
    }

    /// The runs of the running parts, as many as the limit at most.
    func runs(_ limit: Int) -> [FutureRun] { state.withLock { $0.machine.heldTokens(limit) }.map(\.run) }
}
