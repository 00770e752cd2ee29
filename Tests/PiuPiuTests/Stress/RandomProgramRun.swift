import PiuPiu

/// Carries out a random program with real futures and tasks, and says what was wrong.
struct RandomProgramRun: Sendable {
    private let program: RandomProgram
    private let probe: RandomProgramProbe
    private let unfinishedTasks: CountDown
    private let closures = Population()

    /// Runs the program to its end, and until everything that its closures captured is gone (contract rules NEVER-HANG,
    /// UNSENT and RELEASE).
    static func complaints(about program: RandomProgram) async -> [String] {
        let run = RandomProgramRun(program)
        // The time limit cancels a test that hangs.
        return await withTaskCancellationHandler {
            await run.complaints()
        } onCancel: {
            RandomProgramSeeds.say("It was interrupted while it waited for \(run.probe.waits)")
            RandomProgramSeeds.say("\(program)")
        }
    }

    private func complaints() async -> [String] {
        let checks = RandomProgramChecks(program, probe)
        let complaints = await complaintsAboutOutcomes(checks)
        await probe.wait(for: "the end of the closures, after the futures") { await closures.extinct() }
        // Nothing can run any more.
        return complaints + checks.complaintsAboutRuns() + checks.complaintsAboutCallbacks()
    }

    private init(_ program: RandomProgram) {
        self.program = program
        probe = RandomProgramProbe(program)
        unfinishedTasks = CountDown(program.tasks.count)
    }

    private func complaintsAboutOutcomes(_ checks: RandomProgramChecks) async -> [String] {
        let futures = await perform(RandomProgramFutures(program, probe, token: closures.member()))
        // The users first: they may start others until they end.
        for (node, future) in futures.sorted(by: { $0.key > $1.key }) where future.status != .created {
            await probe.observe(node) { try await future.value }
        }
        for callbacks in probe.callbacks where futures[callbacks.node]?.status != .created {
            await probe.wait(for: "\(callbacks.family) of node \(callbacks.node)") { await callbacks.completion() }
        }
        // What has settled refers to no closure any more, though it is still here.
        if futures.values.allSatisfy(\.status.isComplete) {
            await probe.wait(for: "the end of the closures, before the futures") { await closures.extinct() }
        }
        return checks.complaintsAboutOutcomes(futures.mapValues(\.status))
    }

    /// - Returns: the futures that the program holds, when all its tasks have come to an end.
    private func perform(_ futures: RandomProgramFutures) async -> [Int: ResponseFuture<Int>] {
        for step in program.prelude { performAtOnce(step, futures) }
        await withDiscardingTaskGroup { tasks in
            for steps in program.tasks {
                tasks.addTask {
                    await withDiscardingTaskGroup { awaiters in
                        for step in steps { perform(step, futures, in: &awaiters) }
                        if unfinishedTasks.countDown(), !program.isAbandoned { probe.openAll() }
                    }
                }
            }
        }
        if program.isAbandoned { await ends(futures) }
        return futures.kept
    }

    /// Waits, without an interest, for the ends of all that nobody is interested in any more, though nothing is open.
    private func ends(_ futures: RandomProgramFutures) async {
        for (node, future) in futures.kept where future.status == .started {
            let callbacks = RandomProgramCallbacks(node: node, family: .observers)
            probe.note(callbacks)
            callbacks.attach(to: future, holding: futures.token)
            await probe.wait(for: "the cancellation of node \(node)") { await callbacks.completion() }
        }
        probe.openAll()
    }

    /// Performs a step that waits for nothing.
    private func performAtOnce(_ step: RandomProgram.Step, _ futures: RandomProgramFutures) {
        switch step {
        case .send(let node): futures.future(node).send()
        case .cancel(let node): futures.future(node).cancel()
        case .attach(let node, let family): attach(family, to: node, futures)
        case .open(let node): probe.open(node)
        case .dropUnseen(let node): _ = futures.future(node)
        case .await, .awaitAndBeCancelled, .disturbAfterEnd, .awaitUnseen: break
        }
    }

    private func perform(
        _ step: RandomProgram.Step, _ futures: RandomProgramFutures, in awaiters: inout DiscardingTaskGroup
    ) {
        switch step {
        case .await(let node, onMainActor: true):
            awaiters.addTask { await noteOutcomeOnMainActor(of: node, futures) }
        case .await(let node, onMainActor: false):
            awaiters.addTask { await probe.observe(node) { try await futures.future(node).value } }
        case .awaitUnseen(let node):
            awaiters.addTask { await probe.observe(node) { try await futures.future(node).value } }
        case .awaitAndBeCancelled(let node, let late):
            let awaiter = Task {
                await probe.observe(node, isCancelled: true) { try await futures.future(node).value }
            }
            if !late { awaiter.cancel() }
            awaiters.addTask {
                awaiter.cancel()
                await awaiter.value
            }
        case .disturbAfterEnd(let node, let family):
            awaiters.addTask { await disturbAfterEnd(node, family, futures) }
        case .send, .cancel, .attach, .open, .dropUnseen: performAtOnce(step, futures)
        }
    }

    @MainActor
    private func noteOutcomeOnMainActor(of node: Int, _ futures: RandomProgramFutures) async {
        await probe.observe(node) { try await futures.future(node).value }
    }

    private func disturbAfterEnd(
        _ node: Int, _ family: RandomProgram.CallbackFamily, _ futures: RandomProgramFutures
    ) async {
        let future = futures.future(node)
        await probe.observe(node) { try await future.value }
        // The time limit has cancelled it all.
        if Task.isCancelled { return }
        future.settle([.value(RandomProgram.modulus + 1), .error(RandomProgram.modulus + 1)])
        attach(family, to: node, futures)
        future.send()
        await probe.observe(node) { try await future.value }
    }

    private func attach(_ family: RandomProgram.CallbackFamily, to node: Int, _ futures: RandomProgramFutures) {
        let callbacks = RandomProgramCallbacks(node: node, family: family)
        probe.note(callbacks)
        callbacks.attach(to: futures.future(node), holding: futures.token)
    }
}

/// Tells who is the last of several.
private final class CountDown: Sendable {
    private let count: Locked<Int>

    init(_ count: Int) {
        self.count = Locked(count)
    }

    /// - Returns: whether this was the last.
    func countDown() -> Bool {
        count.withLock { count in
            count -= 1
            return count == 0
        }
    }
}
