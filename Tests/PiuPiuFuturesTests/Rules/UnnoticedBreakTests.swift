import Dispatch
import PiuPiu
import PiuPiuTesting
import TestSupport
import Testing

/// Each test fails with a break of the core that no other test noticed.
@Suite("Breaks that went unnoticed: callbacks and updates", .timeLimit(.minutes(10)))
struct UnnoticedBreakTests {
    /// The operators whose callback runs on the main actor.
    enum MainOperator: CaseIterable, Sendable {
        case then, map, replace, seriesJoin, adding

        func future(_ log: EventLog, _ reached: Gate) -> ResponseFuture<Int> {
            let root = ResponseFuture { 1 }.then { number in
                reached.open()
                return number
            }
            switch self {
            case .then:
                return root.then(on: .main) { number in
                    log("ran")
                    return number
                }
            case .map:
                return root.map(on: .main) { number in
                    log("ran")
                    return number
                }
            case .replace:
                return root.replace { number in
                    log("ran")
                    return ResponseFuture(result: number)
                }
            case .seriesJoin:
                return root.seriesJoin { number in
                    log("ran")
                    return ResponseFuture(result: number)
                }
                .then { $0 + $1 }
            case .adding:
                return root.then { [$0] }.addingSeriesResult { numbers in
                    log("ran")
                    return ResponseFuture(result: numbers.count)
                }
                .then { $0.count }
            }
        }
    }

