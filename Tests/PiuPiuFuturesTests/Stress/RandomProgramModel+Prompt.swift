/// The nodes that end before the late gates are opened (contract rule PROMPT).
extension RandomProgramModel {
    /// For each node, whether it is certain to end once it has been started and all steps have been taken, while the late
    /// gates are shut.
    func endsEarly() -> [Bool] {
        let ended = nodesEndedBySteps()
        var early: [Bool] = []
        // Each node comes after its inputs.
        for place in program.nodes.indices { early.append(ended.contains(place) || endsEarly(place, early)) }
        return early
    }

    /// The nodes that a step is certain to cancel or settle: one that is only held weakly may be released before.
    private func nodesEndedBySteps() -> Set<Int> {
        var ended: Set<Int> = []
        for step in program.allSteps {
            switch step {
            case .cancel(let node), .cancelOnMainActor(let node), .settle(let node, _):
                if program.nodes[node].holding == .kept { ended.insert(node) }
            default: break
            }
        }
        return ended
    }

    private func endsEarly(_ place: Int, _ early: [Bool]) -> Bool {
        switch program.nodes[place].work {
        case .result, .failure, .synchronous: true
        case .gated, .action(.settlesLater): !program.lateGates.contains(place)
        case .action(.isFulfilled(let sources)): sources.contains { early[$0] }
        case .action: true
        case .transform(_, let input, _): early[input]
        case .inner(_, let input, let inner):
            early[input] && (inner.map { early[$0] } ?? true || isFailure(input, for: place))
        case .group(let kind, let inputs, let limit): endsEarly(place, kind, inputs, limit, early)
        }
    }

    private func endsEarly(
        _ place: Int, _ kind: RandomProgram.GroupOperator, _ inputs: [Int], _ limit: Int?, _ early: [Bool]
    ) -> Bool {
        if inputs.allSatisfy({ early[$0] }) { return true }
        // With a limit, an input is certain to begin if all before it end.
        let begun = limit == nil ? inputs[...] : inputs.prefix { early[$0] }
        let ending = begun.filter { early[$0] }
        switch kind {
        case .race: return inputs.contains { early[$0] }
        case .firstResult: return !ending.isEmpty
        case .firstSuccess: return ending.contains { seen($0, by: place).allSatisfy { $0.value != nil } }
        case .join, .zip, .parallelNullableJoin, .childFutures, .valuesInOrder:
            return ending.contains { isFailure($0, for: place) }
        }
    }

    private func isFailure(_ input: Int, for user: Int) -> Bool {
        seen(input, by: user).allSatisfy { $0.value == nil }
    }
}
