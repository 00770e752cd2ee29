/// The permitted outcomes of a random program, computed without any future.
///
/// For each node, the set of outcomes that its work can have, whichever observer leaves first. A cancellation is one of
/// them only if a step, another user of the node, or its own work can cause it.
struct RandomProgramModel {
    typealias Outcome = RandomProgramOutcome
    typealias Work = RandomProgram.Work

    let program: RandomProgram
    /// The outcomes that the work of each node can have.
    private(set) var ownOutcomes: [Set<Outcome>]
    /// The users of each node that may leave it before its end, and so cancel it.
    private var leavingUsers: [Set<Int>]
    private let users: [[Int]]
    /// Nodes that a step cancels, or whose awaiter it cancels.
    private var cancelledBySteps: Set<Int> = []
    /// The outcomes that steps settle nodes with.
    private var settlements: [Set<Outcome>]
    /// Nodes that were sent, or got a lasting awaiter, before anything else happened: no observer can cancel them by
    /// leaving (contract rule INTEREST).
    private var wantedAtFirst: Set<Int> = []

    init(_ program: RandomProgram) {
        self.program = program
        ownOutcomes = program.nodes.map { _ in [] }
        leavingUsers = ownOutcomes.map { _ in [] }
        settlements = ownOutcomes
        var users = [[Int]](repeating: [], count: program.nodes.count)
        for (place, node) in program.nodes.enumerated() {
            for input in node.work.inputs { users[input].append(place) }
        }
        self.users = users
        noteSteps()
        // Each round can only add to the sets.
        var before: [Set<Int>]
        repeat {
            before = leavingUsers
            for place in program.nodes.indices {
                ownOutcomes[place] = outcomes(of: place).union(settlements[place])
            }
            for place in program.nodes.indices.reversed() { leavingUsers[place] = usersThatMayLeave(place) }
        } while leavingUsers != before
    }

    private mutating func noteSteps() {
        for step in program.prelude {
            switch step {
            case .send(let node), .await(let node, _), .make(let node, .sent): wantedAtFirst.insert(node)
            default: break
            }
        }
        for step in program.allSteps {
            switch step {
            case .cancel(let node), .cancelOnMainActor(let node): cancelledBySteps.insert(node)
            case .awaitAndBeCancelled(let node, _, _), .make(let node, .awaited(isCancelled: true)):
                if !wantedAtFirst.contains(node) { cancelledBySteps.insert(node) }
            case .settle(let node, let ending): settlements[node].insert(Outcome(ending))
            default: break
            }
        }
    }

    /// All outcomes that an awaiter may see.
    func permitted(_ node: Int) -> Set<Outcome> {
        mayBeCancelled(node) ? ownOutcomes[node].union([.cancelled]) : ownOutcomes[node]
    }

    /// Whether anything but its own work may cancel the node.
    func mayBeCancelled(_ node: Int, otherThanBy user: Int? = nil) -> Bool {
        cancelledBySteps.contains(node) || leavingUsers[node].contains { $0 != user }
    }

    /// Whether a step may settle the node.
    func mayBeSettled(_ node: Int) -> Bool { !settlements[node].isEmpty }

    func hasUsers(_ node: Int) -> Bool { !users[node].isEmpty }

    func users(of node: Int) -> [Int] { users[node] }

    /// The outcomes of an input that `user` may see.
    func seen(_ node: Int, by user: Int) -> Set<Outcome> {
        mayBeCancelled(node, otherThanBy: user) ? ownOutcomes[node].union([.cancelled]) : ownOutcomes[node]
    }

    // MARK: Outcomes

    private func outcomes(of place: Int) -> Set<Outcome> {
        switch program.nodes[place].work {
        case .result(let value): [.value(value)]
        case .failure(let number): [.error(number)]
        case .synchronous(let ending), .gated(let ending, _): [Outcome(ending)]
        case .action(let action): outcomes(of: action, at: place)
        case .transform(let kind, let input, let transform):
            outcomes(of: transform, kind, after: seen(input, by: place))
        case .inner(let kind, let input, let inner):
            outcomes(of: kind, after: seen(input, by: place), then: inner.map { seen($0, by: place) })
        case .group(let kind, let inputs, _):
            outcomes(of: kind, inputs.map { seen($0, by: place) })
        }
    }

