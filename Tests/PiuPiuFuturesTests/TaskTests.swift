import Dispatch
import Foundation
import PiuPiu
import TestSupport
import Testing

private enum Traits {
    @TaskLocal static var name = "nobody"
}

@Suite("async/await and tasks", .timeLimit(.minutes(10)))
struct TaskTests {
    @Test("NO-MAIN: awaiting works while the main thread is blocked")
    func noMain() async throws {
        let future = ResponseFuture<Int> { $0.succeed(with: 1) }
            .then { $0 + 1 }
            .flatMap { number in ResponseFuture { number + 1 } }
            .flatJoin { number in ResponseFuture(result: number + 1) }
            .thenResult { try $0.get().1 }
            .safeResult()
            .completion {}
        #expect(try await MainQueue.blocked { try await future.value.get() } == 4)
        #expect(future.status == .success)
    }

    @Test("DOWN: cancelling the only awaiter resumes it at once and cancels the work, deaf or not")
    func down() async {
        for isDeaf in [true, false] {
            let gate = Gate(), cancelled = Gate()
            let future = ResponseFuture {
                await withTaskCancellationHandler {
                    if isDeaf { await gate.pass() } else { try? await gate.passUnlessCancelled() }
                } onCancel: {
                    cancelled.open()
                }
                return 1
            }
            let awaiter = future.then { $0 }.awaitedInTask()
            await gate.reached()
            awaiter.cancel()
            #expect(await awaiter.value == "cancelled")
            await cancelled.opened()
            #expect(future.status == .cancelled)
            gate.open()
            #expect(await future.ending == "cancelled")
        }
    }

    @Test("DOWN: an already cancelled task gets no value and starts nothing")
    func cancelledAwaiter() async {
        let runs = Counter()
        let future = ResponseFuture { runs.increment() }
        let awaiter = Task {
            withUnsafeCurrentTask { $0?.cancel() }
            return await future.ending
        }
        #expect(await awaiter.value == "cancelled")
        #expect(runs.value == 0)
        #expect(await future.ending == "value 1")
    }

    @Test("DOWN: while another observer is interested, the work goes on")
    func othersAreInterested() async throws {
        for kind in ["awaiter", "sent", "branch"] {
            let gate = Gate(), log = EventLog()
            let future = ResponseFuture {
                try await gate.passUnlessCancelled()
                return 1
            }
            let branch = future.then { $0 + 1 }
            async let other: Void = {
                switch kind {
                case "awaiter": log(await future.ending)
                case "sent": future.success { log("value \($0)") }.send()
                default: log(await branch.ending)
                }
            }()
            if kind == "sent" { await other }
            await gate.reached()
            let awaiter = future.awaitedInTask()
            awaiter.cancel()
            #expect(await awaiter.value == "cancelled")
            #expect(future.status == .started)
            gate.open()
            await other
            #expect(await log.all(1) == [kind == "branch" ? "value 2" : "value 1"])
        }
    }

    @Test("SHARED: one awaiter's cancellation affects no other")
    func shared() async {
        let gate = Gate()
        let future = ResponseFuture {
            try await gate.passUnlessCancelled()
            return 1
        }
        let awaiters = (0..<20).map { _ in future.awaitedInTask() }
        await gate.reached()
        for (number, awaiter) in awaiters.enumerated() where number.isMultiple(of: 2) {
            awaiter.cancel()
            #expect(await awaiter.value == "cancelled")
        }
        #expect(future.status == .started)
        gate.open()
        for (number, awaiter) in awaiters.enumerated() where !number.isMultiple(of: 2) {
            #expect(await awaiter.value == "value 1")
        }
    }

