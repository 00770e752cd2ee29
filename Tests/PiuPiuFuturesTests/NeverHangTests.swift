import Dispatch
import Foundation
import PiuPiu
import TestSupport
import Testing

@Suite("NEVER-HANG", .timeLimit(.minutes(10)))
struct NeverHangTests {
    @Test("An action that forgets its future fails it with an error that names where it was made")
    func abandoned() async {
        let line: UInt = #line + 1
        let future = ResponseFuture<Int> { _ in }
        do {
            _ = try await future.value
            Issue.record("it has a value")
        } catch {
            #expect(error as? FutureError == .abandoned(file: #fileID, line: line))
            #expect(error.localizedDescription.contains("NeverHangTests.swift:\(line)"))
        }
    }

    @Test("An action that drops its future later fails it then, for callbacks and children too")
    func abandonedLater() async {
        let promise = Box<ResponseFuture<Int>>(), log = EventLog()
        let future = ResponseFuture<Int> { promise.value = $0 }.then { $0 + 1 }
        future.error { log("\($0 is FutureError)") }.completion { log("completion") }.send()
        #expect(future.status == .started)
        promise.value = nil
        #expect(await log.all(2) == ["true", "completion"])
    }

    @Test("An operation that reads a sequence of its own future fails that future")
    func sequenceOfItself() async {
        for limit in [nil, 1] {
            let own = Box<ResponseFuture<Int>>()
            let ordered = ResponseFuture { () async throws -> Int in
                for try await value in [own.value ?? ResponseFuture(result: 0)].valuesInOrder(limit: limit) {
                    return value
                }
                return 0
            }
            own.value = ordered
            #expect(await ordered.ending == "error waitsForItself")
            let other = ResponseFuture { () async throws -> Int in
                let child = (own.value ?? ResponseFuture(result: 0)).then { $0 }
                for await result in [child].resultsInCompletionOrder(limit: limit) { return try result.get() }
                return 0
            }
            own.value = other
            #expect(await other.ending == "error waitsForItself")
            own.value = nil
        }
    }

    @Test(
        "A sequence of a future that begins to wait for the one that iterates it fails",
        arguments: [nil, 1] as [Int?], [false, true])
    func lateSequenceOfItself(limit: Int?, isFulfilled: Bool) async {
        let own = Box<ResponseFuture<Int>>(), gate = Gate()
        let iterating = ResponseFuture { () async throws -> Int in
            let late =
                isFulfilled
                ? ResponseFuture<Int> { promise in
                    ResponseFuture { await gate.pass() }.onSuccess { _ in own.value?.fulfill(promise) }.send()
                } : ResponseFuture { await gate.pass() }.flatMap { _ in own.value ?? ResponseFuture(result: 0) }
            for try await value in [late].valuesInOrder(limit: limit) { return value }
            return 0
        }
        own.value = iterating
        iterating.send()
        await gate.reached()
        gate.open()
        #expect(await iterating.ending == "error waitsForItself")
        own.value = nil
    }

    @Test("One that begins to wait while the loop does something else fails when the loop waits for it, no earlier")
    func sequenceOfItselfInTheMeantime() async {
        let own = Box<ResponseFuture<Int>>(), begin = Gate(), inBody = Gate(), waiting = Gate()
        let iterating = ResponseFuture { () async throws -> [String] in
            let late = ResponseFuture { await begin.pass() }.flatMap { _ -> ResponseFuture<Int> in
                defer { waiting.open() }
                return own.value ?? ResponseFuture(result: 0)
            }
            var words: [String] = []
            for await result in [ResponseFuture(result: 1), late].resultsInOrder(limit: 2) {
                words.append((try? result.get()).map { "\($0)" } ?? "failed")
                guard words.count == 1 else { break }
                begin.open()
                await waiting.opened()
                // The circle may close a moment later; then it is found from the other side.
                words.append("\(late.status)")
                await inBody.pass()
            }
            return words
        }
        own.value = iterating.then { _ in 7 }
        iterating.send()
        await inBody.reached()
        inBody.open()
        #expect(await iterating.ending == #"value ["1", "started", "failed"]"#)
        own.value = nil
    }

