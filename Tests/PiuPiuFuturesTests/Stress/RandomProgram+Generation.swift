import TestSupport

extension RandomProgram {
    /// The program of a seed.
    init(seed: UInt64) {
        var writer = RandomProgramWriter(seed: seed)
        self = writer.program(seed: seed)
    }
}

/// Writes a random program.
struct RandomProgramWriter {
    typealias Program = RandomProgram

    private static let depthLimit = 12

    private var random: SeededGenerator
    private(set) var nodes: [Program.Node] = []
    private var depths: [Int] = []
    /// The nodes that their only user makes, and that have no user yet.
    private var unused: [Int] = []
    /// The nodes that the program holds, and those that it reaches through weak references.
    private(set) var kept: [Int] = []
    private(set) var weak: [Int] = []
    private(set) var lateGates: Set<Int> = []
    /// The nodes with PiuPiu-style callbacks, which replace one another, so that a node gets them once.
    private var nodesWithSlots: Set<Int> = []

    init(seed: UInt64) {
        random = SeededGenerator(seed: seed)
    }

    mutating func program(seed: UInt64) -> Program {
        for _ in 0..<number(3...24) { addNode() }
        let isAbandoned = chance(15), mayCancel = chance(50)
        for node in nodes.indices where nodes[node].work.isOpenable && (isAbandoned || chance(45)) {
            lateGates.insert(node)
        }
        var tasks = (0..<number(1...4)).map { _ in
            (0..<number(1...8)).compactMap { _ in isAbandoned ? abandoningStep() : step(mayCancel) }
        }
        var first = isAbandoned ? [] : prelude()
        for node in unused {
            let beginning = beginning(of: node, isAbandoned)
            // A weak reference made at the beginning is used more often.
            if !isAbandoned, beginning.canBeFirst, chance(60) {
                first.append((node, .make(node, beginning)))
            } else {
                tasks[number(0...(tasks.count - 1))].append(.make(node, beginning))
            }
        }
        return Program(
            seed: seed, nodes: nodes, isAbandoned: isAbandoned, lateGates: lateGates,
            // A node sent here has no started user that might have left it.
            prelude: first.sorted { $0.node < $1.node }.map(\.step),
            tasks: tasks.map { $0.shuffled(using: &random) })
    }

    // MARK: Nodes

    private mutating func addNode() {
        let isRoot = nodes.isEmpty || chance(30)
        let work = isRoot ? root() : composed()
        let place = nodes.count
        let holding: Program.Holding =
            if place == 0 || chance(42) { .kept } else if chance(50) { .weakly } else { .unseen }
        nodes.append(Program.Node(work: work, holding: holding))
        depths.append((work.inputs.map { depths[$0] }.max() ?? 0) + 1)
        switch holding {
        case .kept: kept.append(place)
        case .weakly:
            weak.append(place)
            unused.append(place)
        case .unseen: unused.append(place)
        }
    }

    private mutating func root() -> Program.Work {
        switch number(0...25) {
        case 0, 1: .result(value())
        case 2, 3: .failure(value())
        case 4...7: .synchronous(ending())
        case 8...14: .gated(ending(), heedsCancellation: chance(40))
        case 15, 16: .action(.settles(endings(1...3)))
        case 17...20: .action(.settlesLater(endings(1...3)))
        case 21, 22: .action(.settlesAndThrows(endings(0...1), value()))
        case 23, 24: .action(.hurries(number(70...300), ending(), elsewhere: chance(60)))
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
                case .childFutures, .race, .firstSuccess, .valuesInOrder, .firstResult: 1...5
                }
            return .group(kind, inputs(counts), limit: chance(40) ? number(1...2) : nil)
        }
    }

    private mutating func inputs(_ counts: ClosedRange<Int>) -> [Int] {
        (0..<number(counts)).map { _ in input() }
    }

    /// An input: a node that only this user makes, or a shared one.
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

    mutating func settlement() -> Program.Ending { chance(60) ? .value(value()) : .error(value()) }

    // MARK: Chance

    mutating func family(for node: Int) -> Program.CallbackFamily {
        if chance(50), nodesWithSlots.insert(node).inserted { return .slots }
        return chance(50) ? .observers : .mainObservers
    }

    mutating func number(_ range: ClosedRange<Int>) -> Int { Int.random(in: range, using: &random) }

    private mutating func value() -> Int { number(0...(Program.modulus - 1)) }

    mutating func chance(_ percent: Int) -> Bool { number(1...100) <= percent }

    mutating func any<Element>(_ elements: [Element]) -> Element {
        elements[number(0...(elements.count - 1))]
    }
}