    @Test("UP: cancel() resumes every awaiter, and cancels the work and parents without other observers")
    func up() async {
        let gate = Gate(), log = EventLog(), cancelled = Gate()
        let root = ResponseFuture {
            await withTaskCancellationHandler {
                await gate.pass()
            } onCancel: {
                cancelled.open()
            }
            return 1
        }
        let middle = root.then { number in
            log("then")
            return number
        }
        let last = middle.then { $0 }.cancellation { log("cancellation") }.completion { log("completion") }
        last.send()
        async let first = last.ending
        async let second = last.ending
        await gate.reached()
        last.cancel()
        #expect(await [first, second] == ["cancelled", "cancelled"])
        await cancelled.opened()
        #expect(await root.ending == "cancelled")
        #expect(await middle.ending == "cancelled")
        gate.open()
        #expect(await log.all(2) == ["cancellation", "completion"])
    }

    @Test("UP: a parent with other observers goes on; a future chained on a cancelled one is cancelled")
    func upWithOtherInterest() async {
        let gate = Gate()
        let root = ResponseFuture {
            try await gate.passUnlessCancelled()
            return 1
        }
        let kept = root.then { $0 + 1 }, dropped = root.then { $0 + 2 }
        kept.send()
        dropped.send()
        await gate.reached()
        dropped.cancel()
        #expect(await dropped.then { $0 }.ending == "cancelled")
        #expect(root.status == .started)
        gate.open()
        #expect(await kept.ending == "value 2")
    }

    @Test("UP: cancelling an inner future of replace, or the outer one, cancels the other", arguments: [true, false])
    func upThroughReplace(cancelsInner: Bool) async {
        let gate = Gate()
        let inner = ResponseFuture {
            try await gate.passUnlessCancelled()
            return 1
        }
        let outer = ResponseFuture(result: 0).flatMap { _ in inner }
        outer.send()
        await gate.reached()
        if cancelsInner { inner.cancel() } else { outer.cancel() }
        #expect(await outer.ending == "cancelled")
        #expect(await inner.ending == "cancelled")
    }

    @Test("UP: cancelling a future cancels the one that fulfills it")
    func upThroughFulfill() async {
        let gate = Gate()
        let source = ResponseFuture {
            try await gate.passUnlessCancelled()
            return 1
        }
        let future = ResponseFuture<Int> { source.fulfill($0) }
        future.send()
        await gate.reached()
        future.cancel()
        #expect(await source.ending == "cancelled")
    }

    @Test("UP: URLError.cancelled is a cancellation, whichever way it arrives")
    func urlErrorCancelled() async {
        #expect(await ResponseFuture<Int>(error: URLError(.cancelled)).ending == "cancelled")
        #expect(await ResponseFuture<Int> { $0.fail(with: URLError(.cancelled)) }.ending == "cancelled")
        #expect(await ResponseFuture(result: 1).then { _ -> Int in throw URLError(.cancelled) }.ending == "cancelled")
        #expect(await ResponseFuture<Int>(error: URLError(.cancelled)).safeResult().ending == "cancelled")
    }

    @Test("EARLY: a future cancelled before it starts runs nothing")
    func early() async {
        let runs = Counter()
        let operation = ResponseFuture { runs.increment() }.then { _ in runs.increment() }
        let action = ResponseFuture<Int> { $0.succeed(with: runs.increment()) }.then { _ in runs.increment() }
        for future in [operation, action] {
            future.cancel()
            future.send()
            #expect(future.status == .cancelled)
            #expect(await future.ending == "cancelled")
        }
        #expect(runs.value == 0)
    }

    @Test(
        "EARLY, SAME: parents of a future cancelled before its start stay cold, no matter who holds them",
        arguments: [true, false])
    func earlyParents(isHeld: Bool) async throws {
        let runs = Counter(), root = ResponseFuture { runs.increment() }
        let held: ResponseFuture<Int>? = isHeld ? root.then { $0 } : nil
        let child = (held ?? root.then { $0 }).then { $0 }.flatMap { ResponseFuture(result: $0) }
        child.cancel()
        #expect(root.status == .created && held?.status ?? .created == .created)
        #expect(runs.value == 0)
        #expect(try await (held ?? root).value == 1)
        #expect(await child.ending == "cancelled")
    }