    private func outcomes(of action: RandomProgram.Action, at place: Int) -> Set<Outcome> {
        switch action {
        case .settles(let endings), .settlesLater(let endings): [endings.first.map(Outcome.init) ?? .abandoned]
        case .settlesAndThrows(let endings, let number): [endings.first.map(Outcome.init) ?? .error(number)]
        case .drops: [.abandoned]
        case .hurries(_, let ending, _): [Outcome(ending)]
        case .isFulfilled(let sources): sources.reduce(into: []) { $0.formUnion(seen($1, by: place)) }
        }
    }

    private func outcomes(
        of transform: RandomProgram.Transform, _ kind: RandomProgram.TransformOperator, after input: Set<Outcome>
    ) -> Set<Outcome> {
        let seesErrors = kind == .thenResult || kind == .safeResult
        return Set(
            input.map { outcome in
                (seesErrors ? outcome.recovered : outcome.value).map(transform.outcome) ?? outcome
            })
    }

    private func outcomes(
        of kind: RandomProgram.InnerOperator, after input: Set<Outcome>, then inner: Set<Outcome>?
    ) -> Set<Outcome> {
        let values = input.filter { $0.value != nil }
        let others = input.subtracting(values)
        guard !values.isEmpty else { return others }
        switch (kind, inner) {
        case (.flatNullableJoin, nil): return others.union(folded([values]))
        case (_, nil): return others.union([.cancelled])
        case (.flatMap, let inner?), (.replace, let inner?): return others.union(inner)
        case (_, let inner?): return others.union(folded([values, inner]))
        }
    }

    private func outcomes(of kind: RandomProgram.GroupOperator, _ inputs: [Set<Outcome>]) -> Set<Outcome> {
        let all = inputs.reduce(into: Set<Outcome>()) { $0.formUnion($1) }
        switch kind {
        case .join, .zip, .parallelNullableJoin, .childFutures, .valuesInOrder: return folded(inputs)
        case .race, .firstResult: return all
        case .firstSuccess:
            var outcomes = all.filter { $0.value != nil }
            guard inputs.allSatisfy({ $0.contains { $0.value == nil } }) else { return outcomes }
            if all.contains(where: { $0.value == nil && $0 != .cancelled }) { outcomes.insert(.allFailed) }
            if inputs.allSatisfy({ $0.contains(.cancelled) }) { outcomes.insert(.cancelled) }
            return outcomes
        }
    }

    /// All values that can be made from the inputs' values, and each failure of an input.
    private func folded(_ inputs: [Set<Outcome>]) -> Set<Outcome> {
        var values: Set<Int> = [1]
        var failures: Set<Outcome> = []
        for input in inputs {
            failures.formUnion(input.filter { $0.value == nil })
            values = Set(values.flatMap { left in input.compactMap(\.value).map { RandomProgram.fold(left, $0) } })
        }
        return failures.union(values.map(Outcome.value))
    }

    // MARK: Cancellation

    private func usersThatMayLeave(_ node: Int) -> Set<Int> {
        if wantedAtFirst.contains(node) { return [] }
        return Set(users[node].filter { mayBeCancelled($0) || mayBeSettled($0) || mayEnd($0, before: node) })
    }

    /// Whether a user with several inputs may end before this one.
    private func mayEnd(_ user: Int, before node: Int) -> Bool {
        var others = program.nodes[user].work.inputs
        if let index = others.firstIndex(of: node) { others.remove(at: index) }
        switch program.nodes[user].work {
        case .action(.isFulfilled), .group(.race, _, _), .group(.firstResult, _, _):
            return !others.isEmpty
        case .group(.firstSuccess, _, _):
            return others.contains { seen($0, by: user).contains { $0.value != nil } }
        case .group:
            return others.contains { seen($0, by: user).contains { $0.value == nil } }
        default:
            return false
        }
    }
}
