import AllocationCounter
import NIOCore
import PiuPiu
import Synchronization

/// What a future holds while it runs, and once it has its value.
struct LiveMemoryScenario: Scenario {
    let name = "memory-live"

    func table(with settings: Settings) async throws -> Table {
        var table = Table(
            title: "\(name): what each of many holds allocated in the whole process",
            columns: ["contender", "usable", "target"])
        guard allocation_counter_is_available() else {
            table.note = "Left out: allocations can be counted only where glibc's allocator is used."
            return table
        }
        let count = settings.isQuick ? 1_000 : 20_000
        for contender in Self.contenders {
            // The first few also pay for memory that the process retains for all.
            _ = try await bytes(of: contender, count: 100)
            let bytes = try await bytes(of: contender, count: count)
            let verdict = contender.limit.map { Target.verdict("≤ \(Self.text($0))", isMet: bytes <= $0) }
            table.add([contender.name, Self.text(bytes), settings.isQuick ? "" : verdict ?? ""])
        }
        return table
    }

    private static func text(_ bytes: Double) -> String { "\(Table.grouped(bytes)) B" }

    private func bytes(of contender: Contender, count: Int) async throws -> Double {
        let (bytes, sum) = try await contender.body(count)
        guard sum == count else {
            throw WrongResult(scenario: name, contender: contender.name, expected: count, result: sum)
        }
        return bytes
    }

    /// Holds `count` of something, and returns the sum of their results.
    private struct Contender: Sendable {
        let name: String
        var limit: Double?
        let body: @concurrent @Sendable (_ count: Int) async throws -> (bytes: Double, sum: Int)
    }

    private static let contenders = [
        Contender(name: "pending with two callbacks: PiuPiu, a legacy action", limit: 1_000, body: pendingAction),
        Contender(name: "pending with two callbacks: swift-nio, a promise", body: pendingPromise),
        Contender(name: "suspended: PiuPiu, sent", limit: 1_600, body: suspendedOperation),
        Contender(name: "suspended: a plain `Task`", body: suspendedTask),
        Contender(name: "settled and held: PiuPiu, awaited", limit: 250, body: settledByAwaiting),
        Contender(name: "settled and held: PiuPiu, sent with two callbacks", limit: 250, body: settledBySending),
        Contender(name: "settled and held: a completed `Task`", body: settledTask),
        Contender(name: "settled and held: swift-nio, a kept promise", body: settledPromise),
    ]

    /// Reserves its capacity at the start, so that it is not measured.
    private final class Kept<Element: Sendable>: Sendable {
        private let elements: Mutex<[Element]>

        init(capacity: Int) {
            var elements: [Element] = []
            elements.reserveCapacity(capacity)
            self.elements = Mutex(elements)
        }

        var all: [Element] { elements.withLock { $0 } }

        func keep(_ element: Element) { elements.withLock { $0.append(element) } }
    }

    // MARK: Pending

    @concurrent
    private static func pendingAction(_ count: Int) async throws -> (bytes: Double, sum: Int) {
        let promises = Kept<ResponseFuture<Int>>(capacity: count), sum = Sum(), told = Tally(expecting: count)
        let bytes = try await LiveMemory.bytesPerItem(count) {
            for _ in 0..<count {
                ResponseFuture<Int> { promises.keep($0) }.success { sum.add($0) }.completion { told.add(1) }.send()
            }
        }
        for promise in promises.all { promise.succeed(with: 1) }
        return (bytes, await told.total() == count ? sum.total : 0)
    }

    @concurrent
    private static func pendingPromise(_ count: Int) async throws -> (bytes: Double, sum: Int) {
        let promises = Kept<EventLoopPromise<Int>>(capacity: count), sum = Sum(), told = Tally(expecting: count)
        let bytes = try await LiveMemory.bytesPerItem(count) {
            try await NIOLoop.run { loop in
                for _ in 0..<count {
                    let promise = loop.makePromise(of: Int.self)
                    promise.futureResult.whenSuccess { sum.add($0) }
                    promise.futureResult.whenComplete { _ in told.add(1) }
                    promises.keep(promise)
                }
            }
        }
        for promise in promises.all { promise.succeed(1) }
        return (bytes, await told.total() == count ? sum.total : 0)
    }

