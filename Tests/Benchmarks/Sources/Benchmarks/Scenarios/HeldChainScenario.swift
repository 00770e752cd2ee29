import PiuPiu

/// A chain that its owner keeps in a variable, so that others could ask for its value too.
enum HeldChainScenario {
    static let scenario = TimedScenario(
        name: "chain-10-held", title: "a chain of 10 × `then`, held in a variable, then awaited",
        expected: 1 + length, peer: Contender.nioPromiseName,
        targets: [.atMost(0.8, timesContender: Contender.nioPromiseName)],
        contenders: [
            Contender("PiuPiu, from `ResponseFuture { 1 }`", .piuPiu, operation),
            Contender("PiuPiu, from `result: 1`", .piuPiu, result),
            Contender(Contender.taskName, .yardstick, task),
            Contender(Contender.nioPromiseName, .yardstick) { try await NIOPromiseChain.sum($0, length: length) },
            Contender(Contender.actorPerLinkName, .peer, actorPerLink),
        ])

    private static let length = 10

    private static func chain(from root: ResponseFuture<Int>) -> ResponseFuture<Int> {
        var future = root
        for _ in 0..<length { future = future.then { $0 &+ 1 } }
        return future
    }

    @inline(never) @concurrent
    private static func operation(_ count: Int) async throws -> Int {
        var sum = 0
        for _ in 0..<count {
            let future = chain(from: ResponseFuture { 1 })
            sum &+= try await future.value
            withExtendedLifetime(future) {}
        }
        return sum
    }

    @inline(never) @concurrent
    private static func result(_ count: Int) async throws -> Int {
        var sum = 0
        for _ in 0..<count {
            let future = chain(from: ResponseFuture(result: 1))
            sum &+= try await future.value
            withExtendedLifetime(future) {}
        }
        return sum
    }

    @inline(never) @concurrent
    private static func task(_ count: Int) async -> Int {
        var sum = 0
        for _ in 0..<count {
            let task = Task {
                var value = 1
                for _ in 0..<length { value = increment(value) }
                return value
            }
            sum &+= await task.value
        }
        return sum
    }

    @inline(never) @concurrent
    private static func actorPerLink(_ count: Int) async throws -> Int {
        var sum = 0
        for _ in 0..<count {
            var future = ActorPerLinkFuture { 1 }
            for _ in 0..<length { future = future.then { $0 &+ 1 } }
            sum &+= try await future.value
        }
        return sum
    }
}
