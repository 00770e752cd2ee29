import Dispatch
import PiuPiu
import TestSupport
import Testing

@Suite("INHERIT: joins with a limit", .timeLimit(.minutes(10)))
struct LimitedJoinTests {
    @TaskLocal private static var name = "none"

    /// An action that other code settles, and a part for each later place.
    private func parts(_ begun: @escaping @Sendable (ResponseFuture<String>) -> Void) -> [ResponseFuture<String>] {
        let later = (0..<4).map { _ in
            ResponseFuture { () async in "\(Self.name) \(Task.currentPriority >= .high)" }
        }
        return [ResponseFuture { promise in begun(promise) }] + later
    }

    private func settleElsewhere(
        _ promise: ResponseFuture<String>, _ result: Result<String, any Error>, onQueue: Bool
    ) {
        guard onQueue else {
            Task.detached(priority: .background) {
                Self.$name.withValue("other") { promise.complete(with: result) }
            }
            return
        }
        DispatchQueue.global(qos: .background).async { promise.complete(with: result) }
    }

    @Test(
        "Parts that begin later have the task-local values and the priority of the join, whoever ended the part before",
        arguments: 1...3, [true, false])
    func later(limit: Int, onQueue: Bool) async throws {
        let parts = parts { settleElsewhere($0, .success("first"), onQueue: onQueue) }
        let task = Task(priority: .high) {
            try await Self.$name.withValue("mine") {
                try await ResponseFuture<[String]>(childFutures: parts, limit: limit).value
            }
        }
        #expect(try await task.value == ["first"] + Array(repeating: "mine true", count: 4))
    }

    @Test("The same for firstSuccess, whose first future fails elsewhere", arguments: [true, false])
    func firstSuccess(onQueue: Bool) async throws {
        let parts = parts { settleElsewhere($0, .failure(Mishap()), onQueue: onQueue) }
        let task = Task(priority: .high) {
            try await Self.$name.withValue("mine") {
                try await ResponseFuture.firstSuccess(of: parts, limit: 1).value
            }
        }
        #expect(try await task.value == "mine true")
    }

    @Test("RELEASE: a cancelled join leaves no part and no waiting task behind", arguments: [1, 2, 30])
    func release(limit: Int) async {
        let members = Population(), gate = Gate()
        let join = ResponseFuture<[Int]>(
            childFutures: (0..<20).map { number in
                let member = members.member()
                return ResponseFuture { () async throws -> Int in
                    defer { withExtendedLifetime(member) {} }
                    try await gate.passUnlessCancelled()
                    return number
                }
            }, limit: limit)
        let waiting = Awaiting(now: join)
        await gate.reached(min(limit, 20))
        join.cancel()
        #expect(await waiting.ending == "cancelled")
        await members.extinct()
    }
}
