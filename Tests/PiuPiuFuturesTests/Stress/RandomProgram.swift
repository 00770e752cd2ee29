import TestSupport

/// The steps of many tasks on a random graph of futures: a pure description, the same for the same seed.
struct RandomProgram: Sendable {
    /// How a piece of work ends.
    enum Ending: Sendable {
        case value(Int)
        case error(Int)
        case cancelled
    }

    /// What a transform does with a value.
    enum Transform: Sendable {
        case add(Int)
        case fail(Int)
        case failIfOdd(Int)
    }

    /// What a legacy action does with its promise.
    enum Action: Sendable {
        /// Settles at once, with each of the endings.
        case settles([Ending])
        /// Keeps the promise until the node is opened, then settles it with each of the endings, or drops it if there are none.
        case settlesLater([Ending])
        case settlesAndThrows([Ending], Int)
        case drops
        /// Makes many updates in a tight loop, here or on another thread, and then settles.
        case hurries(Int, Ending, elsewhere: Bool)
        /// Lets other nodes fulfill it.
        case isFulfilled(by: [Int])
    }

    enum TransformOperator: CaseIterable, Sendable {
        case then, map, thenOnQueue, thenOnMain, thenResult, safeResult
    }

    /// Operators whose callback makes a future.
    enum InnerOperator: CaseIterable, Sendable {
        case flatMap, flatJoin, flatNullableJoin, replace, seriesJoin
    }

    enum GroupOperator: CaseIterable, Sendable {
        case join, zip, parallelNullableJoin, childFutures, race, firstSuccess
        /// Sequences of which all values are read, or only the first result.
        case valuesInOrder, firstResult
    }

    /// How a node gets its outcome. Nodes are identified by their places, and come after their inputs.
    enum Work: Sendable {
        case result(Int)
        case failure(Int)
        case synchronous(Ending)
        /// Suspends until the node is opened.
        case gated(Ending, heedsCancellation: Bool)
        case action(Action)
        case transform(TransformOperator, of: Int, Transform)
        case inner(InnerOperator, of: Int, making: Int?)
        case group(GroupOperator, [Int], limit: Int?)
    }

    /// Who has a reference to a node's future.
    enum Holding: Sendable {
        /// The program, from beginning to end. Tasks may take steps on it.
        case kept
        /// Its only user, or its own work in flight. The program has a weak reference, and tasks take steps through a
        /// strong one made from that, if the future still exists.
        case weakly
        /// Its only user.
        case unseen
    }

    struct Node: Sendable {
        let work: Work
        let holding: Holding
    }

    enum CallbackFamily: CaseIterable, Sendable {
        case slots, observers, mainObservers
    }

    /// Where an awaiter runs.
    enum Isolation: CaseIterable, Sendable {
        case background, mainActor, ownActor
    }

    /// What a task does with a node that it makes, as no other node uses it.
    enum Beginning: Sendable {
        case awaited(isCancelled: Bool)
        /// It gets callbacks, is sent, and is released.
        case sent(CallbackFamily, onMainActor: Bool)
        /// The program holds it for a while.
        case held
        case dropped
    }

    /// One step of a task, which doesn't wait for the step's end.
    enum Step: Sendable {
        case send(Int)
        /// Attaches callbacks and sends, in one turn of the main actor.
        case sendOnMainActor(Int, CallbackFamily)
        case await(Int, on: Isolation)
        case awaitAndBeCancelled(Int, on: Isolation, late: Bool)
        case cancel(Int)
        case cancelOnMainActor(Int)
        /// Settles the node from outside.
        case settle(Int, Ending)
        case attach(Int, CallbackFamily)
        /// Awaits the node, then settles it again, attaches callbacks, and awaits it once more.
        case disturbAfterEnd(Int, CallbackFamily)
        /// Opens a gated or late node.
        case open(Int)
        /// Makes a strong reference from the weak one, and keeps it for a while.
        case hold(Int)
        /// Releases that reference.
        case letGo(Int)
        case make(Int, Beginning)
        /// Two threads take a step each at the same moment, or one of them `lead` short moments later.
        indirect case collision(Step, Step, lead: Int)
    }

    let seed: UInt64
    let nodes: [Node]
    /// Whether nobody stays interested: each awaiter is cancelled, nothing is sent, and nothing opened, so that all
    /// work in flight must be cancelled (contract rules DOWN and UP).
    let isAbandoned: Bool
    /// Nodes that are opened last: all nodes that can end without them have ended by then (contract rule PROMPT).
    let lateGates: Set<Int>
    /// The steps taken in order before the tasks begin.
    let prelude: [Step]
    /// The steps of each task.
    let tasks: [[Step]]

    /// All steps, with those of a collision listed separately.
    var allSteps: [Step] { (prelude + tasks.joined()).flatMap(\.parts) }
}

extension RandomProgram.Step {
    /// The step, or the two that collide.
    var parts: [RandomProgram.Step] {
        if case .collision(let one, let other, _) = self { one.parts + other.parts } else { [self] }
    }
}

extension RandomProgram {
    /// All values stay below this, so that the sets of the model stay small.
    static let modulus = 61

    /// One value made from several, which depends on their order.
    static func fold(_ values: [Int]) -> Int {
        values.reduce(1) { fold($0, $1) }
    }

    static func fold(_ left: Int, _ right: Int) -> Int { (left * 3 + right) % modulus }
}

extension RandomProgram.Work {
    /// The inputs of this node.
    var inputs: [Int] {
        switch self {
        case .result, .failure, .synchronous, .gated: []
        case .action(.isFulfilled(let sources)): sources
        case .action: []
        case .transform(_, let input, _): [input]
        case .inner(_, let input, let inner): [input] + (inner.map { [$0] } ?? [])
        case .group(_, let inputs, _): inputs
        }
    }

    /// Whether the action cancels its future after it or others have settled it.
    func cancelsAfterEnd(isSettledByOthers: Bool) -> Bool {
        let endings: [RandomProgram.Ending] =
            switch self {
            case .action(.settles(let endings)), .action(.settlesLater(let endings)),
                .action(.settlesAndThrows(let endings, _)):
                endings
            case .action(.hurries(_, let ending, _)): [ending]
            default: []
            }
        return endings.dropFirst(isSettledByOthers ? 0 : 1).contains { if case .cancelled = $0 { true } else { false } }
    }

    /// Whether the node makes many updates.
    var isHurried: Bool { if case .action(.hurries) = self { true } else { false } }

    /// Whether the node waits until it is opened.
    var isOpenable: Bool {
        switch self {
        case .gated, .action(.settlesLater): true
        default: false
        }
    }
}

extension RandomProgram: CustomStringConvertible {
    var description: String {
        let nodes = nodes.enumerated().map { "  \($0) (\($1.holding)): \($1.work)" }
        let tasks = tasks.enumerated().map { "  task \($0): \($1.map { "\($0)" }.joined(separator: "; "))" }
        let text = """
            Program of PIUPIU_SEED=\(seed)\(isAbandoned ? ", abandoned by all" : "")
            \(nodes.joined(separator: "\n"))
              opened last: \(lateGates.sorted())
              first: \(prelude.map { "\($0)" }.joined(separator: "; "))
            \(tasks.joined(separator: "\n"))
            """
        // The cases without the names of their types.
        return text.replacing(/PiuPiuFuturesTests\.RandomProgram\.\w+/, with: "")
    }
}
