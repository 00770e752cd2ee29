import PiuPiu
import PiuPiuTesting
import TestSupport
import Testing

/// The cost of one observer must not grow with their number.
@Suite("Many observers of one future", .serialized, .timeLimit(.minutes(10)))
struct ManyObserversTests {
    private static let many = 10_000

    @Test("Ten thousand callbacks, branches and awaiters of one future are all notified", arguments: [true, false])
    func manyObservers(isCancelled: Bool) async {
        let gate = Gate(), future = waiting(at: gate), told = Watched(0)
        let tell = { @Sendable in told.withLock { $0 += 1 } }
        for _ in 0..<Self.many {
            _ = future.onCompletion { tell() }
            future.then { $0 }.onCompletion { tell() }.send()
        }
        let awaiters = (0..<Self.many).map { _ in Awaiting(now: future) }
        await gate.reached()
        if isCancelled { future.cancel() } else { gate.open() }
        await told.wait { $0 == 2 * Self.many }
        let expected = isCancelled ? "cancelled" : "value 1"
        for awaiter in awaiters {
            guard await awaiter.ending == expected else {
                Issue.record("an awaiter has another outcome")
                break
            }
        }
    }

    @Test("DOWN, INTEREST: ten thousand awaiters and branches leave one by one; the last cancels the work")
    func manyLeave() async {
        let gate = Gate(), cancelled = Gate(), future = waiting(at: gate, cancelled: cancelled)
        let awaiters = (0..<Self.many).map { _ in Awaiting(now: future) }
        let branches = (0..<Self.many).map { _ in future.then { $0 } }
        for branch in branches { branch.send() }
        await gate.reached()
        for branch in branches { branch.cancel() }
        for awaiter in awaiters.dropFirst() { awaiter.cancel() }
        for awaiter in awaiters.dropFirst() { await _ = awaiter.ending }
        #expect(future.status == .started)
        awaiters[0].cancel()
        await cancelled.opened()
        #expect(await awaiters[0].ending == "cancelled")
        #expect(future.status == .cancelled)
    }
}
