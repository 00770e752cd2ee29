import Dispatch
import Foundation
import PiuPiu
import TestSupport
import Testing

/// Each test fails with a break of the core that no other test noticed.
@Suite("Breaks that survived: starts, cancellations and releases", .timeLimit(.minutes(10)))
struct SurvivedBreakTests {
    @Test("RELEASE: a future with a value doesn't retain the settled parent that it was made from")
    func settledParent() async {
        func made() async -> (child: ResponseFuture<Int>, parent: Weak<ResponseFuture<Int>>) {
            let parent = ResponseFuture { 1 }
            #expect(await parent.ending == "value 1")
            return (parent.then { $0 + 1 }, Weak(parent))
        }
        let (child, parent) = await made()
        #expect(parent.object != nil)
        #expect(await child.ending == "value 2")
        #expect(parent.object == nil)
        #expect(child.status == .success)
    }

    /// What begins after an action.
    enum Following: CaseIterable, Sendable {
        case transform, part, synchronousPart

        func made(after action: ResponseFuture<Int>, _ work: @escaping @Sendable () -> Void) -> ResponseFuture<Int> {
            switch self {
            case .transform:
                action.then { number in
                    work()
                    return number
                }
            case .part:
                action.join(
                    ResponseFuture { () async in
                        work()
                        return 1
                    }
                ).then { $0.0 }
            case .synchronousPart:
                action.join(
                    ResponseFuture {
                        work()
                        return 1
                    }
                ).then { $0.0 }
            }
        }
    }

    /// Many rounds, as the maker of a task is often quick enough to raise it before it begins.
    @Test("ESCALATE: an awaiter that comes before the work raises it once it begins", arguments: Following.allCases)
    func escalatedBeforeTheWork(following: Following) async throws {
        guard #available(macOS 26, iOS 26, tvOS 26, watchOS 26, visionOS 26, *) else { return }
        // The work must do what a plain task does.
        let end = Gate()
        let plain = Task(priority: .background) {
            await end.pass()
            return Task.currentPriority >= .high
        }
        Task.immediate(priority: .high) { _ = await plain.value }
        end.open()
        let isRaised = await plain.value
        for round in 0..<200 {
            let log = EventLog(), entered = Gate(), release = DispatchSemaphore(value: 0)
            let action = ResponseFuture<Int> { promise in
                entered.open()
                release.wait()
                promise.succeed(with: 1)
            }
            let child = following.made(after: action) { log("\(Task.currentPriority >= .high)") }
            // A thread of its own, as it blocks.
            Thread.detachNewThread { Task.immediate(priority: .background) { child.send() } }
            await entered.opened()
            Task.immediate(priority: .high) { _ = await child.result }
            // It lowers nothing.
            Task.immediate(priority: .low) { _ = await child.result }
            release.signal()
            try #require(await log.all(1) == ["\(isRaised)"], "\(round)")
        }
    }

    /// Many rounds, as the maker of a task is often quick enough to cancel it before it begins.
    @Test("EARLY: work that begins after the cancellation begins in a cancelled task")
    func cancelledBeforeTheWork() async throws {
        for round in 0..<5_000 {
            let log = EventLog(), isCancelled = Locked(false), both = Gate()
            let future = ResponseFuture<Int> { () async in
                if isCancelled.withLock({ $0 }), !Task.isCancelled { log("not cancelled") }
                return 1
            }
            let canceller = Task {
                both.open()
                for _ in 0..<(round % 200 * 5) { _ = Task.isCancelled }
                future.cancel()
                isCancelled.withLock { $0 = true }
            }
            await both.opened()
            future.send()
            await canceller.value
            _ = await future.result
            try #require(log.events == [], "\(round)")
        }
    }

    /// Work in place, for an awaiter whose task is already cancelled.
    @Test("DOWN: a cancelled task gets no error of the work either, and runs no transform of it")
    func cancelledBeforeError() async {
        let log = EventLog(), isCancelled = Gate()
        let task = Awaiting(running: {
            await isCancelled.pass()
            _ = try await ResponseFuture<Int>(error: Mishap())
                .thenResult { _ in
                    log("ran")
                    return 1
                }
                .value
            return "value"
        })
        let failing = Awaiting(running: {
            await isCancelled.pass()
            return "\(try await ResponseFuture<Int>(error: Mishap()).value)"
        })
        await isCancelled.reached(2)
        task.cancel()
        failing.cancel()
        isCancelled.open()
        #expect(await task.ending == "cancelled")
        #expect(await failing.ending == "cancelled")
        #expect(log.events == [])
    }

