import NIOCore
import OpenCombine
import PiuPiu

/// One future, made and awaited.
enum CreateScenario {
    static let scenario = TimedScenario(
        name: "create", title: "create a future and await it", expected: 1, peer: Contender.taskName,
        targets: [.atMost(0.6, timesContender: Contender.taskName), .belowEveryPeer],
        contenders: [
            Contender("PiuPiu, `ResponseFuture { 1 }`", .piuPiu, synchronousOperation),
            Contender("PiuPiu, `async` operation", .piuPiu, asynchronousOperation),
            Contender("PiuPiu, `result: 1`", .piuPiu, result),
            Contender("inline `async` call", .yardstick, inlineCall),
            Contender(Contender.taskName, .yardstick, task),
            Contender(Contender.nioOnLoopName, .yardstick, nioOnLoop),
            Contender(Contender.nioGetName, .peer, nioGet),
            Contender("OpenCombine, `Just`, type-erased", .peer, openCombineJust),
            Contender("OpenCombine, `Future`", .peer, openCombineFuture),
            Contender(Contender.actorPerLinkName, .peer, actorPerLink),
        ])

    @inline(never) @concurrent
    private static func synchronousOperation(_ count: Int) async throws -> Int {
        var sum = 0
        for _ in 0..<count { sum &+= try await ResponseFuture { 1 }.value }
        return sum
    }

    @inline(never) @concurrent
    private static func asynchronousOperation(_ count: Int) async throws -> Int {
        var sum = 0
        for _ in 0..<count { sum &+= try await ResponseFuture { await one() }.value }
        return sum
    }

    @inline(never) @concurrent
    private static func result(_ count: Int) async throws -> Int {
        var sum = 0
        for _ in 0..<count { sum &+= try await ResponseFuture(result: 1).value }
        return sum
    }

    @inline(never) @concurrent
    private static func inlineCall(_ count: Int) async -> Int {
        var sum = 0
        for _ in 0..<count { sum &+= await one() }
        return sum
    }

    @inline(never) @concurrent
    private static func task(_ count: Int) async -> Int {
        var sum = 0
        for _ in 0..<count { sum &+= await Task { 1 }.value }
        return sum
    }

    @inline(never) @concurrent
    private static func nioOnLoop(_ count: Int) async throws -> Int {
        try await NIOLoop.run { loop in
            let sum = Sum()
            for _ in 0..<count { loop.makeSucceededFuture(1).whenSuccess { sum.add($0) } }
            return sum.total
        }
    }

    @inline(never) @concurrent
    private static func nioGet(_ count: Int) async throws -> Int {
        let loop = NIOLoop.loop
        var sum = 0
        for _ in 0..<count { sum &+= try await loop.makeSucceededFuture(1).get() }
        return sum
    }

    @inline(never) @concurrent
    private static func openCombineJust(_ count: Int) async -> Int {
        var sum = 0
        for _ in 0..<count { _ = just().sink { sum &+= $0 } }
        return sum
    }

    // As another part of a program would get it: the compiler knows a bare `Just`'s value, and runs nothing.
    @inline(never)
    private static func just() -> AnyPublisher<Int, Never> {
        Just(1).eraseToAnyPublisher()
    }

    @inline(never) @concurrent
    private static func openCombineFuture(_ count: Int) async -> Int {
        var sum = 0
        for _ in 0..<count { _ = Future<Int, Never> { $0(.success(1)) }.sink { sum &+= $0 } }
        return sum
    }

    @inline(never) @concurrent
    private static func actorPerLink(_ count: Int) async throws -> Int {
        var sum = 0
        for _ in 0..<count { sum &+= try await ActorPerLinkFuture { 1 }.value }
        return sum
    }
}
