import Dispatch
import Foundation
import PiuPiu
import TestSupport
import Testing

/// Everything here happens while a handler of a cancellation runs, on the thread that cancels.
@Suite("Handlers of cancellations", .timeLimit(.minutes(10)))
struct CancellationHandlerTests {
    /// Work whose handler of a cancellation does something.
    private final class HandledWork: Sendable {
        let begun = Gate()
        let handling = Gate()
        /// Deaf: work that goes on would wait for its handler, on a thread of the pool.
        let end = Gate()

        func future(_ handle: @escaping @Sendable () -> Void) -> ResponseFuture<Int> {
            ResponseFuture { [begun, handling, end] in
                await withTaskCancellationHandler {
                    begun.open()
                    await end.pass()
                    return 0
                } onCancel: {
                    handling.open()
                    handle()
                }
            }
        }
    }

    /// A handler gives up after this many seconds, so that a broken core fails and doesn't hang.
    private static let patience = 300.0

    private let work = HandledWork()
    private let log = EventLog()
    private let mayReturn = DispatchSemaphore(value: 0)

    /// On a thread of its own, as the handler may block it.
    private func onThread(_ body: @escaping @Sendable () -> Void) {
        Thread.detachNewThread(body)
    }

    @Test(
        "PROMPT: a value or an error waits for no handler of a cancellation",
        arguments: ["race", "firstSuccess", "join", "own"])
    func outcomeFirst(kind: String) async {
        let loser = work.future { [log, mayReturn] in
            _ = mayReturn.wait(timeout: .now() + Self.patience)
            log("handler")
        }
        let (other, promise) = ResponseFuture<Int>.pending()
        let future =
            switch kind {
            case "race": ResponseFuture.race([loser, other])
            case "firstSuccess": ResponseFuture.firstSuccess(of: [loser, other])
            case "join": loser.join(other).then { $0 + $1 }
            default: loser
            }
        let task = Task { [log] in log(await future.ending) }
        let isTold = Gate()
        future.onCompletion { isTold.open() }.send()
        await work.begun.opened()
        onThread {
            switch kind {
            case "join": promise.fail(with: Mishap(number: 2))
            case "own": loser.succeed(with: 2)
            default: promise.succeed(with: 2)
            }
        }
        #expect(await log.all(1) == [kind == "join" ? "error Mishap(number: 2)" : "value 2"])
        await isTold.opened()
        mayReturn.signal()
        #expect(await log.all(2).last == "handler")
        work.end.open()
        await task.value
    }

    @Test("NEVER-HANG, SAME: what a handler settles reaches any number of awaiters while it runs", arguments: 1...3)
    func settledInside(count: Int) async {
        let (location, promise) = ResponseFuture<Int>.pending()
        let cancelled = work.future { [log, mayReturn] in
            promise.succeed(with: 1)
            for _ in 0..<count { _ = mayReturn.wait(timeout: .now() + Self.patience) }
            log("handler")
        }
        cancelled.send()
        await work.begun.opened()
        for _ in 0..<count {
            runToSuspension { [log, mayReturn] in
                log(await location.ending)
                mayReturn.signal()
            }
        }
        onThread { cancelled.cancel() }
        #expect(await log.all(count + 1) == Array(repeating: "value 1", count: count) + ["handler"])
        work.end.open()
    }

    @Test("UP, EARLY: a chain that says that it is cancelled starts nothing more", arguments: [false, true])
    func marked(isShared: Bool) async {
        let gate = Gate(), scope = FutureScope(), closures = Population(), isOver = Gate()
        let shared = ResponseFuture<Int> { [log] () async in
            log("work")
            return 2
        }
        let chain = { [log] in
            let member = closures.member()
            return ResponseFuture<Int> { () async in
                await gate.pass()
                return 1
            }
            .flatMap { _ -> ResponseFuture<Int>? in
                withExtendedLifetime(member) { log("closure") }
                return isShared ? shared : ResponseFuture { 2 }
            }
            .bound(to: scope)
        }()
        chain.send()
        await gate.reached()
        let slow = work.future { [mayReturn] in _ = mayReturn.wait(timeout: .now() + Self.patience) }.bound(to: scope)
        slow.send()
        await work.begun.opened()
        onThread {
            scope.cancelAll()
            isOver.open()
        }
        await work.handling.opened()
        #expect(chain.status == .cancelled)
        gate.open()
        await closures.extinct()
        #expect(log.events.isEmpty)
        mayReturn.signal()
        await isOver.opened()
        work.end.open()
        #expect(shared.status == .created)
    }

    enum Step: CaseIterable { case then, twice, held, result, recover, onQueue }

    @Test("UP, EARLY, SAME: nor does a synchronous one, whatever is held", arguments: Step.allCases)
    func markedWithoutWait(step: Step) async {
        let begun = Gate(), go = DispatchSemaphore(value: 0), scope = FutureScope(), closures = Population()
        let isOver = Gate(), queue = DispatchQueue(label: "transforms"), runs = Counter()
        let root = {
            ResponseFuture<Int> { () throws -> Int in
                begun.open()
                go.wait()
                if step == .recover { throw Mishap() }
                return 1
            }
        }
        let held = step == .held ? root() : nil
        let chain = { () -> ResponseFuture<Int> in
            let member = closures.member()
            let transform: @Sendable (Int) -> Int = { number in
                _ = withExtendedLifetime(member) { runs.increment() }
                return number
            }
            return switch step {
            case .then, .held: (held ?? root()).then(transform)
            case .twice: root().then(transform).then(transform)
            case .result: root().thenResult { transform((try? $0.get()) ?? 0) }
            case .recover: root().recover { _ in transform(0) }
            case .onQueue: root().then(on: queue, transform)
            }
        }().bound(to: scope)
        // On a thread of its own, which its root blocks.
        let awaiter = Task(executorPreference: OwnThread()) { await chain.ending }
        await begun.opened()
        if step == .onQueue {
            // Its turn comes after it is marked.
            queue.suspend()
            go.signal()
        }
        let slow = work.future { [mayReturn] in _ = mayReturn.wait(timeout: .now() + Self.patience) }.bound(to: scope)
        slow.send()
        await work.begun.opened()
        onThread {
            scope.cancelAll()
            isOver.open()
        }
        await work.handling.opened()
        #expect(chain.status == .cancelled)
        if step == .onQueue { queue.resume() } else { go.signal() }
        await closures.extinct()
        #expect(runs.value == 0)
        mayReturn.signal()
        await isOver.opened()
        work.end.open()
        #expect(await awaiter.value == "cancelled")
    }

    private final class OwnThread: TaskExecutor {
        private let queue = DispatchQueue(label: "own thread")

        func enqueue(_ job: consuming ExecutorJob) {
            let job = UnownedJob(job)
            queue.async { job.runSynchronously(on: self.asUnownedTaskExecutor()) }
        }
    }
}
