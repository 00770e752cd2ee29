import Dispatch
import PiuPiu
import TestSupport
import Testing

private enum Traits {
    @TaskLocal static var name = "nobody"
}

/// Each test fails with a break of the core that no other test noticed.
@Suite("Breaks that no test saw: callbacks", .timeLimit(.minutes(10)))
struct UnseenCallbackBreakTests {
    @Test("SLOT, NO-MAIN: a handler on a queue gets a failure without the main actor, and replaces no callback")
    func failureOnQueue() async {
        let log = EventLog(), isTold = Gate(), isOver = Gate(), queue = DispatchQueue(label: "handlers")
        let future = ResponseFuture<Int>(error: Mishap()).error { _ in log("error") }.completion { isOver.open() }
        // The queue gets this after the handler: completions come last.
        _ = future.onCompletion { queue.async { isTold.open() } }
        await MainQueue.blocked {
            future.send(on: queue) { _ in log("handler") }
            await isTold.opened()
            #expect(log.events == ["handler"])
        }
        await isOver.opened()
        #expect(log.events == ["handler", "error"])
    }

    @Test("SLOT: iterating over futures takes none of their callbacks away", arguments: [true, false])
    func iteratedSlots(isInOrder: Bool) async {
        let log = EventLog(), areOver = [Gate(), Gate()]
        let good = ResponseFuture(result: 1).success { log("success \($0)") }.completion { areOver[0].open() }
        let bad = ResponseFuture<Int>(error: Mishap()).error { _ in log("error") }.completion { areOver[1].open() }
        if isInOrder {
            for await _ in [good, bad].resultsInOrder() {}
        } else {
            for await _ in [good, bad].resultsInCompletionOrder() {}
        }
        for isOver in areOver { await isOver.opened() }
        #expect(log.events.sorted() == ["error", "success 1"])
    }

    @Test(
        "AFTER-CANCEL, THROW: the error of one success callback is not told once the next has cancelled the future",
        arguments: [true, false])
    func cancelAfterThrow(onMain: Bool) async {
        let log = EventLog(), future = ResponseFuture(result: 1)
        if onMain {
            _ = future.onSuccess { @MainActor _ in throw Mishap() }.onSuccess { @MainActor _ in future.cancel() }
        } else {
            _ = future.onSuccess { _ in throw Mishap() }.onSuccess { _ in future.cancel() }
        }
        _ = future.onFailure { _ in log("failure") }.onCancellation { log("cancellation") }
        future.onCompletion { log("completion") }.send()
        #expect(await log.all(2) == ["cancellation", "completion"])
        #expect(future.status == .cancelled)
    }

    @Test(
        "THROW, AFTER-CANCEL: what a success callback throws after it has cancelled its future changes no status",
        arguments: [true, false], [true, false])
    func throwAfterCancel(onMain: Bool, isLast: Bool) async {
        let log = EventLog(), isOver = Gate(), future = ResponseFuture(result: 1)
        let work = { @Sendable () throws -> Void in
            future.cancel()
            throw Mishap()
        }
        if onMain {
            _ = future.onSuccess { @MainActor _ in try work() }
        } else {
            _ = future.onSuccess { _ in try work() }
        }
        // The cancellation is for those that have not had the value.
        if !isLast { _ = future.onSuccess { _ in log("success") } }
        _ = future.onFailure { _ in log("failure") }.onCancellation { log("cancellation") }
        future.onCompletion { isOver.open() }.send()
        await isOver.opened()
        #expect(log.events == (isLast ? [] : ["cancellation"]))
        #expect(future.status == (isLast ? .success : .cancelled))
    }

    @available(*, deprecated)
    @MainActor
    @Test("AFTER-CANCEL: a future with only the progress of PiuPiu 1.4 and a cancellation gets the cancellation")
    func progressAndCancellation() async throws {
        let log = EventLog()
        let future = ResponseFuture<Int> { $0.succeed(with: 1) }.progress { log("progress \($0)") }
            .cancellation { log("cancellation") }
        future.send()
        // On the main actor: none of them can have been called by now.
        #expect(future.status == .success)
        future.cancel()
        try #require(future.status == .cancelled)
        #expect(await log.all(1) == ["cancellation"])
        #expect(await future.ending == "value 1")
    }

    @Test("INHERIT: callbacks that come after one on an actor have the task-local values of the sender, too")
    func afterCallbackOnActor() async {
        let log = EventLog(), future = ResponseFuture { () async in 1 }
        _ = future.onSuccess { @MainActor _ in log("first \(Traits.name)") }
            .onSuccess { _ in log("second \(Traits.name)") }
            .onSuccess { @MainActor _ in log("third \(Traits.name)") }
            .onCompletion { log("completion \(Traits.name)") }
        Traits.$name.withValue("sender") { future.send() }
        #expect(await log.all(4) == ["first sender", "second sender", "third sender", "completion sender"])
    }

    @MainActor
    @Test("AFTER-CANCEL: a settled future stays as it is in a cancelled scope, even if its callbacks still wait")
    func settledInCancelledScope() async {
        let log = EventLog(), scope = FutureScope()
        let future = ResponseFuture<Int> { $0.succeed(with: 1) }.success { log("success \($0)") }
            .cancellation { log("cancellation") }.completion { log("completion") }
        scope.cancel()
        future.send()
        // On the main actor: none of them can have been called by now.
        #expect(future.status == .success)
        #expect(future.bound(to: scope).status == .success)
        #expect(await log.all(2) == ["success 1", "completion"])
    }

    @Test("NEVER-HANG: a handler that is released without a call fails a future with an onCancel, too")
    func forgottenHandler() async throws {
        let log = EventLog()
        let future = ResponseFuture<Int>.withResultHandler { _ in
            7
        } onCancel: { number in
            log("cancelled \(number)")
        }
        future.send()
        // The handler has been released by now.
        try #require(future.status == .error)
        #expect(await future.ending.hasPrefix("error abandoned"))
        #expect(log.events == [])
    }
}
