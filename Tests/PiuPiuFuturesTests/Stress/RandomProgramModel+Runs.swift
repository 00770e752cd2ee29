/// Which nodes run, and how often.
extension RandomProgramModel {
    /// How certain it is that a node is started.
    enum Start: Comparable {
        case never, possible, certain
    }

    /// For each node, how certain it is that it is started, and that only its own work ends it.
    ///
    /// - Parameter begun: whether a step is known to have started the node; other steps may have found it released.
    func starts(begun: (Int) -> Bool) -> [Start] {
        var starts = program.nodes.map { _ in Start.never }
        for step in program.allSteps {
            switch step {
            case .send(let node), .sendOnMainActor(let node, _), .await(let node, _), .disturbAfterEnd(let node, _),
                .awaitAndBeCancelled(let node, _, _), .make(let node, .awaited), .make(let node, .sent):
                starts[node] = begun(node) ? .certain : .possible
            case .cancel, .cancelOnMainActor, .settle, .attach, .open, .hold, .letGo, .make, .collision: break
            }
        }
        for place in program.nodes.indices.reversed() {
            for user in users(of: place) { starts[place] = max(starts[place], start(of: place, by: user, starts)) }
            if starts[place] == .certain, mayBeCancelled(place) || mayBeSettled(place) { starts[place] = .possible }
        }
        return starts
    }

    private func start(of node: Int, by user: Int, _ starts: [Start]) -> Start {
        guard case .inner(_, let input, let inner) = program.nodes[user].work, inner == node, input != node
        else { return starts[user] }
        let outcomes = seen(input, by: user)
        if outcomes.allSatisfy({ $0.value == nil }) { return .never }
        return outcomes.allSatisfy { $0.value != nil } ? starts[user] : min(starts[user], .possible)
    }

    /// How often the closure of a node runs (contract rules ONCE and COLD).
    func runs(of place: Int, _ starts: [Start]) -> ClosedRange<Int> {
        let start = starts[place]
        guard start != .never else { return 0...0 }
        let triggers: [Bool] =
            switch program.nodes[place].work {
            case .result, .failure: [false]
            case .synchronous, .gated, .action: [true]
            case .transform(.thenResult, let input, _), .transform(.safeResult, let input, _):
                seen(input, by: place).map { $0 != .cancelled }
            case .transform(_, let input, _), .inner(_, let input, _):
                seen(input, by: place).map { $0.value != nil }
            case .group: ownOutcomes[place].map { $0.value != nil }
            }
        let least = start == .certain && triggers.allSatisfy { $0 } ? 1 : 0
        return least...(triggers.contains(true) ? 1 : 0)
    }
}
