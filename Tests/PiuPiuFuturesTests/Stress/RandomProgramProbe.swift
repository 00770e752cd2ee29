import PiuPiu
import TestSupport

/// Records what the futures of a random program do, and holds them up. Retains none of their closures.
final class RandomProgramProbe: Sendable {
    /// What an awaiter saw.
    struct Observation: Sendable {
        let node: Int
        let outcome: RandomProgramOutcome
        /// Whether the awaiter itself was cancelled.
        let wasCancelled: Bool
    }

    let deeds = RandomProgramDeeds()
    private let runs: [Counter]
    private let gates: [Gate]
    private let promises: [LatePromise]
    private let lost = Locked<[String]>([])
    private let seen = Locked<[Observation]>([])
    private let awaited = Locked<[String]>([])
    private let attached = Locked<[RandomProgramCallbacks]>([])

    init(_ program: RandomProgram) {
        runs = program.nodes.map { _ in Counter() }
        gates = program.nodes.map { _ in Gate() }
        promises = program.nodes.indices.map(LatePromise.init)
    }

    var observations: [Observation] { seen.withLock { $0 } }
    /// What the program waits for: shows where it hangs.
    var waits: [String] { awaited.withLock { $0 } }
    /// Where a sent future could not be reached.
    var losses: [String] { lost.withLock { $0 } }
    var callbacks: [RandomProgramCallbacks] { attached.withLock { $0 } }

    func countRun(of node: Int) { runs[node].increment() }
    func runCount(of node: Int) -> Int { runs[node].value }

    func gate(of node: Int) -> Gate { gates[node] }
    func promise(of node: Int) -> LatePromise { promises[node] }

    /// Opens a gated or late node, now or when it gets to its gate.
    func open(_ node: Int) {
        gates[node].open()
        promises[node].release()
    }

    func openAll() { runs.indices.forEach(open) }

    /// Notes what an awaiter of a node sees, if it can be reached. The await is the last use of the reference.
    func observe(
        _ node: Int, isCancelled: Bool = false, _ future: @Sendable () -> ResponseFuture<Int>?
    ) async {
        let event = "node \(node)\(isCancelled ? " (cancelled awaiter)" : "")"
        awaited.withLock { $0.append(event) }
        if let outcome = await RandomProgramOutcome(of: future) {
            let observation = Observation(node: node, outcome: outcome, wasCancelled: isCancelled)
            seen.withLock { $0.append(observation) }
            if !isCancelled { deeds.noteAwaited(node) }
        }
        didWait(for: event)
    }

    /// Waits for an event that is deaf to cancellation, until the time limit cancels the test.
    func wait(for event: String, _ wait: @escaping @Sendable () async -> Void) async {
        awaited.withLock { $0.append(event) }
        let end = Gate()
        Task {
            await wait()
            end.open()
        }
        try? await end.passUnlessCancelled()
        didWait(for: event)
    }

    private func didWait(for event: String) {
        awaited.withLock { awaited in
            if let index = awaited.firstIndex(of: event) { awaited.remove(at: index) }
        }
    }

    /// Callbacks for a node, to be attached.
    func callbacks(_ family: RandomProgram.CallbackFamily, for node: Int) -> RandomProgramCallbacks {
        let callbacks = RandomProgramCallbacks(node: node, family: family, deeds: deeds)
        attached.withLock { $0.append(callbacks) }
        return callbacks
    }

    func noteLoss(of node: Int, _ place: String) {
        lost.withLock { $0.append("RETAIN: node \(node) was sent, and is gone \(place)") }
    }
}
