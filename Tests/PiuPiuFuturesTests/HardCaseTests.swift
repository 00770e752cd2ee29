import Dispatch
import Foundation
import PiuPiu
import TestSupport
import Testing

/// An object that cancels its future when it is released, as a view model does.
private final class ViewModel: Sendable {
    private let future: AnyResponseFuture

    init(_ future: AnyResponseFuture) {
        self.future = future
    }

    deinit { future.cancel() }
}

@Suite("Hard cases", .timeLimit(.oneProcessAtATime))
struct HardCaseTests {
    @Test("NEVER-HANG: a callback that is never called may own an object whose release cancels the future")
    func cancelFromDeinit() async {
        let log = EventLog(), future = ResponseFuture(result: 1)
        do {
            let viewModel = ViewModel(future)
            _ = future.success { _ in log("success") }.error { _ in withExtendedLifetime(viewModel) {} }
        }
        future.completion { log("completion") }.send()
        #expect(await log.all(2) == ["success", "completion"])

        let replaced = ResponseFuture(result: 1)
        do {
            let viewModel = ViewModel(replaced)
            _ = replaced.success { _ in withExtendedLifetime(viewModel) {} }
        }
        _ = replaced.success { _ in }
        #expect(await replaced.ending == "cancelled")
    }

    /// An error that asks its future for its status when it is released.
    private final class CuriousError: Error, Sendable {
        private let future: AnyResponseFuture
        private let log: EventLog

        init(_ future: AnyResponseFuture, _ log: EventLog) {
            self.future = future
            self.log = log
        }

        deinit { log("released: \(future.status)") }
    }

    @Test("NEVER-HANG: an error that a callback threw is released by a cancellation, and may use the future")
    @MainActor
    func cancelThrownError() async {
        let log = EventLog(), future = ResponseFuture(result: 1)
        future.success { _ in
            // Its turn comes before that of the error callback (contract rule TURN).
            Task { @MainActor in future.cancel() }
            throw CuriousError(future, log)
        }
        .error { _ in log("error") }.cancellation { log("cancellation") }.completion { log("completion") }.send()
        #expect(await log.all(3) == ["released: cancelled", "cancellation", "completion"])
    }

    @Test("UP, DOWN: work that has not suspended yet can be cancelled")
    func cancelSynchronousWork() async {
        // One after the other: such work occupies a thread of the pool.
        for byTask in [true, false] {
            let entered = DispatchSemaphore(value: 0)
            let future = ResponseFuture { () throws -> Int in
                entered.signal()
                return try spinUntilCancelled()
            }
            let task = Task { await future.ending }
            // From a thread outside the pool, which may have no other.
            Thread.detachNewThread {
                entered.wait()
                if byTask { task.cancel() } else { future.cancel() }
            }
            #expect(await task.value == "cancelled")
        }
    }

    #if os(Linux) || os(macOS)
        // In a process of its own, as the child keeps a thread of the pool, which may have only two, until its sibling
        // has failed on another one.
        @Test(
            "GROUPS: a child that starts to wait after a sibling's failure releases the future that it waits for",
            .oneProcessAtATime, .enabled(if: ProcessInfo.processInfo.activeProcessorCount > 1))
        func lateChild() async {
            await #expect(processExitsWith: .success) { try await HardCaseTests.checkLateChild() }
        }
    #endif

    private static func checkLateChild() async throws {
        let gate = Gate(), log = EventLog()
        let shared = ResponseFuture {
            try await gate.passUnlessCancelled()
            return 5
        }
        .onCancellation { log("cancelled") }
        let child = ResponseFuture { 1 }.flatMap { _ -> ResponseFuture<Int> in
            _ = try? spinUntilCancelled()
            return shared
        }
        let joined = ResponseFuture<[Int]>(childFutures: [child, ResponseFuture(error: Mishap(number: 1))])
        try #require(await joined.ending == "error Mishap(number: 1)")
        // The child started it, or nobody did: in either case nobody is interested in it any more.
        if shared.status == .created { shared.cancel() }
        try #require(await log.all(1) == ["cancelled"])
    }

    @Test("DEPTH: futures made inside futures, ten thousand deep, observed or not", arguments: [true, false])
    func nestedDeep(isObserved: Bool) async {
        @Sendable func countdown(_ number: Int) -> ResponseFuture<Int> {
            let future = ResponseFuture(result: number).flatMap { number in
                number == 0 ? ResponseFuture(result: 0) : countdown(number - 1)
            }
            return isObserved ? future.completion {} : future
        }
        #expect(await countdown(10_000).ending == "value 0")
    }

