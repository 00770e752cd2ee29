import PiuPiu
import PiuPiuTesting
import TestSupport

/// Takes the steps of a random program's tasks.
extension RandomProgramRun {
    /// Takes a step that is over when this returns, except for an awaiter, which has reached its await.
    func performAtOnce(_ step: RandomProgram.Step, _ futures: RandomProgramFutures) -> RandomProgramAwaiter? {
        switch step {
        case .send(let node): futures.handle(node).map { send($0, node) }
        case .cancel(let node): futures.handle(node).map { cancel($0, node) }
        case .settle(let node, let ending): futures.handle(node)?.settle(ending)
        case .attach(let node, let family): futures.handle(node).map { _ = attach(family, to: $0, node, futures) }
        case .open(let node): probe.open(node)
        case .hold(let node): futures.handle(node).map { futures.registry.hold($0, as: node) }
        case .letGo(let node): futures.registry.letGo(of: node)
        case .make(let node, .held): futures.registry.hold(futures.future(node), as: node)
        case .make(let node, .dropped): _ = futures.future(node)
        case .make(let node, .sent(let family, _)): makeAndSend(node, family, futures)
        case .await(let node, let isolation):
            return RandomProgramAwaiter(atOnce: awaiting(node, on: isolation) { futures.handle(node) })
        case .awaitAndBeCancelled(let node, let isolation, let isLate):
            let awaiting = awaiting(node, on: isolation, isCancelled: true) { futures.handle(node) }
            let awaiter = isLate ? RandomProgramAwaiter(atOnce: awaiting) : RandomProgramAwaiter(awaiting)
            awaiter.cancel()
            return awaiter
        case .make(_, .awaited), .sendOnMainActor, .cancelOnMainActor, .disturbAfterEnd, .collision: break
        }
        return nil
    }

    func perform(
        _ step: RandomProgram.Step, _ futures: RandomProgramFutures, in awaiters: inout DiscardingTaskGroup
    ) async {
        switch step {
        case .await(let node, let isolation):
            let awaiting = awaiting(node, on: isolation) { futures.handle(node) }
            awaiters.addTask { await awaiting() }
        case .make(let node, .awaited(isCancelled: false)):
            let awaiting = awaiting(node) { futures.future(node) }
            awaiters.addTask { await awaiting() }
        case .awaitAndBeCancelled(let node, let isolation, let isLate):
            let awaiter = RandomProgramAwaiter(
                awaiting(node, on: isolation, isCancelled: true) { futures.handle(node) })
            if !isLate { awaiter.cancel() }
            awaiters.addTask { await awaiter.cancelled() }
        case .make(let node, .awaited(isCancelled: true)):
            let awaiter = RandomProgramAwaiter(awaiting(node, isCancelled: true) { futures.future(node) })
            awaiters.addTask { await awaiter.cancelled() }
        case .disturbAfterEnd(let node, let family):
            let isEarly = endsEarly[node]
            if isEarly { earlyAwaits.add() }
            awaiters.addTask {
                await disturbAfterEnd(node, family, futures)
                if isEarly { earlyAwaits.end() }
            }
        case .sendOnMainActor(let node, let family): await sendOnMainActor(node, family, futures)
        case .cancelOnMainActor(let node): await cancelOnMainActor(node, futures)
        case .make(let node, .sent(let family, onMainActor: true)):
            await sendOnMainActor(futures.future(node), node, family, futures)
        case .collision(let one, let other, let lead):
            for awaiter in await collide(one, other, lead, futures) { awaiters.addTask { await awaiter.ended() } }
        case .send, .cancel, .settle, .attach, .open, .hold, .letGo, .make:
            _ = performAtOnce(step, futures)
        }
    }

    /// Takes two steps on two threads at the same moment.
    private func collide(
        _ one: RandomProgram.Step, _ other: RandomProgram.Step, _ lead: Int, _ futures: RandomProgramFutures
    ) async -> [RandomProgramAwaiter] {
        let awaiters = Locked<[RandomProgramAwaiter]>([])
        await RandomProgramCollision.run(
            lead: lead,
            { performAtOnce(one, futures).map { awaiter in awaiters.withLock { $0.append(awaiter) } } },
            { performAtOnce(other, futures).map { awaiter in awaiters.withLock { $0.append(awaiter) } } })
        return awaiters.withLock { $0 }
    }

    // MARK: Steps on a future

    /// A closure that awaits a node; counted from now on if it is to end early.
    private func awaiting(
        _ node: Int, on isolation: RandomProgram.Isolation = .background, isCancelled: Bool = false,
        _ future: @escaping @Sendable () -> ResponseFuture<Int>?
    ) -> @Sendable () async -> Void {
        let isEarly = isCancelled || endsEarly[node]
        if isEarly { earlyAwaits.add() }
        return {
            await probe.observe(node, on: isolation, isCancelled: isCancelled, future)
            if isEarly { earlyAwaits.end() }
        }
    }

    private func send(_ future: ResponseFuture<Int>, _ node: Int) {
        future.send()
        probe.deeds.noteSent(node)
    }

    private func cancel(_ future: ResponseFuture<Int>, _ node: Int) {
        future.cancel()
        probe.deeds.noteCancelled(node)
    }

    private func attach(
        _ family: RandomProgram.CallbackFamily, to future: ResponseFuture<Int>, _ node: Int,
        _ futures: RandomProgramFutures
    ) -> RandomProgramCallbacks {
        let callbacks = probe.callbacks(family, for: node)
        callbacks.attach(to: future, holding: futures.token)
        return callbacks
    }

    private func makeAndSend(
        _ node: Int, _ family: RandomProgram.CallbackFamily, _ futures: RandomProgramFutures
    ) {
        let reference: Weak<ResponseFuture<Int>>, callbacks: RandomProgramCallbacks
        do {
            let future = futures.future(node)
            reference = Weak(future)
            callbacks = attach(family, to: future, node, futures)
            send(future, node)
        }
        // The line after `send()` (contract rule RETAIN).
        if reference.object == nil, !callbacks.isCompleted { probe.noteLoss(of: node, "after send()") }
    }

    @MainActor
    private func sendOnMainActor(
        _ node: Int, _ family: RandomProgram.CallbackFamily, _ futures: RandomProgramFutures
    ) {
        if let future = futures.handle(node) { sendOnMainActor(future, node, family, futures) }
    }

    @MainActor
    private func sendOnMainActor(
        _ future: ResponseFuture<Int>, _ node: Int, _ family: RandomProgram.CallbackFamily,
        _ futures: RandomProgramFutures
    ) {
        let callbacks = attach(family, to: future, node, futures)
        send(future, node)
        callbacks.noteEndOfTurn(future)
    }

    @MainActor
    private func cancelOnMainActor(_ node: Int, _ futures: RandomProgramFutures) {
        guard let future = futures.handle(node) else { return }
        let before = probe.callbacks.filter { $0.node == node && $0.isAttached }
        cancel(future, node)
        for callbacks in before { callbacks.noteCancelReturned() }
    }

    private func disturbAfterEnd(
        _ node: Int, _ family: RandomProgram.CallbackFamily, _ futures: RandomProgramFutures
    ) async {
        guard let future = futures.handle(node) else { return }
        await probe.observe(node) { future }
        // The time limit has cancelled everything.
        if Task.isCancelled { return }
        future.settle(
            [.value(RandomProgram.modulus + 1), .error(RandomProgram.modulus + 1)], for: RandomProgramUpdate.tooLate)
        _ = attach(family, to: future, node, futures)
        send(future, node)
        await probe.observe(node) { future }
    }
}
