import PiuPiu
import TestSupport
import Testing

@Suite("The queue of callbacks, without concurrency", .timeLimit(.minutes(10)))
struct CallbackQueueTests {
    private typealias Queue = CallbackQueue<Int, String>

    /// Drains a queue, and returns the callbacks that it would call, on their actors or here.
    private func drain(_ queue: inout Queue) -> [String] {
        var copy = queue
        let called = drain(&queue, runsHere: false)
        #expect(drain(&copy, runsHere: true) == called)
        return called
    }

    private func drain(_ queue: inout Queue, runsHere: Bool) -> [String] {
        var called: [String] = []
        while true {
            let step = queue.next(runsHere: { _ in runsHere })
            switch step {
            case .finished: return called
            case .here: #expect(runsHere)
            case .update, .arrival, .outcome, .completion: #expect(!runsHere)
            }
            switch queue.call(for: step) {
            case .update(let update, let callback): called.append("\(callback) \(update.progress.bytesReceived)")
            case .outcome(_, let callback): called.append(callback)
            case .plain("progress"): called.append("progress at its end")
            case .plain(let callback): called.append(callback)
            case nil: break
            }
        }
    }

    @Test("AFTER-CANCEL: an update that was on its way to an actor is not delivered after a cancellation")
    func cancelOnTheWay() {
        var queue = full()
        queue.enqueue(update(1))
        let step = queue.next()
        guard case .update = step else {
            Issue.record("no update")
            return
        }
        queue.settle(.cancelled)
        let call = queue.call(for: step)
        #expect(call == nil)
        #expect(drain(&queue) == ["cancellation", "completion"])
    }

    @Test("AFTER-CANCEL: nor is it, if the future has a value by then for which no callback waits")
    func cancelSettledOnTheWay() {
        var queue = Queue()
        queue.attach("updated", for: .update, replacing: false)
        queue.enqueue(update(1))
        let begins = queue.beginDelivery(), step = queue.next()
        guard begins, case .update = step else {
            Issue.record("no update")
            return
        }
        queue.settle(.success(1))
        let undelivered = queue.cancelUndelivered()
        #expect(undelivered.isEmpty)
        let call = queue.call(for: step)
        #expect(call == nil)
        #expect(drain(&queue) == [])
    }

    private func full(replacing: Bool = true) -> Queue {
        var queue = Queue()
        queue.attach("updated", for: .update, replacing: replacing)
        queue.attach("success", for: .success, replacing: replacing)
        queue.attach("error", for: .failure, replacing: replacing)
        queue.attach("cancellation", for: .cancellation, replacing: replacing)
        queue.attach("completion", for: .completion, replacing: replacing)
        return queue
    }

    private func update(_ number: Int64) -> TransferUpdate {
        TransferUpdate(stage: .received, progress: TransferProgress(bytesReceived: number))
    }

