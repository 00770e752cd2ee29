import NIOCore
import PiuPiu

/// A join of many children that all wait at the same time.
enum SuspendedJoinScenario {
    static let scenario = TimedScenario(
        name: "join-suspended", title: "a join of 1,000 children, each resumed once all are suspended", expected: 1,
        peer: Contender.taskGroupName, targets: [.atMost(1.1, timesContender: Contender.taskGroupName)],
        note: "On its loop, swift-nio has no tasks to suspend: its promises are kept one after the other, once all "
            + "have been joined.",
        contenders: [
            Contender("PiuPiu", .piuPiu, piuPiu),
            Contender(Contender.taskGroupName, .yardstick, taskGroup),
            Contender(Contender.nioOnLoopName, .yardstick, nioOnLoop),
            Contender("swift-nio, promises kept by tasks", .peer, nioTasks),
            Contender(Contender.actorPerLinkName, .peer, actorPerLink),
        ])

    private static let width = Joins.width

    @inline(never) @concurrent
    private static func piuPiu(_ count: Int) async throws -> Int {
        var sum = 0
        for _ in 0..<count {
            let latch = Latch(count: width)
            let children = (0..<width).map { index in
                ResponseFuture {
                    await latch.wait()
                    return index
                }
            }
            sum &+= Joins.check(try await Joins.joined(children).value)
        }
        return sum
    }

    @inline(never) @concurrent
    private static func taskGroup(_ count: Int) async throws -> Int {
        var sum = 0
        for _ in 0..<count {
            let latch = Latch(count: width)
            let values = try await withThrowingTaskGroup(of: (Int, Int).self) { group in
                for index in 0..<width {
                    group.addTask {
                        await latch.wait()
                        return (index, index)
                    }
                }
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
                let promises = (0..<width).map { _ in loop.makePromise(of: Int.self) }
                let joined = EventLoopFuture.whenAllSucceed(promises.map(\.futureResult), on: loop)
                joined.whenSuccess { sum.add(Joins.check($0)) }
                for (index, promise) in promises.enumerated() { promise.succeed(index) }
            }
            return sum.total
        }
    }

    @inline(never) @concurrent
    private static func nioTasks(_ count: Int) async throws -> Int {
        let loop = NIOLoop.loop
        var sum = 0
        for _ in 0..<count {
            let latch = Latch(count: width)
            let children = (0..<width).map { index in
                let promise = loop.makePromise(of: Int.self)
                promise.completeWithTask {
                    await latch.wait()
                    return index
                }
                return promise.futureResult
            }
            sum &+= Joins.check(try await EventLoopFuture.whenAllSucceed(children, on: loop).get())
        }
        return sum
    }

    @inline(never) @concurrent
    private static func actorPerLink(_ count: Int) async throws -> Int {
        var sum = 0
        for _ in 0..<count {
            let latch = Latch(count: width)
            let children = (0..<width).map { index in
                ActorPerLinkFuture {
                    await latch.wait()
                    return index
                }
            }
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
