import PiuPiu

/// What the futures of a random program did, and what holds them up; holds none of their closures.
final class RandomProgramProbe: Sendable {
    /// What an awaiter saw.
    struct Observation: Sendable {
        let node: Int
        let outcome: RandomProgramOutcome
        /// Whether the awaiter itself was cancelled.
        let wasCancelled: Bool
    }

    private let runs: [Counter]
    private let gates: [Gate]
    private let promises: [LatePromise]
    private let seen = Locked<[Observation]>([])
    private let awaited = Locked<[String]>([])
    private let attached = Locked<[RandomProgramCallbacks]>([])

    init(_ program: RandomProgram) {
        runs = program.nodes.map { _ in Counter() }
        gates = program.nodes.map { _ in Gate() }
        promises = program.nodes.map { _ in LatePromise() }
    }

    var observations: [Observation] { seen.withLock { $0 } }
    /// What is being waited for: where a program that hangs has come to.
    var waits: [String] { awaited.withLock { $0 } }
    var callbacks: [RandomProgramCallbacks] { attached.withLock { $0 } }

    func countRun(of node: Int) { runs[node].increment() }
    func runCount(of node: Int) -> Int { runs[node].value }

    func gate(of node: Int) -> Gate { gates[node] }
    func promise(of node: Int) -> LatePromise { promises[node] }

    /// Lets a gated or late node go on, now or when it comes there.
    func open(_ node: Int) {
        gates[node].open()
        promises[node].release()
    }

    func openAll() { runs.indices.forEach(open) }

    /// Notes what an awaiter of a node sees.
    func observe(_ node: Int, isCancelled: Bool = false, _ value: () async throws -> Int) async {
        let event = "node \(node)\(isCancelled ? " (cancelled awaiter)" : "")"
        awaited.withLock { $0.append(event) }
        let outcome = await RandomProgramOutcome(of: value)
        let observation = Observation(node: node, outcome: outcome, wasCancelled: isCancelled)
        seen.withLock { $0.append(observation) }
        didWait(for: event)
    }

    /// Waits for something that is deaf to cancellation, until the time limit cancels the test.
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

    func note(_ callbacks: RandomProgramCallbacks) {
        attached.withLock { $0.append(callbacks) }
    }
}

/// A promise that is settled when its time has come, or let go of if it has no endings.
final class LatePromise: Sendable {
    private struct State: Sendable {
        var promise: ResponseFuture<Int>?
        var endings: [RandomProgram.Ending] = []
        var isReleased = false
    }

    private let state = Locked(State())

    func keep(_ promise: ResponseFuture<Int>, for endings: [RandomProgram.Ending]) {
        let isReleased = state.withLock { state in
            if !state.isReleased {
                state.promise = promise
                state.endings = endings
            }
            return state.isReleased
        }
        if isReleased { promise.settle(endings) }
    }

    func release() {
        let (promise, endings) = state.withLock { state in
            state.isReleased = true
            return (state.promise.take(), state.endings)
        }
        promise?.settle(endings)
    }
}

extension ResponseFuture<Int> {
    /// Tells of some progress, and settles the future so many times (contract rule SETTLE).
    func settle(_ endings: [RandomProgram.Ending]) {
        for stage in RandomProgramCallbacks.stages { update(with: TransferUpdate(stage: stage)) }
        for ending in endings {
            switch ending {
            case .value(let value): succeed(with: value)
            case .error(let number): fail(with: Mishap(number: number))
            case .cancelled: cancel()
            }
        }
    }
}
