import PiuPiu

/// A chain that begins with an `async` operation, as almost all do; this one has nothing to wait for.
enum AsynchronousChainScenario {
    static let scenario = TimedScenario(
        name: "chain-10-async", title: "a chain of 10 × `then` from an `async` operation that doesn't suspend",
        expected: 1 + length, peer: Contender.nioPromiseName,
        contenders: [
            Contender(
                "PiuPiu, temporary", .piuPiu, targets: [.atMost(0.9, timesContender: Contender.nioPromiseName)],
                temporary),
            Contender("PiuPiu, held in a variable", .piuPiu, held),
            Contender(Contender.taskName, .yardstick, task),
            Contender(Contender.nioPromiseName, .yardstick) { try await NIOPromiseChain.sum($0, length: length) },
        ])

    private static let length = 10

    private static func chain() -> ResponseFuture<Int> {
        var future = ResponseFuture { await oneInPlace() }
        for _ in 0..<length { future = future.then { $0 &+ 1 } }
        return future
    }

    @inline(never) @concurrent
    private static func temporary(_ count: Int) async throws -> Int {
        var sum = 0
        for _ in 0..<count { sum &+= try await chain().value }
        return sum
    }

    @inline(never) @concurrent
    private static func held(_ count: Int) async throws -> Int {
        var sum = 0
        for _ in 0..<count {
            let future = chain()
            sum &+= try await future.value
            withExtendedLifetime(future) {}
        }
        return sum
    }

    @inline(never) @concurrent
    private static func task(_ count: Int) async -> Int {
        var sum = 0
        for _ in 0..<count {
            sum &+= await Task {
                var value = await oneInPlace()
                for _ in 0..<length { value = increment(value) }
                return value
            }.value
        }
        return sum
    }
}
