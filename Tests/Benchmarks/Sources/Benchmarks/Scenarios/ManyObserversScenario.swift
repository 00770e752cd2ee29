import NIOCore
import PiuPiu

/// One future with many observers.
enum ManyObserversScenario {
    static let scenarios: [any Scenario] = [
        GrowthScenario(
            name: "many-callbacks", title: "n callbacks on one future", counts: counts + [1_000_000],
            contenders: [
                Contender("PiuPiu, `onSuccess`", .piuPiu, callbacks),
                Contender("swift-nio, `whenSuccess`, on its loop", .yardstick, nioCallbacks),
            ]),
        GrowthScenario(
            name: "many-branches", title: "n futures made from one, and started", counts: counts,
            contenders: [
                Contender("PiuPiu, `then`", .piuPiu, branches),
                Contender("swift-nio, `map`, on its loop", .yardstick, nioBranches),
            ]),
        GrowthScenario(
            name: "many-awaiters", title: "n tasks that await one future", counts: counts,
            contenders: [
                Contender("PiuPiu", .piuPiu, awaiters),
                Contender("one shared `Task`", .yardstick, taskAwaiters),
            ]),
        GrowthScenario(
            name: "many-cancelled-awaiters", title: "n tasks that await one future, and are cancelled",
            counts: counts,
            contenders: [
                Contender("PiuPiu", .piuPiu, cancelledAwaiters),
                Contender("an `AsyncStream` for each", .yardstick, cancelledStreams),
            ]),
    ]

    private static let counts = [1_000, 20_000, 100_000]

    // MARK: Callbacks

    @inline(never) @concurrent
    private static func callbacks(_ count: Int) async -> Int {
        let release = Tally(expecting: 1), told = Tally(expecting: count)
        let future = ResponseFuture { await release.total() }
        for _ in 0..<count { _ = future.onSuccess { told.add($0) } }
        future.send()
        release.add(1)
        return await told.total()
    }

    @inline(never) @concurrent
    private static func nioCallbacks(_ count: Int) async throws -> Int {
        try await NIOLoop.run { loop in
            let promise = loop.makePromise(of: Int.self), sum = Sum()
            for _ in 0..<count { promise.futureResult.whenSuccess { sum.add($0) } }
            promise.succeed(1)
            return sum.total
        }
    }

    // MARK: Branches

    @inline(never) @concurrent
    private static func branches(_ count: Int) async -> Int {
        let release = Tally(expecting: 1), told = Tally(expecting: count)
        let future = ResponseFuture { await release.total() }
        let children = (0..<count).map { _ in future.then { told.add($0) } }
        for child in children { child.send() }
        release.add(1)
        let total = await told.total()
        withExtendedLifetime(children) {}
        return total
    }

    @inline(never) @concurrent
    private static func nioBranches(_ count: Int) async throws -> Int {
        try await NIOLoop.run { loop in
            let promise = loop.makePromise(of: Int.self), sum = Sum()
            let children = (0..<count).map { _ in promise.futureResult.map { sum.add($0) } }
            promise.succeed(1)
            withExtendedLifetime(children) {}
            return sum.total
        }
    }

    // MARK: Awaiters

    // The work ends once all awaiters are about to wait; all but the running ones wait already. They aren't children of
    // a task group, which would search all of them for each that ends.

    @inline(never) @concurrent
    private static func awaiters(_ count: Int) async throws -> Int {
        let arrived = Tally(expecting: count)
        let future = ResponseFuture { await arrived.total() / count }
        future.send()
        let tasks = (0..<count).map { _ in
            Task {
                arrived.add(1)
                return try await future.value
            }
        }
        var sum = 0
        for task in tasks { sum += try await task.value }
        return sum
    }

    @inline(never) @concurrent
    private static func taskAwaiters(_ count: Int) async -> Int {
        let arrived = Tally(expecting: count)
        let shared = Task { await arrived.total() / count }
        let tasks = (0..<count).map { _ in
            Task {
                arrived.add(1)
                return await shared.value
            }
        }
        var sum = 0
        for task in tasks { sum += await task.value }
        return sum
    }

    // MARK: Cancelled awaiters

    @inline(never) @concurrent
    private static func cancelledAwaiters(_ count: Int) async throws -> Int {
        let release = Tally(expecting: 1), arrived = Tally(expecting: count)
        let future = ResponseFuture { await release.total() }
        future.send()
        let tasks = (0..<count).map { _ in
            Task {
                arrived.add(1)
                do { return try await future.value &- 1 } catch { return error is CancellationError ? 1 : 0 }
            }
        }
        _ = await arrived.total()
        let sum = await cancelled(tasks)
        // An awaiter that isn't cancelled gets the value.
        release.add(1)
        return try await future.value == 1 ? sum : 0
    }

    @inline(never) @concurrent
    private static func cancelledStreams(_ count: Int) async -> Int {
        let arrived = Tally(expecting: count)
        let tasks = (0..<count).map { _ in
            Task {
                let (stream, continuation) = AsyncStream<Int>.makeStream()
                arrived.add(1)
                let value = await stream.first { _ in true }
                withExtendedLifetime(continuation) {}
                return value == nil ? 1 : 0
            }
        }
        _ = await arrived.total()
        return await cancelled(tasks)
    }

    /// The sum of the tasks after all are cancelled, neither in the order of arrival nor in reverse.
    private static func cancelled(_ tasks: [Task<Int, Never>]) async -> Int {
        let prime = 7_919
        for index in tasks.indices { tasks[index * prime % tasks.count].cancel() }
        var sum = 0
        for task in tasks { sum += await task.value }
        return sum
    }
}
