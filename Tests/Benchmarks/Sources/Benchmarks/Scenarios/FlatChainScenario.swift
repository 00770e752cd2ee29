import NIOCore
import OpenCombine
import PiuPiu

/// A chain in which each step makes another future.
enum FlatChainScenario {
    static let scenario = TimedScenario(
        name: "flat-chain", title: "a chain of 10 × `flatMap`, made and awaited", expected: 1 + length,
        peer: Contender.nioOnLoopName, targets: [.atMost(0.8, timesContender: Contender.nioOnLoopName)],
        contenders: [
            Contender("PiuPiu, `flatMap`", .piuPiu, piuPiu),
            Contender(Contender.nioOnLoopName, .yardstick, nioOnLoop),
            Contender(Contender.nioGetName, .peer, nioGet),
            Contender("OpenCombine, from `Just`", .peer, openCombine),
        ])

    private static let length = 10

    @inline(never) @concurrent
    private static func piuPiu(_ count: Int) async throws -> Int {
        var sum = 0
        for _ in 0..<count {
            var future = ResponseFuture { 1 }
            for _ in 0..<length { future = future.flatMap { ResponseFuture(result: $0 &+ 1) } }
            sum &+= try await future.value
        }
        return sum
    }

    @inline(never) @concurrent
    private static func nioOnLoop(_ count: Int) async throws -> Int {
        try await NIOLoop.run { loop in
            let sum = Sum()
            for _ in 0..<count {
                var future = loop.makeSucceededFuture(1)
                for _ in 0..<length { future = future.flatMap { loop.makeSucceededFuture($0 &+ 1) } }
                future.whenSuccess { sum.add($0) }
            }
            return sum.total
        }
    }

    @inline(never) @concurrent
    private static func nioGet(_ count: Int) async throws -> Int {
        let loop = NIOLoop.loop
        var sum = 0
        for _ in 0..<count {
            var future = loop.makeSucceededFuture(1)
            for _ in 0..<length { future = future.flatMap { loop.makeSucceededFuture($0 &+ 1) } }
            sum &+= try await future.get()
        }
        return sum
    }

    @inline(never) @concurrent
    private static func openCombine(_ count: Int) async -> Int {
        var sum = 0
        for _ in 0..<count {
            var publisher = Just(1).eraseToAnyPublisher()
            for _ in 0..<length { publisher = publisher.flatMap { Just($0 &+ 1) }.eraseToAnyPublisher() }
            _ = publisher.sink { sum &+= $0 }
        }
        return sum
    }
}