    @Test("UP: CocoaError.userCancelled, which an open panel throws, is a cancellation")
    func userCancelled() async {
        let thrown = ResponseFuture<Int> { throw CocoaError(.userCancelled) }
        #expect(await thrown.ending == "cancelled")
        #expect(await ResponseFuture<Int> { $0.fail(with: CocoaError(.userCancelled)) }.ending == "cancelled")
        #expect(await ResponseFuture<Int>(error: CocoaError(.fileNoSuchFile)).ending != "cancelled")
    }

    @Test("INHERIT: work has its starting task's task-local values and priority")
    func inherit() async throws {
        let operation = ResponseFuture { (Traits.name, Task.currentPriority) }
        let chained = operation.then { ($0.0, $0.1, Traits.name) }
        let awaited = try await Traits.$name.withValue("awaiter") {
            try await Task(priority: .high) { try await chained.value }.value
        }
        #expect(awaited.0 == "awaiter")
        #expect(awaited.1 >= .high)
        #expect(awaited.2 == "awaiter")

        let log = EventLog()
        let sent = ResponseFuture { Traits.name }
            .success { log("operation \($0), callback \(Traits.name)") }
            .onCompletion { log("completion \(Traits.name)") }
        Traits.$name.withValue("sender") { sent.send() }
        #expect(await log.all(2).sorted() == ["completion sender", "operation sender, callback sender"])
    }

    @Test("SENDABLE: futures of every kind of value cross into task groups")
    func sendable() async throws {
        let futures = (0..<10).map { number in ResponseFuture { (number, "\(number)") } }
        let sum = try await withThrowingTaskGroup(of: (Int, String).self) { group in
            for future in futures { group.addTask { try await future.value } }
            return try await group.reduce(0) { $0 + $1.0 }
        }
        #expect(sum == 45)
    }

    @Test("The result property gives errors and cancellations as values")
    func result() async {
        #expect(await (try? ResponseFuture(result: 1).result.get()) == 1)
        guard case .failure(let error) = await ResponseFuture<Int>(error: Mishap()).result else {
            Issue.record("no failure")
            return
        }
        #expect(error is Mishap)
        let cancelled = ResponseFuture<Int> { $0.cancel() }
        guard case .failure(let cancellation) = await cancelled.result else {
            Issue.record("no failure")
            return
        }
        #expect(cancellation is CancellationError)
    }

    @Test("GROUPS: in a task group the first failure cancels the siblings, down to their work")
    func groups() async {
        let gate = Gate()
        let siblings = (0..<3).map { _ in
            ResponseFuture {
                try await gate.passUnlessCancelled()
                return 1
            }
        }
        let promise = Box<ResponseFuture<Int>>()
        let failing = ResponseFuture<Int> { promise.value = $0 }
        failing.send()
        await #expect(throws: Mishap(number: 6)) {
            try await withThrowingTaskGroup(of: Int.self) { group in
                for future in siblings + [failing] { group.addTask { try await future.value } }
                await gate.reached(3)
                promise.value?.fail(with: Mishap(number: 6))
                for try await _ in group {}
            }
        }
        for sibling in siblings { #expect(await sibling.ending == "cancelled") }
    }

    @Test("GROUPS: a series join fails with the error of either part; safeResult turns a part's failure into a value")
    func seriesJoinFailure() async throws {
        let first = ResponseFuture<Int>(error: Mishap(number: 1)).seriesJoin { ResponseFuture(result: $0) }
        #expect(await first.ending == "error Mishap(number: 1)")
        let second = ResponseFuture(result: 1).flatJoin { _ in ResponseFuture<Int>(error: Mishap(number: 2)) }
        #expect(await second.ending == "error Mishap(number: 2)")
        let safe = ResponseFuture(result: 1).flatJoin { _ in ResponseFuture<Int>(error: Mishap(number: 3)).safeResult()
        }
        let (value, result) = try await safe.value
        #expect(value == 1)
        #expect(throws: Mishap(number: 3)) { try result.get() }
    }
}
