import Dispatch
import NIOCore
import PiuPiu

/// A value that old code delivers on a queue of its own.
enum HandOffScenario {
    static let scenarios = [scenario(name: "hand-off", inFlight: 16), scenario(name: "hand-off-single", inFlight: 1)]

    private static let continuationName = "checked continuation"

    private static func scenario(name: String, inFlight width: Int) -> TimedScenario {
        TimedScenario(
            name: name,
            title: "await a value that another queue delivers, "
                + (width == 1 ? "one at a time" : "by \(width) tasks at the same time"),
            expected: 1, peer: continuationName, targets: [.atMost(1.3, timesContender: continuationName)],
            note: width == 1 ? "Most of it is what the kernel takes to wake a thread." : nil,
            contenders: [
                Contender("PiuPiu, legacy action", .piuPiu, Contender.inFlight(width, piuPiu)),
                Contender(continuationName, .yardstick, Contender.inFlight(width, continuation)),
                Contender("swift-nio, promise + `get()`", .peer, Contender.inFlight(width, nio)),
            ])
    }

    private static let queue = DispatchQueue(label: "Benchmarks.HandOff")

    @inline(never) @concurrent
    private static func piuPiu(_ count: Int) async throws -> Int {
        let queue = queue
        var sum = 0
        for _ in 0..<count {
            let future = ResponseFuture<Int> { future in
                queue.async { future.succeed(with: 1) }
            }
            sum &+= try await future.value
        }
        return sum
    }

    @inline(never) @concurrent
    private static func continuation(_ count: Int) async -> Int {
        let queue = queue
        var sum = 0
        for _ in 0..<count {
            sum &+= await withCheckedContinuation { continuation in
                queue.async { continuation.resume(returning: 1) }
            }
        }
        return sum
    }

    @inline(never) @concurrent
    private static func nio(_ count: Int) async throws -> Int {
        let queue = queue, loop = NIOLoop.loop
        var sum = 0
        for _ in 0..<count {
            let promise = loop.makePromise(of: Int.self)
            queue.async { promise.succeed(1) }
            sum &+= try await promise.futureResult.get()
        }
        return sum
    }
}
