import PiuPiu

/// Futures as the children of the user's own task group.
enum TaskGroupScenario {
    static let scenario = TimedScenario(
        name: "add-futures", title: "add 1,000 futures to a task group", expected: 1, peer: addTaskName,
        targets: [.atMost(1.2, timesContender: addTaskName)],
        contenders: [
            Contender("PiuPiu, `addFutures` of `ResponseFuture { i }`", .piuPiu, synchronousOperations),
            Contender("PiuPiu, `addFutures` of `async` operations", .piuPiu, asynchronousOperations),
            Contender(addTaskName, .yardstick, addTask),
        ])

    private static let addTaskName = "`addTask`"
    private static let width = Joins.width

    @inline(never) @concurrent
    private static func synchronousOperations(_ count: Int) async throws -> Int {
        var sum = 0
        for _ in 0..<count {
            sum &+= try await check { $0.addFutures((0..<width).map { index in ResponseFuture { index } }) }
        }
        return sum
    }

    @inline(never) @concurrent
    private static func asynchronousOperations(_ count: Int) async throws -> Int {
        var sum = 0
        for _ in 0..<count {
            sum &+= try await check {
                $0.addFutures((0..<width).map { index in ResponseFuture { index &+ (await oneInPlace()) &- 1 } })
            }
        }
        return sum
    }

    @inline(never) @concurrent
    private static func addTask(_ count: Int) async throws -> Int {
        var sum = 0
        for _ in 0..<count {
            sum &+= try await check { group in
                for index in 0..<width { group.addTask { index } }
            }
        }
        return sum
    }

    /// 1 if the added children return their indices.
    private static func check(
        adding add: (inout ThrowingTaskGroup<Int, any Error>) -> Void
    ) async throws -> Int {
        try await withThrowingTaskGroup(of: Int.self) { group in
            add(&group)
            var sum = 0, count = 0
            for try await value in group {
                sum += value
                count += 1
            }
            return Joins.check(sum: sum, count: count)
        }
    }
}
