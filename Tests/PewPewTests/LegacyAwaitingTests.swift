import Foundation
import PewPew
import TestSupport
import Testing

/// Calls back when it is released.
private final class Release: Sendable {
    private let callback: @Sendable () -> Void

    init(_ callback: @escaping @Sendable () -> Void) {
        self.callback = callback
    }

    deinit { callback() }
}

@Suite("Awaiting a legacy future", .timeLimit(.minutes(10)))
struct LegacyAwaitingTests {
    @Test("value sends the future and gives its value, or throws its error")
    func value() async throws {
        #expect(try await ResponseFuture<Int>(action: { $0.succeed(with: 1) }).then { $0 + 1 }.value == 2)
        await #expect(throws: Mishap()) {
            try await ResponseFuture<Int>(action: { $0.fail(with: Mishap()) }).value
        }
    }

    @Test("ONCE and MEMO: awaiting joins a run, and a run that has ended is not repeated")
    func once() async throws {
        let runs = Counter()
        let running = Box<ResponseFuture<Int>>()
        let future = ResponseFuture<Int>(action: { future in
            runs.increment()
            running.value = future
        })
        future.send()
        async let first = future.value
        async let second = future.value
        running.value?.succeed(with: 1)
        #expect(try await [first, second, future.value] == [1, 1, 1])
        #expect(runs.value == 1)
    }

    @Test("Callbacks are called too, and what they throw doesn't reach the awaiter (THROW)")
    func callbacks() async throws {
        let log = EventLog()
        let future = ResponseFuture<Int>(action: { $0.succeed(with: 1) })
            .response { _ in throw Mishap() }.error { log("\($0)") }.completion { log("completion") }
        #expect(try await future.value == 1)
        #expect(await log.all(2) == ["Mishap(number: 0)", "completion"])
    }

    @Test("A promise's failure is thrown: as it is if it is an error, else as a PromiseFailure")
    func failure() async throws {
        #expect(try await Promise<Int, String>(action: { $0.succeed(with: 1) }).value == 1)
        await #expect(throws: Mishap()) {
            try await Promise<Int, Mishap>(action: { $0.fail(with: Mishap()) }).value
        }
        await #expect(throws: Mishap(number: 2)) {
            try await Promise<Int, String>(action: { $0.catch(Mishap(number: 2)) }).value
        }
        let failure = await #expect(throws: PromiseFailure<String>.self) {
            try await Promise<Int, String>(action: { $0.fail(with: "f") }).value
        }
        #expect(failure?.failure == "f")
        #expect(failure?.localizedDescription.contains("String") == true)
    }

    @Test("NEVER-HANG: awaiting a future that nobody settles ends with an error")
    func abandoned() async {
        await #expect(throws: (any Error).self) {
            try await ResponseFuture<Int>(action: { _ in }).then { $0 }.value
        }
        await #expect(throws: (any Error).self) { try await Promise<Int, Int>(action: { _ in }).value }
    }

    @Test("A future converts to one of PiuPiu, which is cold and has the same outcome")
    func conversion() async throws {
        let runs = Counter()
        let future = ResponseFuture<Int>(action: { future in
            runs.increment()
            future.succeed(with: 1)
        })
        let converted = future.piuPiuFuture()
        #expect(runs.value == 0)
        #expect(try await converted.value == 1)
        #expect(try await converted.value == 1)
        #expect(runs.value == 1)
        #expect(try await Promise<Int, String>(action: { $0.succeed(with: 2) }).piuPiuFuture().value == 2)
    }

    @Test("DOWN: cancelling the only awaiter ends the run and its work")
    func cancellation() async {
        let gate = Gate()
        let log = EventLog()
        let future = ResponseFuture<Int>.deliveringOnMain {
            .init {
                log("started")
                do { try await gate.passUnlessCancelled() } catch { log("cancelled") }
                return 1
            }
        }
        .then { $0 }.replace { value in ResponseFuture<Int>(action: { $0.succeed(with: value) }) }
        .error { log("error \(type(of: $0))") }
        let task = Task { try await future.value }
        await gate.reached()
        task.cancel()
        await #expect(throws: CancellationError.self) { try await task.value }
        #expect(await log.all(3).sorted() == ["cancelled", "error CancellationError", "started"])
    }

    @Test("UP: a future that ends before its work begins begins none")
    @MainActor
    func endedBeforeWork() {
        let ends = Box<@Sendable () -> Void>(), hasBegun = Box<@Sendable () -> Bool>()
        let future = ResponseFuture<Int>.deliveringOnMain {
            ends.value?()
            let work = ResponseFuture<Int>(action: { $0.succeed(with: 1) }).piuPiuFuture()
            hasBegun.value = { work.status != .created }
            return work
        }
        ends.value = { [weak future] in future?.fail(with: Mishap()) }
        future.send()
        #expect(hasBegun.value?() == false)
    }

    /// A future whose `response` callback calls back when it is released.
    private func future(
        releasing callback: @escaping @Sendable () -> Void, action: @escaping @Sendable (ResponseFuture<Int>) -> Void
    ) -> ResponseFuture<Int> {
        let release = Release(callback)
        return ResponseFuture<Int>(action: action).response { _ in withExtendedLifetime(release) {} }
    }

    @Test("UP: a run that is cancelled before it calls its action doesn't call it")
    func cancelledBeforeAction() async {
        let log = EventLog(), cancel = Box<@Sendable () -> Void>(), isCancelled = DispatchSemaphore(value: 0)
        // The child replaces the callback when it begins the run, right before the action.
        let parent = future {
            cancel.value?()
            isCancelled.wait()
        } action: { _ in
            log("action")
        }
        let awaited = parent.then { $0 }.error { _ in isCancelled.signal() }.piuPiuFuture()
        cancel.value = { awaited.cancel() }
        await withCheckedContinuation { continuation in
            // A thread of its own, as it blocks.
            Thread.detachNewThread {
                awaited.send()
                continuation.resume()
            }
        }
        #expect(log.events == [])
        cancel.value = nil
    }

    @Test("UP: work that is made while its run is cancelled isn't begun, even if another run has begun meanwhile")
    func cancelledWhileMade() async {
        let log = EventLog(), cancel = Box<@Sendable () -> Void>(), hasBegun = Box<@Sendable () -> Bool>()
        let runs = Counter(), isCancelled = DispatchSemaphore(value: 0)
        let parent = ResponseFuture<Int>.deliveringOnMain {
            let run = runs.increment()
            let work = ResponseFuture<Int>(action: { $0.succeed(with: run) }).piuPiuFuture()
            if run == 1 {
                hasBegun.value = { work.status != .created }
                cancel.value?()
            }
            return work
        }
        let awaited = parent.then { $0 }.error { _ in isCancelled.signal() }.piuPiuFuture()
        cancel.value = {
            awaited.cancel()
            isCancelled.wait()
            parent.then { $0 }.response { log("response \($0)") }.send()
        }
        await withCheckedContinuation { continuation in
            // A thread of its own, as it blocks.
            Thread.detachNewThread {
                awaited.send()
                continuation.resume()
            }
        }
        #expect(await log.all(1) == ["response 2"])
        #expect(hasBegun.value?() == false)
        cancel.value = nil
    }

    @Test("UP: a callback that waits for the main actor isn't called after the end of its future")
    @MainActor
    func endedBeforeCallback() async {
        let log = EventLog(), running = Box<ResponseFuture<Int>>()
        let parent = ResponseFuture<Int>(action: { running.value = $0 })
        let child = parent.then { log("callback \($0)") }.error { log("\($0)") }.send()
        // The main actor is occupied until the outcome of the parent is there.
        let isSettled = DispatchSemaphore(value: 0)
        let thread = Thread {
            running.value?.succeed(with: 1)
            isSettled.signal()
        }
        thread.start()
        isSettled.wait()
        child.fail(with: Mishap())
        // What was enqueued on the main queue comes first.
        await withCheckedContinuation { continuation in DispatchQueue.main.async { continuation.resume() } }
        #expect(log.events == ["\(Mishap())"])
    }

    @Test("INTEREST: when all of several awaiters are cancelled, the work is, too")
    func lastAwaiter() async {
        for _ in 0..<20 {
            let gate = Gate(), log = EventLog()
            let future = ResponseFuture<Int>.deliveringOnMain {
                .init {
                    log("started")
                    do { try await gate.passUnlessCancelled() } catch { log("cancelled") }
                    return 1
                }
            }
            let tasks = (0..<2).map { _ in Task { try await future.value } }
            await gate.reached()
            for task in tasks { task.cancel() }
            for task in tasks { await #expect(throws: CancellationError.self) { try await task.value } }
            #expect(await log.all(2) == ["started", "cancelled"])
        }
    }

    @Test(
        "What sends a future while its work is being cancelled, itself or through a child, begins another run",
        arguments: [false, true])
    func sentDuringCancellation(isChained: Bool) async {
        let runs = Counter(), gate = Gate(), log = EventLog(), again = Box<@Sendable () -> Void>()
        let future = ResponseFuture<Int>.deliveringOnMain {
            let run = runs.increment()
            return .init {
                if run > 1 { return run }
                return try await withTaskCancellationHandler {
                    try await gate.passUnlessCancelled()
                    return run
                } onCancel: {
                    again.value?()
                }
            }
        }
        again.value = {
            let next = isChained ? future.then { $0 } : future
            next.response { log("response \($0)") }.error { log("error \(type(of: $0))") }.send()
        }
        let task = Task { try await future.value }
        await gate.reached()
        task.cancel()
        _ = await task.result
        #expect(await log.all(1) == ["response 2"])
        again.value = nil
    }

    @Test("SHARED: cancelling an awaiter doesn't affect a run that was sent, or that has another awaiter")
    func sharedCancellation() async throws {
        for isSent in [true, false] {
            let log = EventLog()
            let running = Box<ResponseFuture<Int>>()
            let future = ResponseFuture<Int>(action: { running.value = $0 }).response { log("response \($0)") }
            let other = isSent ? nil : future.piuPiuFuture()
            if let other { other.send() } else { future.send() }
            let cancelled = future.piuPiuFuture().onCompletion { log("cancelled") }
            cancelled.send()
            cancelled.cancel()
            await log.wait(for: 1)
            running.value?.succeed(with: 1)
            #expect(await log.all(2) == ["cancelled", "response 1"])
            if let other { #expect(try await other.value == 1) }
        }
    }

    @Test("INTEREST: those that wait are notified in the order in which they came, without those that have left")
    func order() async {
        let log = EventLog(), running = Box<ResponseFuture<Int>>()
        let future = ResponseFuture<Int>(action: { running.value = $0 })
        let children = (0..<5).map { number in
            future.then { _ in log("\(number)") }.error { _ in log("left \(number)") }.piuPiuFuture()
        }
        for child in children { child.send() }
        for (count, number) in [1, 3].enumerated() {
            children[number].cancel()
            await log.wait(for: count + 1)
        }
        await MainActor.run { running.value?.succeed(with: 1) }
        #expect(await log.all(5) == ["left 1", "left 3", "0", "2", "4"])
        running.value = nil
    }

    @Test("deliveringOnMain calls back on the main actor, a new future for each run")
    func deliveringOnMain() async {
        let log = EventLog()
        let runs = Counter()
        let future = ResponseFuture<Int>.deliveringOnMain {
            let run = runs.increment()
            return .init { run }
        }
        for run in 1...2 {
            future.response { log("\($0) on main: \(MainQueue.isCurrent)") }.completion { log("completion") }.send()
            await log.wait(for: 2 * run)
        }
        #expect(log.events == ["1 on main: true", "completion", "2 on main: true", "completion"])
    }
}
