import PiuPiu

/// Compares what a random program did with what the model permits.
struct RandomProgramChecks: Sendable {
    private let program: RandomProgram
    private let model: RandomProgramModel
    private let starts: [RandomProgramModel.Start]
    private let probe: RandomProgramProbe

    init(_ program: RandomProgram, _ probe: RandomProgramProbe) {
        self.program = program
        self.probe = probe
        model = RandomProgramModel(program)
        starts = model.starts()
    }

    /// Contract rules SETTLE, MEMO, SHARED and COLD, when the tasks of the program have come to their ends.
    func complaintsAboutOutcomes(_ statuses: [Int: FutureStatus]) -> [String] {
        var complaints: [String] = []
        let observations = Dictionary(grouping: probe.observations, by: \.node)
        for (node, observations) in observations {
            let all = Set(observations.map(\.outcome))
            let seen = Set(observations.filter { !$0.wasCancelled }.map(\.outcome))
            let permitted = model.permitted(node)
            let strangers = seen.subtracting(permitted).union(all.subtracting(permitted).subtracting([.cancelled]))
            if !strangers.isEmpty { complaints.append("node \(node) ended with \(strangers), not with \(permitted)") }
            if seen.count > 1 { complaints.append("SETTLE: node \(node) ended with \(seen)") }
            if let outcome = seen.first, let status = statuses[node], status != outcome.status,
                !isCancelled(node) || status != .cancelled
            {
                complaints.append("node \(node) ended with \(outcome), but its status is \(status)")
            }
        }
        for (node, status) in statuses {
            if starts[node] == .never, status == .started { complaints.append("COLD: node \(node) has been started") }
            if starts[node] == .certain, !status.isComplete {
                complaints.append("NEVER-HANG: node \(node) has not ended: \(status)")
            }
        }
        return complaints
    }

    /// Contract rules ONCE and COLD.
    func complaintsAboutRuns() -> [String] {
        program.nodes.indices.compactMap { node in
            let runs = probe.runCount(of: node), permitted = model.runs(of: node, starts)
            return permitted.contains(runs) ? nil : "ONCE: node \(node) ran \(runs) times, not \(permitted) times"
        }
    }

    /// Contract rules ORDER and SETTLE.
    func complaintsAboutCallbacks() -> [String] {
        let seen = Dictionary(grouping: probe.observations.filter { !$0.wasCancelled }, by: \.node)
        return probe.callbacks.compactMap { callbacks in
            let events = callbacks.events
            let outcomes = seen[callbacks.node].map { Set($0.map(\.outcome)) } ?? model.permitted(callbacks.node)
            return isRight(events, of: callbacks, outcomes)
                ? nil : "ORDER: \(callbacks.family) of node \(callbacks.node) were called with \(events)"
        }
    }

    private func isRight(
        _ events: [RandomProgramCallbacks.Event], of callbacks: RandomProgramCallbacks,
        _ outcomes: Set<RandomProgramOutcome>
    ) -> Bool {
        if events.isEmpty { return starts[callbacks.node] != .certain && !isCancelledByStep(callbacks.node) }
        let updates = events.prefix { if case .update = $0 { true } else { false } }
        if program.nodes[callbacks.node].work.isOpenable, !isInOrder(updates) { return false }
        let rest = events.dropFirst(updates.count)
        guard rest.last == .completion else { return false }
        switch Array(rest.dropLast()) {
        case let told where told.count == 1:
            // A cancellation after the end replaces what callbacks have not been told yet (contract rule AFTER-CANCEL).
            return outcomes.contains { told == [.outcome($0)] }
                || told == [.outcome(.cancelled)] && isCancelled(callbacks.node)
        // It came between this set of observers and another, as all observers of a future share their queue.
        case let told where told.count == 2 && told[1] == .outcome(.cancelled):
            return callbacks.family == .observers && isCancelled(callbacks.node)
                && outcomes.contains { told[0] == .outcome($0) }
                && probe.callbacks.count { $0.node == callbacks.node && $0.family == .observers } > 1
        // An operator has taken the slots over (contract rule SLOT).
        case []: return callbacks.family == .slots && model.hasUsers(callbacks.node)
        default: return false
        }
    }

    /// Whether the updates are some of those that a late node makes, in its order.
    private func isInOrder(_ updates: ArraySlice<RandomProgramCallbacks.Event>) -> Bool {
        var stages = RandomProgramCallbacks.stages[...]
        return updates.allSatisfy { update in
            guard let index = stages.firstIndex(where: { .update($0) == update }) else { return false }
            stages = stages[(index + 1)...]
            return true
        }
    }

    /// Whether a step, or its action, cancels the node itself.
    private func isCancelled(_ node: Int) -> Bool {
        program.nodes[node].work.cancelsAfterEnd || isCancelledByStep(node)
    }

    private func isCancelledByStep(_ node: Int) -> Bool {
        program.allSteps.contains { if case .cancel(node) = $0 { true } else { false } }
    }
}
