import NIOCore
import PiuPiu

/// A join of many children that need not wait for anything.
enum ImmediateJoinScenario {
    static let scenario = TimedScenario(
        name: "join-immediate", title: "a join of 1,000 children that don't suspend", expected: 1,
        peer: Contender.taskGroupName,
        contenders: [
            Contender("PiuPiu, of `ResponseFuture { i }`", .piuPiu, targets: [atMost(1.2)], operations),
            Contender("PiuPiu, of `result: i`", .piuPiu, targets: [atMost(1.2)], results),
            Contender("PiuPiu, of `ResponseFuture { i }`, held in an array", .piuPiu, targets: [atMost(1)], held),
            Contender("PiuPiu, of legacy actions", .piuPiu, targets: [atMost(1.2)], actions),
            Contender(Contender.taskGroupName, .yardstick, taskGroup),
            Contender(Contender.nioOnLoopName, .yardstick, nioOnLoop),
            Contender(Contender.actorPerLinkName, .peer, actorPerLink),
        ])

    private static let width = Joins.width

    private static func atMost(_ factor: Double) -> Target {
        .atMost(factor, timesContender: Contender.taskGroupName)
    }

    @inline(never) @concurrent
    private static func operations(_ count: Int) async throws -> Int {
        var sum = 0
        for _ in 0..<count {
            let children = (0..<width).map { index in ResponseFuture { index } }
            sum &+= Joins.check(try await Joins.joined(children).value)
        }
        return sum
    }

    @inline(never) @concurrent
    private static func results(_ count: Int) async throws -> Int {
        var sum = 0
        for _ in 0..<count {
            let children = (0..<width).map { index in ResponseFuture(result: index) }
            sum &+= Joins.check(try await Joins.joined(children).value)
        }
        return sum
    }

    @inline(never) @concurrent
    private static func held(_ count: Int) async throws -> Int {
        var sum = 0
        for _ in 0..<count {
            let children = (0..<width).map { index in ResponseFuture { index } }
            sum &+= Joins.check(try await Joins.joined(children).value)
            withExtendedLifetime(children) {}
        }
        return sum
    }

    @inline(never) @concurrent
    private static func actions(_ count: Int) async throws -> Int {
        var sum = 0
        for _ in 0..<count {
            let children = (0..<width).map { index in ResponseFuture<Int> { $0.succeed(with: index) } }
            sum &+= Joins.check(try await Joins.joined(children).value)
        }
        return sum
    }

    @inline(never) @concurrent
    private static func taskGroup(_ count: Int) async throws -> Int {
        var sum = 0
        for _ in 0..<count {
            let values = try await withThrowingTaskGroup(of: (Int, Int).self) { group in
                for index in 0..<width { group.addTask { (index, index) } }
                return try await Joins.inOrder(&group, width: width)
            }
            sum &+= Joins.check(values)
        }
        return sum
    }

    @inline(never) @concurrent
    private static func nioOnLoop(_ count: Int) async throws -> Int {
        try await NIOLoop.run { loop in
            let sum = Sum()
            for _ in 0..<count {
                let children = (0..<width).map { index in loop.makeSucceededFuture(index) }
                EventLoopFuture.whenAllSucceed(children, on: loop).whenSuccess { sum.add(Joins.check($0)) }
            }
            return sum.total
        }
    }

    @inline(never) @concurrent
    private static func actorPerLink(_ count: Int) async throws -> Int {
        var sum = 0
        for _ in 0..<count {
            let children = (0..<width).map { index in ActorPerLinkFuture { index } }
            let joined = ActorPerLinkFuture {
                try await withThrowingTaskGroup(of: (Int, Int).self) { group in
                    for (index, child) in children.enumerated() {
                        group.addTask { (index, try await child.value) }
                    }
                    return try await Joins.inOrder(&group, width: width)
                }
            }
            sum &+= Joins.check(try await joined.value)
        }
        return sum
    }
}
