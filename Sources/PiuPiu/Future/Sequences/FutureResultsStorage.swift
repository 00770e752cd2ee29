/// What an iterator over futures' results shares with the tasks that await the futures: the state, behind a lock.
struct FutureResultsStorage<Success: Sendable>: Sendable {
    typealias Delivery = FutureResultsDelivery<Success>
    typealias Machine = FutureResultsStateMachine<Success, Task<Void, Never>, CheckedContinuation<Delivery, Never>>

    private let machine: Locked<Machine>

    init(order: FutureResultsOrder, limit: Int?, stopsAtFailure: Bool) {
        machine = Locked(Machine(order: order, limit: limit, stopsAtFailure: stopsAtFailure))
    }

    /// Says what to do to come to the next result.
    func next() -> Machine.Step { machine.withLock { $0.next() } }

    func sourceEnded() { machine.withLock { $0.sourceEnded() } }

    /// Starts the future, in a task of its own that has the priority and the task-local values of the caller (contract
    /// rule INHERIT). A task is the right kind of interest: it leaves the future to others when it is cancelled (SHARED).
    func start(_ future: ResponseFuture<Success>) {
        let offset = machine.withLock { $0.begin() }
        let child = Task { @concurrent in
            let result = await future.result
            perform(machine.withLock { $0.finish(offset, with: result) })
        }
        if !machine.withLock({ $0.adopt(child, at: offset) }) { child.cancel() }
    }

    /// Suspends until there is a result; cancelling the task that waits ends the whole sequence.
    func delivery() async -> Delivery {
        await withTaskCancellationHandler {
            await withCheckedContinuation { consumer in
                if let delivery = machine.withLock({ $0.wait(consumer) }) { consumer.resume(returning: delivery) }
            }
        } onCancel: {
            cancel()
        }
    }

    /// Cancels what still runs; the futures themselves are cancelled if nobody else is interested (contract rule DOWN).
    func cancel() {
        perform(machine.withLock { $0.cancel() })
    }

    private func perform(_ effects: Machine.Effects) {
        for child in effects.cancelledChildren { child.cancel() }
        for (consumer, delivery) in effects.deliveries { consumer.resume(returning: delivery) }
    }
}