    @Test(
        "An operator's callback doesn't run if the chain is cancelled before it reaches the main actor",
        arguments: MainOperator.allCases, [true, false])
    func cancelledOnTheWay(form: MainOperator, isSent: Bool) async {
        // In some rounds at least it waits for the main actor when the cancellation comes.
        for _ in 0..<50 {
            let log = EventLog(), reached = Gate(), future = form.future(log, reached)
            await MainQueue.blocked {
                let task = isSent ? nil : Awaiting(now: future)
                if isSent { future.send() }
                await reached.opened()
                if let task { task.cancel() } else { future.cancel() }
                if let task { #expect(await task.ending == "cancelled") }
            }
            #expect(future.status == .cancelled)
            await MainActor.run {}
            await MainActor.run {}
            #expect(log.events == [])
        }
    }

    private actor Library {
        let log: EventLog

        init(_ log: EventLog) {
            self.log = log
        }

        /// Makes an update and cancels in one turn of the actor, with `turns` of idle work in between, in which the
        /// update may get enqueued on this actor.
        func cancelDuring(_ future: ResponseFuture<Int>, updating promise: ResponseFuture<Int>, turns: Int) {
            _ = future.onUpdate { _ in self.note("update") }.onUpdate { _ in self.note("other update") }
                .onCancellation { self.note("cancellation") }.onCompletion { self.note("completion") }
            promise.update(with: TransferUpdate(stage: .started))
            for _ in 0..<turns { _ = log.events.count }
            future.cancel()
        }

        private func note(_ event: String) { log(event) }
    }

    @Test("AFTER-CANCEL: no update comes after a cancellation on the callback's own actor")
    func updateAfterCancelOnActor() async throws {
        for round in 0..<300 {
            let log = EventLog(), promise = Box<ResponseFuture<Int>>()
            let future = ResponseFuture<Int> { promise.value = $0 }
            future.send()
            await Library(log).cancelDuring(future, updating: try #require(promise.value), turns: round * 3)
            #expect(await log.all(2) == ["cancellation", "completion"], "round \(round)")
        }
    }

    @MainActor
    @Test("AFTER-CANCEL: if an update's first callback cancels, its second doesn't run")
    func secondUpdateCallback() async {
        let log = EventLog(), promise = Box<ResponseFuture<Int>>()
        let future = ResponseFuture<Int> { promise.value = $0 }
        future
            .onUpdate { @MainActor _ in
                log("first")
                future.cancel()
            }
            .onUpdate { @MainActor _ in log("second") }
            .onCompletion { log("completion") }.send()
        promise.value?.update(with: TransferUpdate(stage: .started))
        #expect(await log.all(2) == ["first", "completion"])
        promise.value = nil
    }

    @Test("UPDATES: an update arrives once, however many paths it takes", arguments: [true, false])
    func diamond(isArray: Bool) async {
        for isSlot in [true, false] {
            let log = EventLog(), promise = Box<ResponseFuture<Int>>()
            let root = ResponseFuture<Int> { promise.value = $0 }
            let left = root.then { $0 + 1 }, right = root.then { $0 + 2 }
            let whole =
                isArray
                ? ResponseFuture<[Int]>(childFutures: [left, right, root]).then { $0.reduce(0, +) }
                : left.join(right, root).then { $0.0 + $0.1 + $0.2 }
            if isSlot {
                whole.updated { log("\($0.progress.bytesSent)") }.completion { log("end") }.send()
            } else {
                whole.onUpdate { log("\($0.progress.bytesSent)") }.onCompletion { log("end") }.send()
            }
            for (count, stage) in [(1, TransferUpdate.Stage.started), (2, .sent), (3, .received)] {
                let progress = TransferProgress(bytesSent: Int64(count))
                promise.value?.update(with: TransferUpdate(stage: stage, progress: progress))
            }
            promise.value?.succeed(with: 1)
            promise.value = nil
            #expect(await log.all(4) == ["1", "2", "3", "end"])
            #expect(await whole.ending == "value 6")
        }
    }

    @Test("Updates made before the start are ignored", arguments: [true, false])
    func updatesBeforeStart(isSlot: Bool) async {
        let log = EventLog(), promise = Box<ResponseFuture<Int>>()
        let future = ResponseFuture<Int> { promise.value = $0 }, child = future.then { $0 }
        let note = { @Sendable (update: TransferUpdate) in log("\(update.stage)") }
        for future in [future, child] {
            if isSlot {
                _ = future.updated { note($0) }.completion { log("end") }
            } else {
                _ = future.onUpdate { note($0) }.onCompletion { log("end") }
            }
            future.update(with: TransferUpdate(stage: .sent))
        }
        let iterator = child.updates().makeAsyncIterator()
        child.update(with: TransferUpdate(stage: .sent))
        future.send()
        child.send()
        promise.value?.update(with: TransferUpdate(stage: .received))
        promise.value?.succeed(with: 1)
        promise.value = nil
        #expect(await log.all(4).sorted() == ["end", "end", "received", "received"])
        var copy = iterator, stages: [TransferUpdate.Stage] = []
        while let update = await copy.next() { stages.append(update.stage) }
        #expect(stages == [.received])
    }

    @Test("AFTER-CANCEL: modern callbacks that have had no outcome get a cancellation")
    func undeliveredModern() async {
        for isError in [true, false] {
            let log = EventLog(), settled = Gate()
            let future =
                isError ? ResponseFuture<Int>(error: Mishap()) : ResponseFuture(result: 1)
            _ = future.onCompletion { settled.open() }
                .onSuccess { @MainActor _ in log("success") }.onFailure { @MainActor _ in log("failure") }
                .onCancellation { @MainActor in log("cancellation") }
            _ = future.success { _ in log("slot success") }.error { _ in log("slot error") }
                .cancellation { log("slot cancellation") }.completion { log("slot completion") }
            await MainQueue.blocked {
                future.send()
                await Awaiting(now: future).ended()
                future.cancel()
            }
            #expect(await log.all(3).sorted() == ["cancellation", "slot cancellation", "slot completion"])
            await settled.opened()
            #expect(log.events.count == 3)
            // The status is the callbacks' outcome; awaiters get the original one.
            #expect(future.status == .cancelled)
            #expect(await future.ending == (isError ? "error Mishap(number: 0)" : "value 1"))
        }
    }

    @MainActor
    @Test("AFTER-CANCEL: a delivered outcome stays, even if its callbacks are released when more come")
    func cancelAfterCallbacks() async {
        for future in [ResponseFuture(result: 1), ResponseFuture(error: Mishap())] {
            let log = EventLog()
            future.success { _ in log("first") }.error { _ in log("first") }.completion { log("end") }.send()
            #expect(await log.all(2) == ["first", "end"])
            future.cancellation { log("cancellation") }.completion { log("second end") }.send()
            future.cancel()
            #expect(future.status != .cancelled)
            #expect(await log.all(3) == ["first", "end", "second end"])
        }
    }
}
