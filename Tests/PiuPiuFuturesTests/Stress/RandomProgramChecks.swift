import PiuPiu

/// Compares a random program's effects with what the model permits. Who holds a future makes no difference.
struct RandomProgramChecks: Sendable {
    let program: RandomProgram
    let model: RandomProgramModel
    let probe: RandomProgramProbe

    init(_ program: RandomProgram, _ probe: RandomProgramProbe) {
        self.program = program
        self.probe = probe
        model = RandomProgramModel(program)
    }

    /// How certain it is that each node was started, given the steps that were taken.
    var starts: [RandomProgramModel.Start] { model.starts(begun: probe.deeds.isBegun) }

    /// Contract rules SETTLE, MEMO, SHARED and COLD, once the tasks of the program have ended.
    ///
    /// - Parameter statuses: the statuses of the futures that could be reached then.
    func complaintsAboutOutcomes(_ statuses: [Int: FutureStatus]) -> [String] {
        var complaints: [String] = []
        let starts = starts
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
            if starts[node] == .certain || probe.deeds.isBegun(node), !status.isComplete {
                complaints.append("NEVER-HANG: node \(node) has not ended: \(status)")
            }
        }
        return complaints
    }

    /// Contract rules ONCE and COLD.
    func complaintsAboutRuns() -> [String] {
        let starts = starts
        return program.nodes.indices.compactMap { node in
            let runs = probe.runCount(of: node), permitted = model.runs(of: node, starts)
            return permitted.contains(runs) ? nil : "ONCE: node \(node) ran \(runs) times, not \(permitted) times"
        }
    }

    /// Whether a step, or the node's own action, may cancel the node after its end.
    func isCancelled(_ node: Int) -> Bool {
        var isSettledByOthers = false
        for step in program.allSteps {
            switch step {
            case .cancel(node), .cancelOnMainActor(node), .settle(node, .cancelled): return true
            case .settle(node, _): isSettledByOthers = true
            default: break
            }
        }
        return program.nodes[node].work.cancelsAfterEnd(isSettledByOthers: isSettledByOthers)
    }
}
