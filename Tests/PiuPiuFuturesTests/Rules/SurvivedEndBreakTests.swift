import Dispatch
import PiuPiu
import TestSupport
import Testing

/// Each test fails with a break of the core that no other test noticed.
@Suite("Breaks that survived: ends, updates and fulfilments", .timeLimit(.minutes(10)))
struct SurvivedEndBreakTests {
    @Test("MEMO: a settled future gives its outcome to a cancelled task too")
    func settledForCancelled() async throws {
        let plain = ResponseFuture { 1 }, joined = ResponseFuture(result: 1).join(ResponseFuture(result: 0))
        let target = ResponseFuture<Int> { _ in }, isCancelled = Gate()
        #expect(await plain.ending == "value 1")
        #expect(await joined.ending == "value (1, 0)")
        plain.fulfill(target)
        let task = Awaiting(running: {
            await isCancelled.pass()
            return "\(await plain.ending), \(await joined.ending), \(await target.ending)"
        })
        await isCancelled.reached()
        task.cancel()
        isCancelled.open()
        #expect(await task.ending == "value value 1, value (1, 0), value 1")
    }

    @Test(
        "NEVER-HANG: a callback that returns a future made from its own chain fails",
        arguments: FutureMaking.allCases)
    func madeFromItself(making: FutureMaking) async {
        for isStarted in [true, false] {
            let whole = Box<ResponseFuture<Int>>()
            let future = making.future {
                guard let whole = whole.value else { return ResponseFuture(error: Mishap()) }
                let child = whole.then { $0 }
                if isStarted { child.send() }
                return child
            }
            whole.value = future
            #expect(await Awaiting(now: future).ending == "error waitsForItself", "\(isStarted)")
            whole.value = nil
        }
    }

    @Test("UPDATES: a fulfilled future has its source's updates", arguments: [true, false])
    func fulfilledUpdates(isSlot: Bool) async {
        let promise = Box<ResponseFuture<Int>>(), log = EventLog()
        let source = ResponseFuture<Int> { promise.value = $0 }, target = ResponseFuture<Int> { source.fulfill($0) }
        if isSlot {
            _ = target.updated { log("\($0.stage)") }.completion { log("completion") }
        } else {
            _ = target.onUpdate { log("\($0.stage)") }.onCompletion { log("completion") }
        }
        target.send()
        promise.value?.update(with: TransferUpdate(stage: .sent))
        promise.value?.update(with: TransferUpdate(stage: .received))
        promise.value?.succeed(with: 1)
        promise.value = nil
        #expect(await log.all(3) == ["sent", "received", "completion"])
    }

    @Test("NEVER-HANG: a future that fulfills itself before its start fails, and never runs")
    func fulfillsItself() async {
        let log = EventLog(),
            future = ResponseFuture<Int> { promise in
                log("ran")
                promise.succeed(with: 1)
            }
        future.fulfill(future)
        #expect(await future.ending == "error waitsForItself")
        #expect(log.events == [])
    }

    @Test(
        "NEVER-HANG: a settled future fulfills at once", arguments: ["value 1", "error Mishap(number: 0)", "cancelled"])
    func settledFulfills(ending: String) async {
        let source: ResponseFuture<Int>
        switch ending {
        case "value 1": source = ResponseFuture(result: 1)
        case "cancelled": source = ResponseFuture(error: CancellationError())
        default: source = ResponseFuture(error: Mishap())
        }
        #expect(await source.ending == ending)
        let target = ResponseFuture<Int> { _ in }
        source.fulfill(target)
        #expect(target.status.isComplete)
        #expect(await target.ending == ending)
    }

    @Test("AFTER-CANCEL: a cancellation in the first completion changes no outcome, even without outcome callbacks")
    func cancelInCompletion() async {
        let log = EventLog(), future = ResponseFuture(result: 1)
        future
            .onCompletion { [weak future] in
                log("first")
                future?.cancel()
            }
            .onCompletion { log("second") }.send()
        #expect(await log.all(2) == ["first", "second"])
        #expect(future.status == .success)
    }

    @Test("DOWN: a cancellation after the last value changes nothing: the sequence has ended")
    func cancelledAfterLast() async {
        let isCancelled = Gate()
        let task = Awaiting(running: {
            var iterator = [ResponseFuture(result: 1), ResponseFuture(result: 2)].valuesInOrder().makeAsyncIterator()
            let first = try await iterator.next(), second = try await iterator.next()
            await isCancelled.pass()
            let end = try await iterator.next()
            return "\(first ?? 0), \(second ?? 0), \(end == nil)"
        })
        await isCancelled.reached()
        task.cancel()
        isCancelled.open()
        #expect(await task.ending == "value 1, 2, true")
    }

    @Test("THROW: a handler on a queue is called once, with the value, even if a later callback throws")
    func handlerOnQueue() async {
        let log = EventLog(), queue = DispatchQueue(label: "handlers"), promise = Box<ResponseFuture<Int>>()
        let future = ResponseFuture<Int> { promise.value = $0 }
        future.send(on: queue) { result in log("\(result)") }
        _ = future.onSuccess { _ in throw Mishap() }.onFailure { _ in log("failure") }
            .onCompletion { queue.async { log("completion") } }
        promise.value?.succeed(with: 1)
        promise.value = nil
        #expect(await log.all(3).sorted() == ["completion", "failure", "success(1)"])
        #expect(log.events.last == "completion")
    }

    @Test("UP: a cancelled future cancels all futures that it waits for")
    func allSources() async {
        let promises = Locked<[ResponseFuture<Int>]>([])
        let sources = (0..<3).map { _ in
            ResponseFuture<Int> { promise in promises.withLock { $0.append(promise) } }
        }
        let target = sources[0].then { $0 + 1 }
        target.send()
        sources[1].fulfill(target)
        sources[2].fulfill(target)
        target.cancel()
        #expect(sources.map(\.status) == [.cancelled, .cancelled, .cancelled])
        promises.withLock { $0 = [] }
    }

    @Test("UP: a transform that its queue reaches after the cancellation doesn't run")
    func queuedTransform() async {
        // In some rounds at least it is still enqueued when the cancellation comes.
        for _ in 0..<50 {
            let log = EventLog(), queue = DispatchQueue(label: "busy"), reached = Gate()
            queue.suspend()
            let future = ResponseFuture { reached.open() }.then(on: queue) { log("ran") }
            future.send()
            await reached.opened()
            future.cancel()
            queue.resume()
            await withCheckedContinuation { continuation in queue.async { continuation.resume() } }
            #expect(log.events == [])
            #expect(future.status == .cancelled)
        }
    }
}
