import PiuPiu

/// A chain that the main actor awaits, as a view model does. Its work belongs in the background.
enum MainActorChainScenario {
    static let scenarios = [
        scenario(name: "chain-3-main-actor", inFlight: 16), scenario(name: "chain-3-main-actor-single", inFlight: 1),
    ]

    private static let concurrentCallName = "a `@concurrent` call"

    private static func scenario(name: String, inFlight width: Int) -> TimedScenario {
        TimedScenario(
            name: name,
            title: "a chain of 3 × `then`, made and awaited on the main actor, "
                + (width == 1 ? "one at a time" : "by \(width) tasks at the same time"),
            expected: 4, peer: concurrentCallName,
            targets: [
                .atMost(1.3, timesContender: concurrentCallName),
                .processorTimeAtMost(1.3, timesContender: concurrentCallName),
            ],
            note: width == 1 ? "Most of it is what the kernel takes to wake a thread." : nil,
            contenders: [
                Contender("PiuPiu, temporary", .piuPiu, Contender.inFlight(width, temporary)),
                Contender("PiuPiu, held in a variable", .piuPiu, Contender.inFlight(width, held)),
                Contender(concurrentCallName, .yardstick, Contender.inFlight(width, concurrentCall)),
                Contender("`Task {}` in the background + `value`", .yardstick, Contender.inFlight(width, task)),
                Contender(Contender.actorPerLinkName, .peer, Contender.inFlight(width, actorPerLink)),
            ])
    }

    // Not optimised, like what it calls: it really leaves the main actor.
    @inline(never) @_optimize(none) @concurrent
    private static func work() async -> Int { increment(increment(increment(1))) }

    private static func chain() -> ResponseFuture<Int> {
        ResponseFuture { 1 }.then { $0 &+ 1 }.then { $0 &+ 1 }.then { $0 &+ 1 }
    }

    @MainActor @inline(never)
    private static func temporary(_ count: Int) async throws -> Int {
        var sum = 0
        for _ in 0..<count { sum &+= try await chain().value }
        return sum
    }

    @MainActor @inline(never)
    private static func held(_ count: Int) async throws -> Int {
        var sum = 0
        for _ in 0..<count {
            let future = chain()
            sum &+= try await future.value
            withExtendedLifetime(future) {}
        }
        return sum
    }

    @MainActor @inline(never)
    private static func concurrentCall(_ count: Int) async -> Int {
        var sum = 0
        for _ in 0..<count { sum &+= await work() }
        return sum
    }

    @MainActor @inline(never)
    private static func task(_ count: Int) async -> Int {
        var sum = 0
        for _ in 0..<count { sum &+= await Task { @concurrent in increment(increment(increment(1))) }.value }
        return sum
    }

    @MainActor @inline(never)
    private static func actorPerLink(_ count: Int) async throws -> Int {
        var sum = 0
        for _ in 0..<count {
            var future = ActorPerLinkFuture { 1 }
            for _ in 0..<3 { future = future.then { $0 &+ 1 } }
            sum &+= try await future.value
        }
        return sum
    }
}
