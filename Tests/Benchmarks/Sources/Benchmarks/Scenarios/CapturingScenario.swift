import NIOCore
import OpenCombine
import PiuPiu

/// A chain whose transforms capture something and have something to do.
enum CapturingScenario {
    static let scenario = TimedScenario(
        name: "capturing", title: "ten transforms that capture a value, over an array of 100", expected: checksum,
        peer: Contender.nioOnLoopName,
        contenders: [
            Contender(
                "PiuPiu, temporary", .piuPiu, targets: [.atMost(0.8, timesContender: Contender.nioOnLoopName)],
                temporary),
            Contender(
                "PiuPiu, held in a variable", .piuPiu,
                targets: [.atMost(1, timesContender: Contender.nioOnLoopName)], held),
            Contender("plain calls", .yardstick, plainCalls),
            Contender(Contender.nioOnLoopName, .yardstick, nioOnLoop),
            Contender(Contender.nioGetName, .peer, nioGet),
            Contender("OpenCombine, from `Just`", .peer, openCombine),
            Contender(Contender.actorPerLinkName, .peer, actorPerLink),
        ])

    private static let elements = Array(0..<100)
    private static let length = 10
    // The first and the last element, each with 0 + 1 + … + 9 added.
    private static let checksum = 45 + 144

    @inline(never)
    private static func check(_ array: [Int]) -> Int {
        array.count == 100 ? array[0] &+ array[99] : 0
    }

    @inline(never)
    private static func adding(_ summand: Int, to array: [Int]) -> [Int] {
        array.map { $0 &+ summand }
    }

    private static func transformed(_ elements: [Int]) -> ResponseFuture<[Int]> {
        var future = ResponseFuture { elements }
        for summand in 0..<length { future = future.then { adding(summand, to: $0) } }
        return future
    }

    @inline(never) @concurrent
    private static func temporary(_ count: Int) async throws -> Int {
        let elements = elements
        var sum = 0
        for _ in 0..<count { sum &+= check(try await transformed(elements).value) }
        return sum
    }

    @inline(never) @concurrent
    private static func held(_ count: Int) async throws -> Int {
        let elements = elements
        var sum = 0
        for _ in 0..<count {
            let future = transformed(elements)
            sum &+= check(try await future.value)
            withExtendedLifetime(future) {}
        }
        return sum
    }

    @inline(never) @concurrent
    private static func plainCalls(_ count: Int) async -> Int {
        var sum = 0
        for _ in 0..<count {
            var array = elements
            for summand in 0..<length { array = adding(summand, to: array) }
            sum &+= check(array)
        }
        return sum
    }

    @inline(never) @concurrent
    private static func nioOnLoop(_ count: Int) async throws -> Int {
        let elements = elements
        return try await NIOLoop.run { loop in
            let sum = Sum()
            for _ in 0..<count {
                var future = loop.makeSucceededFuture(elements)
                for summand in 0..<length { future = future.map { adding(summand, to: $0) } }
                future.whenSuccess { sum.add(check($0)) }
            }
            return sum.total
        }
    }

    @inline(never) @concurrent
    private static func nioGet(_ count: Int) async throws -> Int {
        let elements = elements, loop = NIOLoop.loop
        var sum = 0
        for _ in 0..<count {
            var future = loop.makeSucceededFuture(elements)
            for summand in 0..<length { future = future.map { adding(summand, to: $0) } }
            sum &+= check(try await future.get())
        }
        return sum
    }

    @inline(never) @concurrent
    private static func openCombine(_ count: Int) async -> Int {
        let elements = elements
        var sum = 0
        for _ in 0..<count {
            var publisher = Just(elements).eraseToAnyPublisher()
            for summand in 0..<length {
                publisher = publisher.map { adding(summand, to: $0) }.eraseToAnyPublisher()
            }
            _ = publisher.sink { sum &+= check($0) }
        }
        return sum
    }

    @inline(never) @concurrent
    private static func actorPerLink(_ count: Int) async throws -> Int {
        let elements = elements
        var sum = 0
        for _ in 0..<count {
            var future = ActorPerLinkFuture { elements }
            for summand in 0..<length { future = future.then { adding(summand, to: $0) } }
            sum &+= check(try await future.value)
        }
        return sum
    }
}
