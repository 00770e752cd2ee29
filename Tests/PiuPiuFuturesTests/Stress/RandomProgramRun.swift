import PiuPiu
import PiuPiuTesting
import TestSupport

/// Runs a random program with real futures and tasks, and reports what was wrong.
struct RandomProgramRun: Sendable {
    let program: RandomProgram
    let probe: RandomProgramProbe
    /// Which nodes end before the late gates are opened.
    let endsEarly: [Bool]
    private let checks: RandomProgramChecks
    /// The awaits that end before the late gates are opened.
    let earlyAwaits = RandomProgramPending()
    private let unfinishedTasks: CountDown
    private let closures = Population()

    /// Runs the program to its end, and until all captures of its closures are released (contract rules NEVER-HANG,
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
        let complaints = await complaintsAboutOutcomes()
        await probe.wait(for: "the end of the closures, after the futures") { await closures.extinct() }
        // Nothing can run any more.
        return complaints + checks.complaintsAboutRuns() + checks.complaintsAboutCallbacks()
    }

    private init(_ program: RandomProgram) {
        self.program = program
        probe = RandomProgramProbe(program)
        checks = RandomProgramChecks(program, probe)
        endsEarly = checks.model.endsEarly()
        unfinishedTasks = CountDown(program.tasks.count)
    }

    private func complaintsAboutOutcomes() async -> [String] {
        let futures = await perform(RandomProgramFutures(program, probe, token: closures.member()))
        // Unreachable futures, and users, may start others until they end, so they come first.
        await completions { probe.deeds.isBegun($0) }
        for (node, future) in futures.sorted(by: { $0.key > $1.key }) where future.status != .created {
            await probe.observe(node) { future }
        }
        await completions { futures[$0].map { $0.status != .created } ?? false }
        // A settled future retains no closure, though it still exists itself.
        if futures.values.allSatisfy(\.status.isComplete) {
            await probe.wait(for: "the end of the closures, before the futures") { await closures.extinct() }
        }
        return checks.complaintsAboutOutcomes(futures.mapValues(\.status))
    }

    /// Waits for the completions of some nodes.
    private func completions(of isWanted: (Int) -> Bool) async {
        for callbacks in probe.callbacks where isWanted(callbacks.node) {
            await probe.wait(for: "\(callbacks.family) of node \(callbacks.node)") { await callbacks.completion() }
        }
    }

    /// - Returns: the futures that the program can reach when all its tasks have ended.
    private func perform(_ futures: RandomProgramFutures) async -> [Int: ResponseFuture<Int>] {
        let awaiters = program.prelude.compactMap { performAtOnce($0, futures) }
        await withDiscardingTaskGroup { tasks in
            for awaiter in awaiters { tasks.addTask { await awaiter.ended() } }
            for steps in program.tasks {
                tasks.addTask {
                    await withDiscardingTaskGroup { awaiters in
                        for step in steps { await perform(step, futures, in: &awaiters) }
                        if unfinishedTasks.countDown() { await openGates(futures) }
                    }
                }
            }
        }
        defer { futures.registry.releaseAll() }
        return futures.reachable
    }

    // MARK: Gates

    /// Opens all gates, the late ones once everything that doesn't depend on them has ended (contract rule PROMPT). To be
    /// called when all steps have been taken.
    private func openGates(_ futures: RandomProgramFutures) async {
        for node in program.nodes.indices where !program.lateGates.contains(node) { probe.open(node) }
        await probe.wait(for: "the awaits that end before \(program.lateGates.sorted()) are opened") {
            await earlyAwaits.ended()
        }
        await completions { endsEarly[$0] && probe.deeds.isBegun($0) }
        if program.isAbandoned { await ends(futures) }
        probe.openAll()
    }

    /// Waits, without an interest, for the ends of all futures without observers, while no gate is open.
    private func ends(_ futures: RandomProgramFutures) async {
        for (node, future) in futures.reachable where future.status == .started {
            let callbacks = probe.callbacks(.observers, for: node)
            callbacks.attach(to: future, holding: futures.token)
            await probe.wait(for: "the cancellation of node \(node)") { await callbacks.completion() }
        }
    }
}

/// Finds out which of several calls is the last.
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