    @Test("DEPTH: ten thousand observed links are cancelled, updated and released without recursion")
    func observedDeep() async {
        let gate = Gate(), log = EventLog()
        let promise = Box<ResponseFuture<Int>>()
        var links = [ResponseFuture<Int> { promise.value = $0 }]
        for _ in 0..<10_000 { links.append((links.last ?? links[0]).then { $0 + 1 }.completion {}) }
        let last = links[links.count - 1].onUpdate { _ in log("update") }.onCancellation { log("cancellation") }
        last.send()
        promise.value?.update(with: TransferUpdate(stage: .started))
        #expect(await log.all(1) == ["update"])
        last.cancel()
        #expect(await log.all(2) == ["update", "cancellation"])
        #expect(await links[0].ending == "cancelled")
        gate.open()
    }

    /// Work that tells whether it runs on the main queue.
    enum Work: CaseIterable, Sendable {
        case synchronous, transform, operation, join

        var future: ResponseFuture<Bool> {
            switch self {
            case .synchronous: ResponseFuture { MainQueue.isCurrent }
            case .transform: ResponseFuture(result: 1).then { _ in MainQueue.isCurrent }
            case .operation: ResponseFuture { () async throws -> Bool in MainQueue.isCurrent }
            case .join:
                ResponseFuture<[Bool]>(childFutures: [Self.transform.future, Self.operation.future])
                    .then { $0.contains(true) || MainQueue.isCurrent }
            }
        }

