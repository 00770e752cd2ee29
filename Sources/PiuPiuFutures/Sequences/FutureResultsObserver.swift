/// Observes the futures of one iterator, without a task for each, and keeps their results until they are asked for.
@usableFromInline
final class FutureResultsObserver: OutcomeObserver {
    @usableFromInline typealias Delivery = FutureResultsDelivery<any FutureValue>
    typealias Machine = FutureResultsStateMachine<any FutureValue, Token, Consumer>

    fileprivate typealias Served = [(consumer: Consumer, delivery: Delivery?)]

    fileprivate struct State: Sendable {
        var machine: Machine
        /// Consumers to resume as soon as all states have changed.
        var served: Served = []
        /// The task that has last asked for a result.
        var task = TaskIdentity.none
        /// Whether a future may have begun to wait for that task while it was doing something else.
        var mustSearch = false
    }

    private let state: Locked<State>

    @usableFromInline
    init(order: FutureResultsOrder, limit: Int?, stopsAtFailure: Bool) {
        state = Locked(State(machine: Machine(order: order, limit: limit, stopsAtFailure: stopsAtFailure)))
    }

    @usableFromInline
    package var updateReceiver: FutureRun? { nil }

    /// Returns what to do to get the next result.
    @usableFromInline
    func next() -> FutureResultsStep<any FutureValue> { state.withLock { $0.machine.next() } }

    @usableFromInline
    func sourceEnded() {
        FutureRun.perform(all: perform { $0.sourceEnded() })
        resumeWaiters()
    }

    /// A future that the sequence has a token for.
    @usableFromInline
    struct Place {
        fileprivate let token: Token
        fileprivate let offset: Int
        /// The task that iterates.
        fileprivate let task: TaskIdentity
    }

    /// Takes a token for the future (contract rule INTEREST), unless the sequence has come to its end (EARLY).
    ///
    /// - Returns: its place, if the caller has to launch it, with its own priority and task-local values (INHERIT).
    @usableFromInline
    func join(_ future: AnyResponseFuture) -> Place? {
        let task = TaskIdentity.current ?? .none
        let offset = state.withLock { state -> Int? in
            state.task = task
            return state.machine.mayBegin ? state.machine.begin() : nil
        }
        guard let offset else { return nil }
        let run = future.run
        switch run.join(.part(ObservedPart(self, offset))) {
        case .settled(let outcome):
            FutureRun.perform(all: didSettle(offset, with: outcome))
            resumeWaiters()
            return nil
        case .wait(let id):
            let place = hold(Token(run: run, id: id), at: offset, for: task)
            run.escalateToCurrentTask()
            endIfItWaitsForItself(place)
            return nil
        case .launch(let id):
            run.escalateToRaisedTask()
            return hold(Token(run: run, id: id), at: offset, for: task)
        }
    }

    private func hold(_ token: Token, at offset: Int, for task: TaskIdentity) -> Place {
        if !state.withLock({ $0.machine.adopt(token, at: offset) }) { FutureRun.perform(token.giveUp()) }
        return Place(token: token, offset: offset, task: task)
    }

    /// Ends a running future, if the task that iterates works for it, or for one that it waits for: no awaiter would ever be
    /// resumed. Checked only when it is running: see `FutureRun.wait(_:as:)`.
    @usableFromInline
    func endIfItWaitsForItself(_ place: Place) {
        guard place.task != .none, place.token.run.dependsOn(place.task) else { return }
        FutureRun.perform(place.token.giveUp())
        FutureRun.perform(all: didSettle(place.offset, with: .failure(FutureError.waitsForItself)))
        resumeWaiters()
    }

    /// Suspends until there is a result, or room for one more future: then it returns `nil`. Cancelling the waiting task
    /// ends the whole sequence.
    @usableFromInline
    func delivery() async -> Delivery? {
        await withTaskCancellationHandler {
            guard #available(macOS 26, iOS 26, tvOS 26, watchOS 26, visionOS 26, *) else { return await suspend() }
            return await withTaskPriorityEscalationHandler {
                if let priority = FutureRun.raisedPriority { escalate(to: priority) }
                return await suspend()
            } onPriorityEscalated: { _, priority in
                escalate(to: priority)
            }
        } onCancel: {
            cancel()
        }
    }

    /// Raises the running futures, as the task that waits for them was (contract rule ESCALATE).
    private func escalate(to priority: TaskPriority) {
        FutureRun.escalate(state.withLock { $0.machine.runningChildren }.map(\.run), to: priority)
    }

    private func suspend() async -> Delivery? {
        await withCheckedContinuation { continuation in
            let consumer = Consumer(continuation), task = TaskIdentity.current ?? .none
            let (step, suspects) = state.withLock { $0.wait(consumer, in: task) }
            switch step {
            case .readSource: consumer.resume(returning: nil)
            case .deliver(let delivery): consumer.resume(returning: delivery)
            case .wait:
                for (offset, token) in suspects {
                    endIfItWaitsForItself(Place(token: token, offset: offset, task: task))
                }
            }
        }
    }

    /// A task that iterates, but isn't suspended, may leave the loop: then it waits for nothing.
    @usableFromInline
    package func isAwaited(by task: TaskIdentity) -> Bool {
        state.withLock { state in
            guard state.task == task else { return false }
            if state.machine.hasConsumers { return true }
            state.mustSearch = true
            return false
        }
    }

    /// Abandons the running futures: they are cancelled if nobody else is interested in them (contract rule DOWN).
    @usableFromInline
    func cancel() {
        FutureRun.perform(all: perform { $0.cancel() })
        resumeWaiters()
    }

    @usableFromInline
    package func didSettle(_ place: Int, with outcome: FutureOutcome<any FutureValue>) -> [FutureRun.Aftermath] {
        perform { $0.finish(place, with: outcome.result) }
    }

    @usableFromInline
    package func resumeWaiters() {
        for (consumer, delivery) in state.withLock({ $0.takeServed() }) { consumer.resume(returning: delivery) }
    }

    private func perform(_ change: (inout Machine) -> Machine.Effects) -> [FutureRun.Aftermath] {
        let effects = state.withLock { state in
            let effects = change(&state.machine)
            if state.served.isEmpty { state.served = effects.deliveries } else { state.served += effects.deliveries }
            return effects
        }
        return effects.cancelledChildren.compactMap { $0.giveUp() }
    }
}

extension FutureResultsObserver.State {
    /// Enqueues a consumer; the futures are those that may wait for its task.
    mutating func wait(
        _ consumer: Consumer, in task: TaskIdentity
    ) -> (FutureResultsObserver.Machine.Step, suspects: [(offset: Int, child: Token)]) {
        defer { mustSearch = false }
        self.task = task
        return (machine.wait(consumer), mustSearch ? machine.runningPlaces : [])
    }

    mutating func takeServed() -> FutureResultsObserver.Served {
        defer { served = [] }
        return served
    }
}

/// A task that is suspended until there is a result, behind one reference; see ``Awaiter``.
final class Consumer: Sendable {
    private let continuation: CheckedContinuation<FutureResultsObserver.Delivery?, Never>

    init(_ continuation: CheckedContinuation<FutureResultsObserver.Delivery?, Never>) {
        self.continuation = continuation
    }

    func resume(returning delivery: FutureResultsObserver.Delivery?) {
        continuation.resume(returning: delivery)
    }
}
