import PiuPiu

/// An operation that has something to wait for.
enum SuspendingScenario {
    static let scenario = TimedScenario(
        name: "suspending", title: "await an operation that suspends once", expected: 1, peer: Contender.taskName,
        targets: [.processorTimeAtMost(1.5, timesContender: Contender.taskName)],
        contenders: [
            Contender("PiuPiu, temporary", .piuPiu, temporary),
            Contender("PiuPiu, held in a variable", .piuPiu, held),
            Contender(Contender.taskName, .yardstick, task),
            Contender("`Task {}` + `value` within a cancellation handler", .yardstick, taskWithHandler),
            Contender(Contender.actorPerLinkName, .peer, actorPerLink),
        ])

    private static func work() async -> Int {
        await Task.yield()
        return 1
    }

    @inline(never) @concurrent
    private static func temporary(_ count: Int) async throws -> Int {
        var sum = 0
        for _ in 0..<count { sum &+= try await ResponseFuture { await work() }.value }
        return sum
    }

    @inline(never) @concurrent
    private static func held(_ count: Int) async throws -> Int {
        var sum = 0
        for _ in 0..<count {
            let future = ResponseFuture { await work() }
            sum &+= try await future.value
            withExtendedLifetime(future) {}
        }
        return sum
    }

    @inline(never) @concurrent
    private static func task(_ count: Int) async -> Int {
        var sum = 0
        for _ in 0..<count { sum &+= await Task { await work() }.value }
        return sum
    }

    @inline(never) @concurrent
    private static func taskWithHandler(_ count: Int) async -> Int {
        var sum = 0
        for _ in 0..<count {
            let task = Task { await work() }
            sum &+= await withTaskCancellationHandler {
                await task.value
            } onCancel: {
                task.cancel()
            }
        }
        return sum
    }

    @inline(never) @concurrent
    private static func actorPerLink(_ count: Int) async throws -> Int {
        var sum = 0
        for _ in 0..<count { sum &+= try await ActorPerLinkFuture { await work() }.value }
        return sum
    }
}