    // MARK: Suspended

    @concurrent
    private static func suspendedOperation(_ count: Int) async throws -> (bytes: Double, sum: Int) {
        let latch = Latch(count: count + 1), futures = Kept<ResponseFuture<Int>>(capacity: count)
        let bytes = try await LiveMemory.bytesPerItem(count) {
            for _ in 0..<count {
                let future = ResponseFuture {
                    await latch.wait()
                    return 1
                }
                future.send()
                futures.keep(future)
            }
            await latch.waitForOthers()
        }
        await latch.wait()
        return (bytes, try await sum(of: futures))
    }

    @concurrent
    private static func suspendedTask(_ count: Int) async throws -> (bytes: Double, sum: Int) {
        let latch = Latch(count: count + 1), tasks = Kept<Task<Int, Never>>(capacity: count)
        let bytes = try await LiveMemory.bytesPerItem(count) {
            for _ in 0..<count {
                tasks.keep(
                    Task {
                        await latch.wait()
                        return 1
                    })
            }
            await latch.waitForOthers()
        }
        await latch.wait()
        return (bytes, await sum(of: tasks))
    }

    // MARK: Settled

    @concurrent
    private static func settledByAwaiting(_ count: Int) async throws -> (bytes: Double, sum: Int) {
        let futures = Kept<ResponseFuture<Int>>(capacity: count)
        let bytes = try await LiveMemory.bytesPerItem(count) {
            for _ in 0..<count {
                let future = ResponseFuture { 1 }
                futures.keep(future)
                _ = try await future.value
            }
        }
        return (bytes, try await sum(of: futures))
    }

    @concurrent
    private static func settledBySending(_ count: Int) async throws -> (bytes: Double, sum: Int) {
        let futures = Kept<ResponseFuture<Int>>(capacity: count), told = Sum()
        let bytes = try await LiveMemory.bytesPerItem(count) {
            let completed = Tally(expecting: count)
            for _ in 0..<count {
                let future = ResponseFuture { 1 }.success { told.add($0) }.completion { completed.add(1) }
                futures.keep(future)
                future.send()
            }
            _ = await completed.total()
        }
        return (bytes, told.total == count ? try await sum(of: futures) : 0)
    }

    @concurrent
    private static func settledTask(_ count: Int) async throws -> (bytes: Double, sum: Int) {
        let tasks = Kept<Task<Int, Never>>(capacity: count)
        let bytes = try await LiveMemory.bytesPerItem(count) {
            for _ in 0..<count {
                let task = Task { 1 }
                tasks.keep(task)
                _ = await task.value
            }
        }
        return (bytes, await sum(of: tasks))
    }

    @concurrent
    private static func settledPromise(_ count: Int) async throws -> (bytes: Double, sum: Int) {
        let futures = Kept<EventLoopFuture<Int>>(capacity: count)
        let bytes = try await LiveMemory.bytesPerItem(count) {
            try await NIOLoop.run { loop in
                for _ in 0..<count {
                    let promise = loop.makePromise(of: Int.self)
                    promise.succeed(1)
                    futures.keep(promise.futureResult)
                }
            }
        }
        var sum = 0
        for future in futures.all { sum += try await future.get() }
        return (bytes, sum)
    }

    private static func sum(of futures: Kept<ResponseFuture<Int>>) async throws -> Int {
        var sum = 0
        for future in futures.all { sum += try await future.value }
        return sum
    }

    private static func sum(of tasks: Kept<Task<Int, Never>>) async -> Int {
        var sum = 0
        for task in tasks.all { sum += await task.value }
        return sum
    }
}