    @Test("UP: a cancellation on another thread doesn't wait for a cancellation handler that runs")
    func nestedCancellation() async {
        let gate = Gate(), log = EventLog(), isCancelled = DispatchSemaphore(value: 0)
        let second = ResponseFuture { () async throws in
            try await withTaskCancellationHandler {
                try await gate.passUnlessCancelled()
            } onCancel: {
                log("second")
                isCancelled.signal()
            }
        }
        let first = ResponseFuture { () async throws in
            try await withTaskCancellationHandler {
                try await gate.passUnlessCancelled()
            } onCancel: {
                // Not in a task: the pool of threads may be in use, and this holds a lock that another of them waits for.
                DispatchQueue.global().async { second.cancel() }
                isCancelled.wait()
                log("first")
            }
        }
        first.send()
        second.send()
        await gate.reached(2)
        DispatchQueue.global().async { first.cancel() }
        #expect(await log.all(2) == ["second", "first"])
    }

    @Test("An error that an action throws fails the future")
    func actionThrows() async {
        let future = ResponseFuture<Int> { (_: ResponseFuture<Int>) in throw Mishap(number: 2) }
        #expect(await future.ending == "error Mishap(number: 2)")
    }

    @Test("A cancelled parent cancels through every operator")
    func cancellationIsForwarded() async {
        @Sendable func cancelled() -> ResponseFuture<Int> { ResponseFuture { $0.cancel() } }
        #expect(await cancelled().then { $0 }.ending == "cancelled")
        #expect(await cancelled().map { $0 }.ending == "cancelled")
        #expect(await cancelled().then(on: .main) { $0 }.ending == "cancelled")
        #expect(await cancelled().then(on: .global()) { $0 }.ending == "cancelled")
        #expect(await cancelled().thenResult { _ in 1 }.ending == "cancelled")
        #expect(await cancelled().safeResult().ending == "cancelled")
        #expect(await cancelled().replace { ResponseFuture(result: $0) }.ending == "cancelled")
        #expect(await cancelled().flatMap { ResponseFuture(result: $0) }.ending == "cancelled")
        #expect(await cancelled().seriesJoin { ResponseFuture(result: $0) }.ending == "cancelled")
        #expect(await cancelled().flatJoin { ResponseFuture(result: $0) }.ending == "cancelled")
        #expect(await ResponseFuture<Int> { cancelled().fulfill($0) }.ending == "cancelled")
    }

    @Test("A cancelled inner future cancels through every operator that makes one")
    func innerCancellationIsForwarded() async {
        @Sendable func cancelled() -> ResponseFuture<Int> { ResponseFuture { $0.cancel() } }
        #expect(await ResponseFuture(result: 1).replace { _ in cancelled() }.ending == "cancelled")
        #expect(await ResponseFuture(result: 1).flatMap { _ in cancelled() }.ending == "cancelled")
        #expect(await ResponseFuture(result: 1).seriesJoin { _ in cancelled() }.ending == "cancelled")
        #expect(await ResponseFuture(result: 1).flatJoin { _ in cancelled() }.ending == "cancelled")
    }

    @Test("A callback that returns nil cancels the chain")
    func nilCancels() async {
        #expect(await ResponseFuture(result: 1).replace(Int.self) { _ in nil }.ending == "cancelled")
        #expect(await ResponseFuture(result: 1).flatMap(Int.self) { _ in nil }.ending == "cancelled")
        #expect(await ResponseFuture(result: 1).seriesJoin(Int.self) { _ in nil }.ending == "cancelled")
        #expect(await ResponseFuture(result: 1).flatJoin(Int.self) { _ in nil }.ending == "cancelled")
    }

    @Test("A link reached through a weak reference while its only child runs it still settles")
    func weakReferenceToConsumedLink() async throws {
        let gate = Gate()
        var link: ResponseFuture<Int>? = ResponseFuture {
            await gate.pass()
            return 1
        }
        let weakLink = Weak(link ?? ResponseFuture(result: 0))
        let child = (link ?? ResponseFuture(result: 0)).then { $0 + 1 }
        link = nil
        async let value = child.value
        await gate.reached()
        // The child is running its parent in place at this moment.
        let upgraded = try #require(weakLink.object)
        #expect(upgraded.status == .started)
        async let late = upgraded.ending
        gate.open()
        #expect(try await value == 2)
        #expect(["value 1", "cancelled"].contains(await late))
        #expect(upgraded.status.isComplete)
    }
}
