/// One way to do the work of a scenario.
struct Contender: Sendable {
    /// Does it `count` times over and gives the sum of the results.
    typealias Body = @concurrent @Sendable (_ count: Int) async throws -> Int
    /// Comes before each run of a timed contender, and isn't measured.
    typealias Preparation = @concurrent @Sendable (_ count: Int) async throws -> Void

    enum Role: Sendable {
        case piuPiu
        /// A future as others make it.
        case peer
        /// A measure for futures that is no future itself, or no comparable one: the bare language, or nio on its own
        /// loop.
        case yardstick
    }

    let name: String
    let role: Role
    /// The targets of this contender alone, beside those of its scenario.
    let targets: [Target]
    let body: Body
    let preparation: Preparation?

    init(
        _ name: String, _ role: Role, targets: [Target] = [], _ body: @escaping Body, preparation: Preparation? = nil
    ) {
        self.name = name
        self.role = role
        self.targets = targets
        self.body = body
        self.preparation = preparation
    }

    /// Divides the work among several tasks at once. One alone would mostly wait for the kernel to wake the thread that
    /// continues, if that is another one.
    static func inFlight(_ width: Int, _ body: @escaping Body) -> Body {
        { count in
            let tasks = (0..<width).map { index in
                Task { try await body(count / width + (index < count % width ? 1 : 0)) }
            }
            var sum = 0
            for task in tasks { sum &+= try await task.value }
            return sum
        }
    }

    static let taskName = "`Task {}` + `value`"
    static let nioOnLoopName = "swift-nio, on its loop"
    static let nioPromiseName = "swift-nio, a promise on its loop"
    static let nioGetName = "swift-nio, `get()`"
    static let actorPerLinkName = "an actor for every link"
    static let taskGroupName = "`TaskGroup`"
}
