import Foundation
import PiuPiu
import TestSupport
import Testing

/// Each test fails with a break of the core that no other test noticed.
@Suite("Breaks that no test saw: cancellations", .timeLimit(.minutes(10)))
struct UnseenCancellationBreakTests {
    @Test("INTEREST: a chain that ends gives back its token for a future that would have fulfilled it")
    func tokenOfFulfilling() async {
        let gate = Gate(), innerGate = Gate(), otherGate = Gate(), log = EventLog()
        let inner = waiting(at: innerGate), other = waiting(at: otherGate)
        let chain = waiting(at: gate).flatMap { _ in inner }
        chain.onCompletion { log("\(other.status)") }.send()
        // The chain takes its first token for the other future, and for the inner one as well.
        other.fulfill(chain)
        await otherGate.reached()
        gate.open()
        await innerGate.reached()
        innerGate.open()
        #expect(await log.all(1) == ["cancelled"])
        #expect(await chain.ending == "value 1")
        otherGate.open()
    }

    @Test("UP: a cancelled future has left its scope when the handler of its work runs")
    func leftScope() async {
        let gate = Gate(), log = EventLog(), scope = FutureScope()
        let future = ResponseFuture<Int> { () async throws -> Int in
            try await withTaskCancellationHandler {
                try await gate.passUnlessCancelled()
            } onCancel: {
                log("\(scope.count)")
            }
            return 1
        }
        future.bound(to: scope).send()
        await gate.reached()
        #expect(scope.count == 1)
        future.cancel()
        #expect(log.events == ["0"])
    }

    /// Many rounds: in some the future is cancelled between its start and the first step of its work.
    @Test("EARLY, DOWN: work that an awaiter begins while the future is cancelled is cancelled, or doesn't begin")
    func cancelledBeforeFirstStep() async {
        let begun = Counter(), cancelled = Counter(), gate = Gate()
        defer { gate.open() }
        var generator = SeededGenerator(seed: 31)
        for round in 0..<2_000 {
            let awaiter = Box<Awaiting>()
            let future = ResponseFuture<Int> { () async throws -> Int in
                try await withTaskCancellationHandler {
                    begun.increment()
                    try await gate.passUnlessCancelled()
                } onCancel: {
                    cancelled.increment()
                }
                return 1
            }
            let lead = Int.random(in: -300...300, using: &generator)
            await onTwoThreads(lead: lead, { awaiter.value = Awaiting(now: future) }, { future.cancel() })
            await awaiter.value?.ended()
            guard begun.value <= cancelled.value else {
                Issue.record("round \(round), lead \(lead): work that nobody cancels")
                return
            }
        }
    }

    /// Many rounds: in some a future settles in the middle of its cancellation.
    @Test("AFTER-CANCEL: a cancellation counts while no callback has run, even if another thread settles the future")
    func cancelBesideSettlement() async {
        // So nothing is delivered.
        await MainQueue.blocked {
            var generator = SeededGenerator(seed: 32)
            for round in 0..<150 {
                let pairs = (0..<100).map { _ in ResponseFuture<Int>.pending() }
                for pair in pairs { pair.future.success { _ in }.send() }
                let lead = Int.random(in: -300...300, using: &generator)
                await onTwoThreads(
                    lead: lead, { for pair in pairs { pair.future.cancel() } },
                    { for pair in pairs { pair.promise.succeed(with: 1) } })
                let statuses = pairs.map(\.future.status)
                guard statuses.allSatisfy({ $0 == .cancelled }) else {
                    Issue.record("round \(round), lead \(lead): \(Set(statuses))")
                    return
                }
            }
        }
    }

    @Test("UP: an action that throws a cancellation of any kind is cancelled, and has no error", arguments: 0..<3)
    func throwingAction(kind: Int) async {
        let log = EventLog()
        let future = ResponseFuture<Int> { (_: ResponseFuture<Int>) throws -> Void in
            switch kind {
            case 0: throw CancellationError()
            case 1: throw URLError(.cancelled)
            default: throw CocoaError(.userCancelled)
            }
        }
        _ = future.onFailure { _ in log("failure") }.onCancellation { log("cancellation") }
        future.onCompletion { log("completion") }.send()
        #expect(await log.all(2) == ["cancellation", "completion"])
        #expect(future.status == .cancelled)
        #expect(await future.ending == "cancelled")
    }

    @Test("DOWN, SHARED: an awaiter that is cancelled while it does the work of a sent future gets no value")
    func cancelledInWork() async {
        let own = Box<ResponseFuture<Int>>(), awaiter = Box<Awaiting>(), isReady = Gate()
        let future = ResponseFuture<Int> { () throws -> Int in
            own.value?.send()
            awaiter.value?.cancel()
            return 1
        }
        own.value = future
        let awaiting = Awaiting(running: {
            await isReady.opened()
            return "\(try await future.value)"
        })
        awaiter.value = awaiting
        isReady.open()
        #expect(await awaiting.ending == "cancelled")
        #expect(await future.ending == "value 1")
        own.value = nil
    }

    @MainActor
    @Test("MEMO, AFTER-CANCEL: settledResult is what awaiters get, also when the callbacks were cancelled")
    func settledResultAfterCancel() async {
        let future = ResponseFuture<Int> { $0.succeed(with: 1) }.success { _ in }
        future.send()
        // On the main actor: the callback can't have been called by now.
        future.cancel()
        #expect(future.status == .cancelled)
        #expect((try? future.settledResult?.get()) == 1)
        #expect(await future.ending == "value 1")
    }
}