    @Test("ORDER: a progress callback gets updates, and the value before success, but no other outcome")
    func progress() {
        var queue = full()
        queue.attach("progress", for: .progress, replacing: true)
        queue.enqueue(update(1))
        queue.settle(.success(1))
        #expect(
            drain(&queue) == ["updated 1", "progress 1", "progress at its end", "success", "completion"])
        queue = full()
        queue.attach("progress", for: .progress, replacing: true)
        queue.settle(.cancelled)
        #expect(drain(&queue) == ["cancellation", "completion"])
        queue = full()
        queue.attach("progress", for: .progress, replacing: true)
        queue.settle(.success(1))
        let wasUndelivered = !queue.cancelUndelivered().isEmpty
        #expect(wasUndelivered)
        #expect(drain(&queue) == ["cancellation", "completion"])
    }

    @Test("TURN: a slow consumer gets the newest updates and the last of each step; few wait")
    func manyUpdates() {
        var queue = full()
        for stage in [TransferUpdate.Stage.started, .sent, .responded, .received] {
            for number in 0..<Int64(10_000) {
                queue.enqueue(TransferUpdate(stage: stage, progress: TransferProgress(bytesReceived: number)))
            }
        }
        queue.settle(.success(1))
        let called = drain(&queue)
        #expect(called.count == UpdateLine.limit + 2)
        #expect(called.prefix(3) == ["updated 9999", "updated 9999", "updated 9999"])
        #expect(called[3] == "updated \(10_000 - (UpdateLine.limit - 3))")
        #expect(called.suffix(3) == ["updated 9999", "success", "completion"])
    }

    @Test(
        "TURN: with many transfers, the last update of each step and transfer waits, in bounded memory",
        arguments: [10, 100, 3_000])
    func manyTransfers(count: Int) {
        let sources = (0..<count).map { _ in TransferSource() }
        var line = UpdateLine(), mostWaiting = 0
        for stage in [TransferUpdate.Stage.started, .sent, .responded, .received] {
            for number in 1...20 as ClosedRange<Int64> {
                for source in sources {
                    line.append(
                        TransferUpdate(stage: stage, progress: TransferProgress(bytesReceived: number)).of(source))
                }
            }
        }
        for source in sources { line.append(.end(of: source)) }
        var last: [TransferUpdate.Stage: [ObjectIdentifier: Int64]] = [:]
        var ended: [ObjectIdentifier] = []
        while let update = line.popFirst() {
            mostWaiting += 1
            guard let source = update.source.map({ ObjectIdentifier($0) }) else { continue }
            guard !update.isEnd else {
                ended.append(source)
                continue
            }
            last[update.stage, default: [:]][source] = update.progress.bytesReceived
        }
        for stage in [TransferUpdate.Stage.started, .sent, .responded, .received] {
            #expect(last[stage]?.count == count && last[stage]?.values.allSatisfy { $0 == 20 } == true)
        }
        #expect(ended == sources.map { ObjectIdentifier($0) })
        #expect(mostWaiting <= max(UpdateLine.limit, 10 * count))
        #expect(line.isEmpty)
    }

    /// Drains a queue whose callbacks for updates attach themselves again, each time they are called.
    private func drainAttachingAgain(_ queue: inout Queue, _ kind: CallbackKind) -> [String] {
        var called: [String] = []
        // A queue that delivers the same for ever fails the test.
        while called.count < 20 {
            switch queue.next(runsHere: { _ in true }) {
            case .here(.update(let update, let callback)):
                called.append("\(callback) \(update.progress.bytesReceived)")
                queue.attach(callback, for: kind, replacing: kind == .progress)
            case .here(.plain("progress")):
                called.append("progress at its end")
                queue.attach("progress", for: kind, replacing: true)
            case .here(.outcome(_, let callback)), .here(.plain(let callback)): called.append(callback)
            case .update, .arrival, .outcome, .completion, .finished: return called
            }
        }
        return called
    }

    @Test("ORDER, TURN: a callback that attaches itself again gets the next update, and not the same one again")
    func attachedAgain() {
        for replaces in [true, false] {
            var queue = full(replacing: replaces)
            queue.enqueue(update(1))
            guard queue.beginDelivery(), case .update(_, "updated") = queue.next() else {
                Issue.record("no update")
                return
            }
            queue.attach("again", for: .update, replacing: replaces)
            #expect(!queue.hasDueCallback)
            #expect(drain(&queue) == [])
            queue.enqueue(update(2))
            #expect(queue.hasDueCallback)
            #expect(drain(&queue) == (replaces ? ["again 2"] : ["updated 2", "again 2"]))
        }
    }

    @Test("ORDER: callbacks that attach themselves again for ever keep nothing else from its turn")
    func attachedAgainForEver() {
        var queue = full()
        queue.enqueue(update(1))
        queue.enqueue(update(2))
        queue.settle(.success(1))
        #expect(
            drainAttachingAgain(&queue, .update) == ["updated 1", "updated 2", "updated 2", "success", "completion"])
        queue = full()
        queue.keepCompletionsOnly()
        queue.attach("progress", for: .progress, replacing: true)
        queue.attach("success", for: .success, replacing: true)
        queue.enqueue(update(1))
        queue.settle(.success(1))
        #expect(
            drainAttachingAgain(&queue, .progress) == ["progress 1", "progress at its end", "success", "completion"])
        #expect(queue.isIdle)
    }

    @Test("TURN: a consumer that keeps up gets every update")
    func everyUpdate() {
        var queue = full()
        var called: [String] = []
        for number in 0..<Int64(1_000) {
            queue.enqueue(update(number))
            called += drain(&queue)
        }
        #expect(called == (0..<1_000).map { "updated \($0)" })
    }

    @Test("AFTER-CANCEL: after a cancellation in the first receiver, the second doesn't get the update")
    func cancelBetweenReceivers() {
        var queue = full()
        queue.attach("progress", for: .progress, replacing: true)
        queue.enqueue(update(1))
        guard case .update(_, "updated") = queue.next() else {
            Issue.record("no update")
            return
        }
        queue.settle(.cancelled)
        #expect(drain(&queue) == ["cancellation", "completion"])
    }

    @Test("Gaps are closed: a slot filled again and again takes no more memory, and loses no callback")
    func manyReplacements() {
        var queue = Queue()
        queue.attach("completion", for: .completion, replacing: true)
        for number in 0..<10_000 { queue.attach("success \(number)", for: .success, replacing: true) }
        #expect(queue.takeDiscarded().count == 9_999)
        queue.settle(.success(1))
        #expect(drain(&queue) == ["success 9999", "completion"])
    }

    @Test(
        "ORDER: updates, the one outcome, completion",
        arguments: [
            (FutureOutcome<Int>.success(1), "success"), (.failure(Mishap()), "error"),
        ])
    func order(outcome: FutureOutcome<Int>, callback: String) {
        var queue = full()
        queue.enqueue(update(1))
        #expect(drain(&queue) == ["updated 1"])
        queue.enqueue(update(2))
        queue.enqueue(update(3))
        queue.settle(outcome)
        queue.enqueue(update(4))
        queue.settle(.cancelled)
        #expect(drain(&queue) == ["updated 2", "updated 3", callback, "completion"])
        #expect(queue.isEmpty, "RELEASE")
        #expect(drain(&queue) == [])
    }

    @Test("ORDER: a cancellation drops waiting updates")
    func cancellationDropsUpdates() {
        var queue = full()
        queue.enqueue(update(1))
        queue.settle(.cancelled)
        #expect(drain(&queue) == ["cancellation", "completion"])
    }

    @Test("SLOT: attaching replaces in one family and adds in the other")
    func replacing() {
        for replaces in [true, false] {
            var queue = Queue()
            queue.attach("first", for: .success, replacing: replaces)
            queue.attach("second", for: .success, replacing: replaces)
            queue.settle(.success(1))
            #expect(drain(&queue) == (replaces ? ["second"] : ["first", "second"]))
        }
    }

    @Test("SLOT: an operator leaves only the completion")
    func takenOver() {
        var queue = full()
        queue.keepCompletionsOnly()
        queue.enqueue(update(1))
        queue.settle(.success(1))
        #expect(drain(&queue) == ["completion"])
    }

    @Test("THROW: an error that a success callback throws is delivered as the error")
    func throwing() {
        var queue = full()
        queue.settle(.success(1))
        guard case .outcome("success", let ticket) = queue.next(), queue.claim(ticket) != nil else {
            Issue.record("no success")
            return
        }
        let isOutcome = queue.callbackThrew(Mishap())
        #expect(isOutcome)
        #expect(drain(&queue) == ["error", "completion"])
    }

    @Test("AFTER-CANCEL: an error thrown after the callback cancelled the future is not delivered")
    func throwingAfterCancel() {
        var queue = full()
        queue.settle(.success(1))
        guard case .outcome("success", let ticket) = queue.next(), queue.claim(ticket) != nil else {
            Issue.record("no success")
            return
        }
        let hadUndelivered = !queue.cancelUndelivered().isEmpty, isOutcome = queue.callbackThrew(Mishap())
        #expect(!hadUndelivered && !isOutcome)
        #expect(drain(&queue) == ["completion"])
    }

    @Test("AFTER-CANCEL: an error that one of two callbacks threw is given up with the value that it waited for")
    func cancelBetweenThrows() {
        var queue = Queue()
        queue.attach("first", for: .success, replacing: false)
        queue.attach("second", for: .success, replacing: false)
        queue.settle(.success(1))
        guard case .outcome("first", let ticket) = queue.next(), queue.claim(ticket) != nil else {
            Issue.record("no success")
            return
        }
        let isOutcome = queue.callbackThrew(Mishap(), mustWait: true), isDue = queue.hasDueCallback
        #expect(isOutcome && isDue)
        let undelivered = queue.cancelUndelivered().map(\.status)
        #expect(undelivered == [.success, .error])
        #expect(drain(&queue) == [])
        #expect(queue.takeDiscarded() == ["second"])
    }

    @Test("AFTER-CANCEL: waiting updates are dropped and a cancellation delivered, even without a success callback")
    func cancelWithoutSuccess() {
        var queue = Queue()
        queue.attach("updated", for: .update, replacing: true)
        queue.attach("cancellation", for: .cancellation, replacing: true)
        queue.attach("completion", for: .completion, replacing: true)
        queue.enqueue(update(1))
        queue.settle(.success(1))
        let hadUndelivered = !queue.cancelUndelivered().isEmpty
        #expect(hadUndelivered)
        #expect(drain(&queue) == ["cancellation", "completion"])
    }

    @Test("Discarded callbacks are returned, not released: a release may run any code")
    func discarded() {
        var queue = full()
        queue.attach("second success", for: .success, replacing: true)
        let replaced = queue.takeDiscarded()
        queue.settle(.failure(Mishap()))
        #expect(drain(&queue) == ["error", "completion"])
        let unused = queue.takeDiscarded().sorted(), nothing = queue.takeDiscarded()
        #expect(replaced == ["success"])
        #expect(unused == ["cancellation", "second success", "updated"])
        #expect(nothing.isEmpty)
    }

    @Test("AFTER-CANCEL: an outcome that was dequeued but not claimed yields to a cancellation")
    func claimAfterCancel() {
        var queue = full()
        queue.enqueue(update(1))
        queue.settle(.success(1))
        _ = queue.next()
        guard case .outcome("success", let ticket) = queue.next() else {
            Issue.record("no success")
            return
        }
        let hadUndelivered = !queue.cancelUndelivered().isEmpty, isClaimed = queue.claim(ticket) != nil
        #expect(hadUndelivered && !isClaimed)
        #expect(drain(&queue) == ["cancellation", "completion"])
        let hasUndelivered = !queue.cancelUndelivered().isEmpty
        #expect(!hasUndelivered)
    }

    @Test("Only one delivery is in flight at a time; a late callback starts another")
    func beginDelivery() {
        var queue = Queue()
        queue.attach("success", for: .success, replacing: true)
        var answers = [queue.beginDelivery()]
        queue.settle(.success(1))
        answers += [queue.beginDelivery(), queue.beginDelivery()]
        #expect(drain(&queue) == ["success"])
        queue.attach("late", for: .success, replacing: true)
        answers.append(queue.beginDelivery())
        #expect(answers == [false, true, false, true])
        #expect(drain(&queue) == ["late"])
    }
}
