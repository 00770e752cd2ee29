extension RandomProgram {
    /// The program of a seed.
    init(seed: UInt64) {
        var writer = RandomProgramWriter(seed: seed)
        self = writer.program(seed: seed)
    }
}

/// Writes a random program.
private struct RandomProgramWriter {
    typealias Program = RandomProgram

    private static let depthLimit = 12

    private var random: SeededGenerator
    private var nodes: [Program.Node] = []
    private var depths: [Int] = []
    /// The unseen nodes that have no user yet.
    private var unused: [Int] = []
    private var kept: [Int] = []
    /// PiuPiu-style callbacks replace one another, so a node is given them once.
    private var nodesWithSlots: Set<Int> = []

    init(seed: UInt64) {
        random = SeededGenerator(seed: seed)
    }

    mutating func program(seed: UInt64) -> Program {
        for _ in 0..<number(3...24) { addNode() }
        let isAbandoned = chance(15), mayCancel = chance(50)
        var tasks = (0..<number(1...4)).map { _ in
            (0..<number(1...8)).compactMap { _ in isAbandoned ? abandoningStep() : step(mayCancel) }
        }
        for node in unused {
            let mayAwait = isAbandoned ? .awaitAndBeCancelled(node, late: true) : Program.Step.awaitUnseen(node)
            tasks[number(0...(tasks.count - 1))].append(chance(70) ? mayAwait : .dropUnseen(node))
        }
        return Program(
            seed: seed, nodes: nodes, isAbandoned: isAbandoned, prelude: isAbandoned ? [] : prelude(),
            tasks: tasks.map { $0.shuffled(using: &random) })
    }

    // MARK: Nodes

    private mutating func addNode() {
        let isRoot = nodes.isEmpty || chance(30)
        let work = isRoot ? root() : composed()
        let place = nodes.count
        let isKept = place == 0 || chance(45)
        nodes.append(Program.Node(work: work, isKept: isKept))
        depths.append((work.inputs.map { depths[$0] }.max() ?? 0) + 1)
        isKept ? kept.append(place) : unused.append(place)
    }

    private mutating func root() -> Program.Work {
        switch number(0...11) {
        case 0: .result(value())
        case 1: .failure(value())
        case 2, 3: .synchronous(ending())
        case 4, 5, 6: .gated(ending(), heedsCancellation: chance(50))
        case 7: .action(.settles(endings(1...3)))
        case 8, 9: .action(.settlesLater(endings(1...3)))
        case 10: .action(.settlesAndThrows(endings(0...1), value()))
        default: .action(chance(50) ? .drops : .settlesLater([]))
        }
    }

    private mutating func composed() -> Program.Work {
        switch number(0...9) {
        case 0...3:
            return .transform(any(Program.TransformOperator.allCases), of: input(), transform())
        case 4...5:
            let isNil = chance(10)
            return .inner(
                any(Program.InnerOperator.allCases), of: input(), making: isNil ? nil : input())
        case 6:
            return .action(.isFulfilled(by: inputs(1...2)))
        default:
            let kind = any(Program.GroupOperator.allCases)
            let counts =
                switch kind {
                case .join: 2...2
                case .zip: 3...3
                case .parallelNullableJoin: 1...2
                case .childFutures, .race, .firstSuccess: 1...5
                }
            return .group(kind, inputs(counts), limit: chance(40) ? number(1...2) : nil)
        }
    }

    private mutating func inputs(_ counts: ClosedRange<Int>) -> [Int] {
        (0..<number(counts)).map { _ in input() }
    }

    /// A node to be used: one that only this use will see, or one that is shared.
    private mutating func input() -> Int {
        let candidates = unused.suffix(3).filter { depths[$0] < Self.depthLimit }
        if !candidates.isEmpty, chance(60) {
            let node = any(candidates)
            unused.removeAll { $0 == node }
            return node
        }
        let shared = kept.suffix(4).filter { depths[$0] < Self.depthLimit }
        return shared.isEmpty ? 0 : any(shared)
    }

    private mutating func transform() -> Program.Transform {
        switch number(0...7) {
        case 0: .fail(value())
        case 1: .failIfOdd(value())
        default: .add(value())
        }
    }

    private mutating func endings(_ counts: ClosedRange<Int>) -> [Program.Ending] {
        (0..<number(counts)).map { _ in ending() }
    }

    private mutating func ending() -> Program.Ending {
        switch number(0...9) {
        case 0, 1: .error(value())
        case 2: .cancelled
        default: .value(value())
        }
    }

    // MARK: Steps

    /// In the order of the nodes: what is sent here has no user that has been started, and might have left it.
    private mutating func prelude() -> [Program.Step] {
        (0..<number(0...3)).map { _ in any(kept) }.sorted().map { node in
            chance(50) ? .send(node) : .attach(node, family(for: node))
        }
    }

    private mutating func step(_ mayCancel: Bool) -> Program.Step? {
        let node = any(kept)
        switch number(mayCancel ? 0...13 : 0...10) {
        case 0, 1: return .send(node)
        case 2, 3, 4: return .await(node, onMainActor: chance(15))
        case 5, 6: return .attach(node, family(for: node))
        case 7: return .disturbAfterEnd(node, family(for: node))
        case 8, 9, 10:
            let openable = nodes.indices.filter { nodes[$0].work.isOpenable }
            return openable.isEmpty ? nil : .open(any(openable))
        case 11: return .cancel(node)
        default: return .awaitAndBeCancelled(node, late: chance(50))
        }
    }

    private mutating func abandoningStep() -> Program.Step {
        let node = any(kept)
        return chance(80) ? .awaitAndBeCancelled(node, late: chance(90)) : .attach(node, family(for: node))
    }

    private mutating func family(for node: Int) -> Program.CallbackFamily {
        chance(50) && nodesWithSlots.insert(node).inserted ? .slots : .observers
    }

    // MARK: Chance

    private mutating func number(_ range: ClosedRange<Int>) -> Int { Int.random(in: range, using: &random) }

    private mutating func value() -> Int { number(0...(Program.modulus - 1)) }

    private mutating func chance(_ percent: Int) -> Bool { number(1...100) <= percent }

    private mutating func any<Element>(_ elements: [Element]) -> Element {
        elements[number(0...(elements.count - 1))]
    }
}
