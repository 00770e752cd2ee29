import PiuPiu
import TestSupport
import Testing

/// Notes its release in a log.
private final class Farewell: Sendable {
    private let log: EventLog

    init(_ log: EventLog) {
        self.log = log
    }

    deinit { log("released") }

    func note(_ event: String) { log(event) }
}

/// A reference that neither retains a future nor notices its end.
private struct Unowned: Sendable {
    unowned let future: ResponseFuture<Int>
}

/// Each test fails with a break of the core that no other test noticed.
@Suite("Breaks that no test saw: references", .timeLimit(.minutes(10)))
struct UnseenReferenceBreakTests {
    @Test("UNSENT, NEVER-HANG: an iteration over updates ends when its pending future is released, promise or not")
    func pendingUnsent() async {
        let (iterator, promise) = {
            let (future, promise) = ResponseFuture<Int>.pending()
            return (future.updates().makeAsyncIterator(), promise)
        }()
        var updates = iterator
        // If the sequence hasn't ended, only the time limit ends this wait.
        #expect(await updates.next() == nil)
        #expect(!Task.isCancelled)
        #expect(promise.status == .created)
    }

    @MainActor
    @Test(
        "RETAIN: a future that was settled before send() can be reached in its callbacks", arguments: [true, false],
        [true, false])
    func settledBeforeSend(isPending: Bool, isSlot: Bool) async {
        let log = EventLog(), reference = Box<Weak<ResponseFuture<Int>>>()
        let note = { @MainActor @Sendable (event: String) in log("\(event) \(reference.value?.object != nil)") }
        func send() {
            let pair = ResponseFuture<Int>.pending(), other = ResponseFuture<Int> { () throws -> Int in 0 }
            let future = isPending ? pair.future : other
            reference.value = Weak(future)
            if isSlot {
                _ = future.success { _ in note("success") }.completion { note("completion") }
            } else {
                _ = future.onSuccess { @MainActor _ in note("success") }
                    .onCompletion { @MainActor in note("completion") }
            }
            (isPending ? pair.promise : other).succeed(with: 1)
            future.send()
        }
        send()
        // Nothing can have been delivered on the main actor yet.
        #expect(reference.value?.object != nil)
        #expect(await log.all(2) == ["success true", "completion true"])
    }

    @Test("RETAIN, SAME: an action can be reached through a weak reference while a chain on it is awaited")
    func awaitedAction() async {
        let reference = Box<Weak<ResponseFuture<Int>>>(), promise = Box<ResponseFuture<Int>>(), begun = Gate()
        func chain() -> ResponseFuture<Int> {
            let action = ResponseFuture<Int> { (future: ResponseFuture<Int>) in
                promise.value = future
                begun.open()
            }
            reference.value = Weak(action)
            return action.then { $0 + 1 }
        }
        // The chain waits when this returns, and retains no link above any more.
        let awaiter = Awaiting(now: chain())
        await begun.opened()
        let action = reference.value?.object
        #expect(action?.status == .started)
        promise.value?.succeed(with: 1)
        promise.value = nil
        #expect(await awaiter.ending == "value 2")
        #expect(await action?.ending == "value 1")
    }

    @Test("SAME: a link that only an unowned reference reaches has the state of its chain, and can be cancelled")
    func unownedReference() async {
        let gate = Gate(), reference = Box<Unowned>()
        let awaiter = Awaiting { () -> ResponseFuture<Int> in
            let parent = waiting(at: gate)
            reference.value = Unowned(future: parent)
            return parent.then { $0 + 1 }
        }
        // The work retains the link as long as it waits here.
        await gate.reached()
        #expect(reference.value?.future.status == .started)
        reference.value?.future.cancel()
        gate.open()
        #expect(await awaiter.ending == "cancelled")
        reference.value = nil
    }

    @Test("SAME: the callbacks of an awaited temporary run before they are released", arguments: [true, false])
    func callbacksOfTemporary(isSlot: Bool) async throws {
        let log = EventLog()
        func value() async throws -> Int {
            let farewell = Farewell(log)
            if isSlot {
                return try await ResponseFuture<Int> { () throws -> Int in 1 }
                    .success { number in farewell.note("success \(number)") }.value
            }
            return try await ResponseFuture<Int> { () throws -> Int in 1 }
                .onSuccess { number in farewell.note("success \(number)") }.value
        }
        #expect(try await value() == 1)
        #expect(await log.all(1).first == "success 1")
    }
}