        /// Whether the work runs on the main queue if it is awaited there by a task that is on no actor.
        ///
        /// Called from a closure on the main queue, which the compiler takes to be on the main actor. This is not.
        nonisolated func isOnMain(isHeld: Bool, _ end: @escaping @Sendable (Result<Bool, any Error>) -> Void) {
            let held = isHeld ? future : nil
            let body = { @Sendable (beginsHere: Bool) in
                let isolation = #isolation
                #expect(isolation == nil && MainQueue.isCurrent == beginsHere)
                // Without another reference to a future that isn't held.
                if let held { end(await held.result) } else { end(await future.result) }
            }
            if #available(macOS 26, iOS 26, tvOS 26, watchOS 26, visionOS 26, *) {
                Task.immediate { await body(true) }
            } else {
                Task { await body(false) }
            }
        }
    }

    @Test(
        "BACKGROUND: work leaves the main queue, even if the awaiter is nonisolated but runs there",
        arguments: Work.allCases, [true, false])
    func immediateOnMain(work: Work, isHeld: Bool) async throws {
        let isOnMain = try await withCheckedThrowingContinuation { continuation in
            DispatchQueue.main.async { work.isOnMain(isHeld: isHeld) { continuation.resume(with: $0) } }
        }
        #expect(!isOnMain)
    }

    /// Runs on the main queue what prefers it.
    private final class MainQueueExecutor: TaskExecutor {
        func enqueue(_ job: consuming ExecutorJob) {
            let job = UnownedJob(job)
            DispatchQueue.main.async { job.runSynchronously(on: self.asUnownedTaskExecutor()) }
        }
    }

    private actor Consumer {}

    private static func isOnMain(_ work: Work, isHeld: Bool, for actor: isolated any Actor) async throws -> Bool {
        #expect(MainQueue.isCurrent)
        let held = isHeld ? work.future : nil
        if let held { return try await held.value }
        return try await work.future.value
    }

    @Test(
        "BACKGROUND: work leaves the main queue, even if the task of an awaiter on an actor prefers it",
        arguments: Work.allCases, [true, false])
    func preferredMain(work: Work, isHeld: Bool) async throws {
        let actors: [any Actor] = [Consumer(), MainActor.shared]
        for actor in actors {
            let task = Task(executorPreference: MainQueueExecutor()) {
                try await Self.isOnMain(work, isHeld: isHeld, for: actor)
            }
            let isOnMain = try await task.value
            #expect(!isOnMain)
        }
    }

    @MainActor
    @Test("AFTER-CANCEL: an error that success throws after it cancelled its future is dropped")
    func cancelThenThrow() async {
        let log = EventLog(), future = ResponseFuture(result: 1)
        future
            .success { _ in
                future.cancel()
                throw Mishap()
            }
            .error { _ in log("error") }
            .cancellation { log("cancellation") }
            .completion { log("completion") }
            .send()
        #expect(await log.all(1) == ["completion"])
        #expect(future.status == .success)
    }

    @MainActor
    @Test("AFTER-CANCEL: nor does one count that a later callback of the other family throws")
    func throwAfterCancel() async {
        let log = EventLog(), end = Gate()
        let future = ResponseFuture<Int> { $0.succeed(with: 1) }.success { _ in log("success") }
        future.send()
        future.cancel()
        _ =
            future
            .onSuccess { _ in throw Mishap() }
            .onFailure { _ in log("failure") }
            .onCompletion { end.open() }
        await end.opened()
        #expect(log.events == [])
        #expect(future.status == .cancelled)
    }

    @MainActor
    @Test("AFTER-CANCEL: waiting updates are not delivered any more, whatever callbacks there are")
    func cancelWithWaitingUpdates() async {
        let log = EventLog()
        let future = ResponseFuture<Int> { future in
            future.update(with: TransferUpdate(stage: .started))
            future.succeed(with: 1)
        }
        .updated { _ in log("updated") }
        .completion { log("completion") }
        future.send()
        future.cancel()
        #expect(await log.all(1) == ["completion"])
    }

    @Test("UP: of two futures that fulfill one, both are cancelled with it, and the slower once the faster ends")
    func twoFulfill() async {
        for settles in [true, false] {
            let gate = Gate(), promise = Box<ResponseFuture<Int>>()
            let fast = ResponseFuture<Int> { promise.value = $0 }
            let slow = ResponseFuture {
                try await gate.passUnlessCancelled()
                return 2
            }
            let future = ResponseFuture<Int> { future in
                fast.fulfill(future)
                slow.fulfill(future)
            }
            future.send()
            await gate.reached()
            if settles { promise.value?.succeed(with: 1) } else { future.cancel() }
            #expect(await future.ending == (settles ? "value 1" : "cancelled"))
            #expect(await slow.ending == "cancelled")
            #expect(await fast.ending == (settles ? "value 1" : "cancelled"))
        }
    }

    @Test("NEVER-HANG: a child made from the promise inside the action does not keep the promise")
    func childOfPromise() async {
        let log = EventLog()
        let future = ResponseFuture<Int> { promise in
            promise.then { $0 + 1 }.error { log("\($0 is FutureError)") }.send()
        }
        future.send()
        #expect(await log.all(1) == ["true"])
        #expect(future.status == .error)
    }

    @Test("NEVER-HANG: a future that waits for itself fails")
    func waitsForItself() async {
        let fulfilled = ResponseFuture<Int> { $0.fulfill($0) }
        await #expect(throws: FutureError.waitsForItself) { try await fulfilled.value }
        let own = Box<ResponseFuture<Int>>()
        let returned = ResponseFuture(result: 1).flatMap { _ in own.value }
        own.value = returned
        await #expect(throws: FutureError.waitsForItself) { try await returned.value }
        own.value = nil
    }

    @Test("RELEASE: work in flight is cancelled when the future is settled from outside")
    func settledFromOutside() async {
        let gate = Gate(), cancelled = Gate()
        let future = ResponseFuture {
            await withTaskCancellationHandler {
                await gate.pass()
            } onCancel: {
                cancelled.open()
            }
            return 1
        }
        future.send()
        await gate.reached()
        future.succeed(with: 2)
        await cancelled.opened()
        #expect(await future.ending == "value 2")
        gate.open()
    }

    @Test("A transform that waits in a queue, or for deaf work, does not run after a cancellation")
    func transformAfterCancel() async {
        let log = EventLog(), queue = DispatchQueue(label: "busy"), isFree = DispatchSemaphore(value: 0), gate = Gate()
        queue.async { isFree.wait() }
        let queued = ResponseFuture {
            gate.open()
            return 1
        }
        .then(on: queue) { _ in log("queued transform") }
        queued.send()
        await gate.opened()
        queued.cancel()
        isFree.signal()
        await withCheckedContinuation { continuation in queue.async { continuation.resume() } }

        let deaf = Gate(), closures = Population()
        let failing = ResponseFuture { () async throws -> Int in
            await deaf.pass()
            throw Mishap()
        }
        func sent() -> ResponseFuture<Void> {
            let member = closures.member()
            let last = failing.thenResult { _ in withExtendedLifetime(member) { log("result transform") } }
            last.send()
            return last
        }
        let last = sent()
        await deaf.reached()
        last.cancel()
        deaf.open()
        #expect(await failing.ending == "cancelled")
        // Now it can't run any more.
        await closures.extinct()
        #expect(log.events == [])
    }

    @MainActor
    @Test("MEMO: a callback attached late is not lost when a child is started after it")
    func lateCallbackBesideChild() async throws {
        let log = EventLog(), future = ResponseFuture(result: 1)
        _ = try await future.value
        _ = future.success { log("late \($0)") }
        future.then { $0 + 1 }.success { log("child \($0)") }.send()
        #expect(await log.all(2).sorted() == ["child 2", "late 1"])
    }
}
