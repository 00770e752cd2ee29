/// One way of doing what a scenario is about.
struct Contender: Sendable {
    /// Does it `count` times over and gives the sum of the results.
    typealias Body = @concurrent @Sendable (_ count: Int) async throws -> Int

    enum Role: Sendable {
        case piuPiu
        /// A future as others make it.
        case peer
        /// Something that a future can be measured by without being its like: the bare language, or nio on its own loop.
        case yardstick
    }

    let name: String
    let role: Role
    /// What this one alone is to reach, beside the targets of its scenario.
    let targets: [Target]
    let body: Body

    init(_ name: String, _ role: Role, targets: [Target] = [], _ body: @escaping Body) {
        self.name = name
        self.role = role
        self.targets = targets
        self.body = body
    }

    static let taskName = "`Task {}` + `value`"
    static let nioOnLoopName = "swift-nio, on its loop"
    static let nioPromiseName = "swift-nio, a promise on its loop"
    static let nioGetName = "swift-nio, `get()`"
    static let actorPerLinkName = "an actor for every link"
    static let taskGroupName = "`TaskGroup`"
}