    @Test("UP: URLError.cancelled is a cancellation for the only awaiter too", arguments: [true, false])
    func urlErrorInPlace(isVariable: Bool) async {
        let task = Awaiting(isVariable: isVariable) {
            ResponseFuture<Int> { () throws -> Int in throw URLError(.cancelled) }.then { $0 }
        }
        #expect(await task.ending == "cancelled")
    }

    @MainActor
    @Test("SYNC-START: an action that is awaited on the main actor runs there", arguments: [true, false])
    func awaitedAction(isVariable: Bool) async throws {
        let make = { ResponseFuture<Bool> { $0.succeed(with: MainQueue.isCurrent) } }
        if isVariable {
            let future = make()
            #expect(try await future.value)
        } else {
            #expect(try await make().value)
            #expect(try await make().then { $0 }.value)
        }
    }

    @Test("UP: a callback that gets a value doesn't run in a cancelled task", arguments: [true, false])
    func callbackTask(isAsynchronous: Bool) async {
        for _ in 0..<100 {
            let log = EventLog()
            let future =
                isAsynchronous
                ? ResponseFuture { () async throws -> Int in 1 } : ResponseFuture { () throws -> Int in 1 }
            future.onSuccess { _ in log("\(Task.isCancelled)") }.onCompletion { log("\(Task.isCancelled)") }.send()
            #expect(await log.all(2) == ["false", "false"])
        }
    }

    @Test(
        "THROW: a CancellationError that success throws is a cancellation, in the status too", arguments: [true, false])
    func thrownCancellation(isSlot: Bool) async {
        let log = EventLog(), future = ResponseFuture(result: 1)
        if isSlot {
            _ = future.success { _ in throw CancellationError() }.error { _ in log("error") }
                .cancellation { log("cancellation") }.completion { log("completion") }
        } else {
            _ = future.onSuccess { _ in throw CancellationError() }.onFailure { _ in log("error") }
                .onCancellation { log("cancellation") }.onCompletion { log("completion") }
        }
        future.send()
        #expect(await log.all(2) == ["cancellation", "completion"])
        #expect(future.status == .cancelled)
        #expect(await future.ending == "value 1")
    }

    @Test("DOWN, SHARED: an awaiter cancelled while it starts a shared future doesn't wait for it")
    func cancelledWhileItStarts() async {
        let promise = Box<ResponseFuture<Int>>(), whole = Box<ResponseFuture<Int>>(), task = Box<Awaiting>()
        let future = ResponseFuture<Int> {
            promise.value = $0
            // From now on its callbacks are interested in it.
            whole.value?.send()
            task.value?.cancel()
        }
        whole.value = future
        let ready = Gate()
        let awaiting = Awaiting(running: {
            await ready.pass()
            return "\(try await future.value)"
        })
        task.value = awaiting
        ready.open()
        #expect(await awaiting.ending == "cancelled")
        #expect(future.status == .started)
        promise.value?.succeed(with: 1)
        promise.value = nil
        #expect(await future.ending == "value 1")
        whole.value = nil
    }

    /// Cancels a future when it is released.
    private final class Canceller: Sendable {
        private let future: Weak<AnyResponseFuture>

        init(_ future: AnyResponseFuture) {
            self.future = Weak(future)
        }

        deinit { future.object?.cancel() }
    }

    @Test("EARLY, SLOT: an action that the release of a replaced slot cancels doesn't begin", arguments: [true, false])
    func cancelledBySlot(isJoin: Bool) async {
        let log = EventLog()
        let future = ResponseFuture<Int> { promise in
            log("ran")
            promise.succeed(with: 1)
        }
        do {
            let canceller = Canceller(future)
            _ = future.success { _ in withExtendedLifetime(canceller) {} }
        }
        let child = isJoin ? future.join(ResponseFuture(result: 1)).then { $0 + $1 } : future.then { $0 }
        // It takes over the slots of the first, and so releases them, when it starts.
        #expect(await Awaiting { child }.ending == "cancelled")
        #expect(future.status == .cancelled)
        #expect(log.events == [])
    }

    @Test("INTEREST: a future that waits for two ends with the first, and cancels the second")
    func secondSource() async {
        let first = Box<ResponseFuture<Int>>(), second = Box<ResponseFuture<Int>>()
        let shared = ResponseFuture<Int> { first.value = $0 }, other = ResponseFuture<Int> { second.value = $0 }
        let target = shared.then { $0 + 1 }, isCancelled = Gate()
        _ = other.onCancellation { isCancelled.open() }
        target.send()
        other.fulfill(target)
        first.value?.succeed(with: 1)
        #expect(await target.ending == "value 2")
        #expect(shared.status == .success)
        // An await that begins after the end doesn't wait for what the end cancels.
        await isCancelled.opened()
        #expect(other.status == .cancelled)
        first.value = nil
        second.value = nil
    }

