import PiuPiu

/// One future that two child tasks await at the same time.
enum TwoAwaitersScenario {
    static let scenarios = [
        scenario(name: "two-awaiters-immediate", work: "work that doesn't suspend", yields: false),
        scenario(name: "two-awaiters-suspending", work: "work that suspends once", yields: true),
    ]

    private static let sharedTaskName = "one shared `Task`"

    private static func scenario(name: String, work: String, yields: Bool) -> TimedScenario {
        TimedScenario(
            name: name, title: "two awaiters (`async let`) of one future, \(work)", expected: 2, peer: sharedTaskName,
            targets: [.atMost(1.2, timesContender: sharedTaskName)],
            contenders: [
                Contender("PiuPiu", .piuPiu) { try await piuPiu($0, yields) },
                Contender(sharedTaskName, .yardstick) { await sharedTask($0, yields) },
                Contender(Contender.actorPerLinkName, .peer) { try await actorPerLink($0, yields) },
            ])
    }

    @inline(never) @concurrent
    private static func work(_ yields: Bool) async -> Int {
        if yields { await Task.yield() }
        return 1
    }

    @inline(never) @concurrent
    private static func piuPiu(_ count: Int, _ yields: Bool) async throws -> Int {
        var sum = 0
        for _ in 0..<count {
            let future = ResponseFuture { await work(yields) }
            async let first = future.value
            async let second = future.value
            sum &+= try await first &+ second
        }
        return sum
    }

    @inline(never) @concurrent
    private static func sharedTask(_ count: Int, _ yields: Bool) async -> Int {
        var sum = 0
        for _ in 0..<count {
            let task = Task { await work(yields) }
            async let first = task.value
            async let second = task.value
            sum &+= await first &+ second
        }
        return sum
    }

    @inline(never) @concurrent
    private static func actorPerLink(_ count: Int, _ yields: Bool) async throws -> Int {
        var sum = 0
        for _ in 0..<count {
            let future = ActorPerLinkFuture { await work(yields) }
            async let first = future.value
            async let second = future.value
            sum &+= try await first &+ second
        }
        return sum
    }
}
