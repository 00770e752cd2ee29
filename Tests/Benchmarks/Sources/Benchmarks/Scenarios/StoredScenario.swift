import PiuPiu

/// A future in a property, awaited by another task than the one that made it.
enum StoredScenario {
    static let scenario = TimedScenario(
        name: "stored", title: "store a future, await it from another task", expected: 1, peer: storedTaskName,
        targets: [.atMost(1.2, timesContender: storedTaskName)],
        contenders: [
            Contender("PiuPiu, `ResponseFuture { 1 }`", .piuPiu, synchronousOperation),
            Contender("PiuPiu, `async` operation", .piuPiu, asynchronousOperation),
            Contender(storedTaskName, .yardstick, task),
            Contender(Contender.actorPerLinkName, .peer, actorPerLink),
        ])

    private static let storedTaskName = "a stored `Task`"

    private final class Store<Work: Sendable>: Sendable {
        let work: Work

        @inline(never)
        init(_ work: Work) { self.work = work }
    }

    @inline(never) @concurrent
    private static func synchronousOperation(_ count: Int) async throws -> Int {
        var sum = 0
        for _ in 0..<count {
            let store = Store(ResponseFuture { 1 })
            sum &+= try await Task { try await store.work.value }.value
            withExtendedLifetime(store) {}
        }
        return sum
    }

    @inline(never) @concurrent
    private static func asynchronousOperation(_ count: Int) async throws -> Int {
        var sum = 0
        for _ in 0..<count {
            let store = Store(ResponseFuture { await oneInPlace() })
            sum &+= try await Task { try await store.work.value }.value
            withExtendedLifetime(store) {}
        }
        return sum
    }

    @inline(never) @concurrent
    private static func task(_ count: Int) async -> Int {
        var sum = 0
        for _ in 0..<count {
            let store = Store(Task { await oneInPlace() })
            sum &+= await Task { await store.work.value }.value
            withExtendedLifetime(store) {}
        }
        return sum
    }

    @inline(never) @concurrent
    private static func actorPerLink(_ count: Int) async throws -> Int {
        var sum = 0
        for _ in 0..<count {
            let store = Store(ActorPerLinkFuture { 1 })
            sum &+= try await Task { try await store.work.value }.value
            withExtendedLifetime(store) {}
        }
        return sum
    }
}