    @Test("INTEREST: a cancelled chain keeps no token of a future that its callback returns")
    func givenBackAfterCancel() async {
        for making in FutureMaking.allCases {
            let gate = Gate(), cancelled = Gate(), shared = waiting(at: gate, cancelled: cancelled)
            let whole = Box<ResponseFuture<Int>>(), released = Population()
            let awaiter = Awaiting(now: shared)
            await gate.reached()
            do {
                let member = released.member()
                let future = making.future {
                    withExtendedLifetime(member) {}
                    whole.value?.cancel()
                    return shared
                }
                whole.value = future
                future.send()
            }
            await released.extinct()
            awaiter.cancel()
            #expect(await awaiter.ending == "cancelled")
            // The chain may have taken a token before it noticed its cancellation, and gives it back by itself.
            await cancelled.opened()
            #expect(shared.status == .cancelled)
            gate.open()
            whole.value = nil
        }
    }

    @Test(
        "INTEREST, NEVER-HANG: a future that couldn't await itself holds no token for itself", arguments: [true, false])
    func tokenOfSelf(isPartOfJoin: Bool) async {
        let gate = Gate(), whole = Box<ResponseFuture<Int>>(), endings = EventLog()
        let future = ResponseFuture<Int> { () async throws -> Int in
            let ending = await whole.value?.ending
            endings(ending ?? "nothing")
            try await gate.passUnlessCancelled()
            return 1
        }
        whole.value = isPartOfJoin ? future.join(ResponseFuture(result: 1)).then { $0 + $1 } : future
        let awaiter = Awaiting(now: future)
        #expect(await endings.all(1) == ["error waitsForItself"])
        await gate.reached()
        awaiter.cancel()
        #expect(await awaiter.ending == "cancelled")
        #expect(future.status == .cancelled)
        whole.value = nil
    }

    @Test("THROW: callbacks attached after one has thrown get its error", arguments: [true, false])
    func afterThrow(isSlot: Bool) async {
        let log = EventLog(), future = ResponseFuture(result: 1)
        if isSlot {
            future.success { _ in throw Mishap() }.completion { log("completion") }.send()
            await log.wait(for: 1)
            await MainActor.run {}
            future.success { _ in log("late success") }.error { _ in log("late error") }
                .completion { log("late completion") }.send()
        } else {
            future.onSuccess { _ in throw Mishap() }.onCompletion { log("completion") }.send()
            await log.wait(for: 1)
            _ = future.onFailure { _ in log("late error") }.onSuccess { _ in log("late success") }
                .onCompletion { log("late completion") }
        }
        #expect(await log.all(3) == ["completion", "late error", "late completion"])
        #expect(future.status == .error)
    }

    @Test("TURN: of alternating steps the last of each stays, even of one that came once")
    func turns() {
        var queue = CallbackQueue<Int, Int>()
        queue.attach(0, for: .update, replacing: false)
        queue.enqueue(TransferUpdate(stage: .responded))
        for number in 0..<200 {
            let progress = TransferProgress(bytesSent: Int64(number))
            queue.enqueue(TransferUpdate(stage: number.isMultiple(of: 2) ? .sent : .received, progress: progress))
        }
        var stages: [TransferUpdate.Stage] = []
        let isDue = queue.beginDelivery()
        #expect(isDue)
        while case .update(let update, _) = queue.next() { stages.append(update.stage) }
        #expect(stages.count == UpdateLine.limit)
        #expect(stages.first == .responded)
        #expect(stages.last == .received)
    }

    @Test(
        "MEMO: a failure with waitsForItself is an error like any other: thenResult gets it",
        arguments: [true, false])
    func safeResultOfCycle(isSettledBefore: Bool) async {
        let promise = Box<ResponseFuture<Int>>(), future = ResponseFuture<Int> { promise.value = $0 }
        future.send()
        let fail = {
            promise.value?.fail(with: FutureError.waitsForItself)
            promise.value = nil
        }
        if isSettledBefore { fail() }
        let task = Awaiting(now: future.thenResult { _ in 7 })
        fail()
        #expect(await task.ending == "value 7")
    }

    @Test("UP: a transform of an error doesn't run after a cancellation either", arguments: [true, false])
    func resultAfterCancel(isAsynchronous: Bool) async {
        await #expect(
            eventsOfCancelledFromWithin { cancel, log in
                let work = { @Sendable () throws -> Int in
                    cancel()
                    throw Mishap()
                }
                // The root has no other reference, so it runs as a part of the whole's work.
                func root() -> ResponseFuture<Int> {
                    isAsynchronous
                        ? ResponseFuture { () async throws -> Int in try work() }
                        : ResponseFuture { () throws -> Int in try work() }
                }
                return root().thenResult { _ in
                    log("ran")
                    return 1
                }
            } == ["completion"])
    }
}
