import NIOCore
import OpenCombine
import PiuPiu

/// A chain of transforms that capture nothing.
enum ChainScenario {
    static func scenario(length: Int) -> TimedScenario {
        TimedScenario(
            name: "chain-\(length)", title: "a chain of \(length) × `then`, made and awaited", expected: 1 + length,
            peer: length == 3 ? Contender.taskName : Contender.nioOnLoopName,
            targets: length == 3
                ? [.atMost(1.2, timesContender: Contender.taskName), .belowEveryPeer]
                : [.atMost(0.75, timesContender: Contender.nioOnLoopName)],
            contenders: [
                Contender("PiuPiu, from `ResponseFuture { 1 }`", .piuPiu) { try await operation($0, length) },
                Contender("PiuPiu, from `result: 1`", .piuPiu) { try await result($0, length) },
                Contender("inline `async` calls", .yardstick) { await inlineCalls($0, length) },
                Contender(Contender.taskName, .yardstick) { await task($0, length) },
                Contender(Contender.nioOnLoopName, .yardstick) { try await nioOnLoop($0, length) },
                Contender(Contender.nioGetName, .peer) { try await nioGet($0, length) },
                Contender("OpenCombine, from `Just`", .peer) { await openCombineJust($0, length) },
                Contender("OpenCombine, from `Future`", .peer) { await openCombineFuture($0, length) },
                Contender(Contender.actorPerLinkName, .peer) { try await actorPerLink($0, length) },
            ])
    }

    @inline(never) @concurrent
    private static func operation(_ count: Int, _ length: Int) async throws -> Int {
        var sum = 0
        for _ in 0..<count {
            var future = ResponseFuture { 1 }
            for _ in 0..<length { future = future.then { $0 &+ 1 } }
            sum &+= try await future.value
        }
        return sum
    }

    @inline(never) @concurrent
    private static func result(_ count: Int, _ length: Int) async throws -> Int {
        var sum = 0
        for _ in 0..<count {
            var future = ResponseFuture(result: 1)
            for _ in 0..<length { future = future.then { $0 &+ 1 } }
            sum &+= try await future.value
        }
        return sum
    }

    @inline(never) @concurrent
    private static func inlineCalls(_ count: Int, _ length: Int) async -> Int {
        var sum = 0
        for _ in 0..<count {
            var value = await one()
            for _ in 0..<length { value = await incrementAsync(value) }
            sum &+= value
        }
        return sum
    }

    @inline(never) @concurrent
    private static func task(_ count: Int, _ length: Int) async -> Int {
        var sum = 0
        for _ in 0..<count {
            sum &+= await Task {
                var value = 1
                for _ in 0..<length { value = increment(value) }
                return value
            }.value
        }
        return sum
    }

    @inline(never) @concurrent
    private static func nioOnLoop(_ count: Int, _ length: Int) async throws -> Int {
        try await NIOLoop.run { loop in
            let sum = Sum()
            for _ in 0..<count {
                var future = loop.makeSucceededFuture(1)
                for _ in 0..<length { future = future.map { $0 &+ 1 } }
                future.whenSuccess { sum.add($0) }
            }
            return sum.total
        }
    }

    @inline(never) @concurrent
    private static func nioGet(_ count: Int, _ length: Int) async throws -> Int {
        let loop = NIOLoop.loop
        var sum = 0
        for _ in 0..<count {
            var future = loop.makeSucceededFuture(1)
            for _ in 0..<length { future = future.map { $0 &+ 1 } }
            sum &+= try await future.get()
        }
        return sum
    }

    @inline(never) @concurrent
    private static func openCombineJust(_ count: Int, _ length: Int) async -> Int {
        var sum = 0
        for _ in 0..<count {
            var publisher = Just(1).eraseToAnyPublisher()
            for _ in 0..<length { publisher = publisher.map { $0 &+ 1 }.eraseToAnyPublisher() }
            _ = publisher.sink { sum &+= $0 }
        }
        return sum
    }

    @inline(never) @concurrent
    private static func openCombineFuture(_ count: Int, _ length: Int) async -> Int {
        var sum = 0
        for _ in 0..<count {
            var publisher = Future<Int, Never> { $0(.success(1)) }.eraseToAnyPublisher()
            for _ in 0..<length { publisher = publisher.map { $0 &+ 1 }.eraseToAnyPublisher() }
            _ = publisher.sink { sum &+= $0 }
        }
        return sum
    }

    @inline(never) @concurrent
    private static func actorPerLink(_ count: Int, _ length: Int) async throws -> Int {
        var sum = 0
        for _ in 0..<count {
            var future = ActorPerLinkFuture { 1 }
            for _ in 0..<length { future = future.then { $0 &+ 1 } }
            sum &+= try await future.value
        }
        return sum
    }
}
