import NIOCore
import PiuPiu

/// What it costs the main actor to read a value that is there already.
enum SettledReadScenario {
    static let scenario = TimedScenario(
        name: "settled-read", title: "read a settled future on the main actor", expected: 1, peer: completedTaskName,
        targets: [.nanoseconds(50)],
        contenders: [
            Contender("PiuPiu, settled by its own work", .piuPiu, settledByWork),
            Contender("PiuPiu, settled through its promise", .piuPiu, settledThroughPromise),
            Contender("PiuPiu, the end of a chain", .piuPiu, settledChain),
            Contender(completedTaskName, .yardstick, completedTask),
            Contender(Contender.nioGetName, .peer, nio),
            Contender("property of an actor", .peer, actorProperty),
        ])

    private static let completedTaskName = "completed `Task`"

    @MainActor @inline(never)
    private static func settledByWork(_ count: Int) async throws -> Int {
        try await read(ResponseFuture { 1 }, count)
    }

    @MainActor @inline(never)
    private static func settledThroughPromise(_ count: Int) async throws -> Int {
        let future = ResponseFuture<Int> { _ in }
        future.succeed(with: 1)
        return try await read(future, count)
    }

    @MainActor @inline(never)
    private static func settledChain(_ count: Int) async throws -> Int {
        try await read(ResponseFuture { 0 }.then { $0 &+ 1 }, count)
    }

    @MainActor @inline(never)
    private static func read(_ future: ResponseFuture<Int>, _ count: Int) async throws -> Int {
        _ = try await future.value
        var sum = 0
        for _ in 0..<count { sum &+= try await future.value }
        return sum
    }

    @MainActor @inline(never)
    private static func completedTask(_ count: Int) async throws -> Int {
        let task = Task { 1 }
        _ = await task.value
        var sum = 0
        for _ in 0..<count { sum &+= await task.value }
        return sum
    }

    @MainActor @inline(never)
    private static func nio(_ count: Int) async throws -> Int {
        let future = NIOLoop.loop.makeSucceededFuture(1)
        var sum = 0
        for _ in 0..<count { sum &+= try await future.get() }
        return sum
    }

    // Not optimised: the compiler leaves out the hop to an actor whose state is evidently constant.
    private actor Holder {
        private var value = 0

        @inline(never) @_optimize(none)
        func settle(with value: Int) { self.value = value }

        @inline(never) @_optimize(none)
        func read() -> Int { value }
    }

    @MainActor @inline(never)
    private static func actorProperty(_ count: Int) async throws -> Int {
        let holder = Holder()
        await holder.settle(with: 1)
        var sum = 0
        for _ in 0..<count { sum &+= await holder.read() }
        return sum
    }
}
