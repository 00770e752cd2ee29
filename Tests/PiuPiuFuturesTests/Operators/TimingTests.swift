import Dispatch
import Foundation
import PiuPiu
import PiuPiuTesting
import TestSupport
import Testing

@Suite("Operators with a clock", .timeLimit(.minutes(10)))
struct TimingTests {
    private let clock = ManualClock()

    @Test(
        "PROMPT, SAME: a timeout ends a future of deaf work at once, and cancels the work",
        arguments: DeafWork.Kind.allCases,
        Holding.allCases)
    func timeout(kind: DeafWork.Kind, holding: Holding) async {
        let deaf = DeafWork(kind), keeper = Keeper<Int>(holding)
        defer { deaf.release() }
        let task = Awaiting { [clock] in keeper.keep(deaf.future()).timeout(.seconds(5), clock: clock) }
        await deaf.reached()
        await clock.sleepers()
        clock.advance(by: .milliseconds(4_999))
        if let work = keeper.future { #expect(work.status == .started) }
        clock.advance(by: .milliseconds(1))
        #expect(await task.ending == "error timedOut(after: 5.0 seconds)")
        await keeper.cancelled()
    }

    @Test("The time of a legacy action counts, too: the timer begins before it")
    func timeoutOfAction() async {
        let returns = DispatchSemaphore(value: 0)
        let future = ResponseFuture<Int> { promise in
            returns.wait()
            promise.succeed(with: 1)
        }
        .timeout(.seconds(5), clock: clock)
        DispatchQueue.global().async { future.send() }
        await clock.sleepers()
        clock.advance(by: .seconds(5))
        #expect(await future.ending == "error timedOut(after: 5.0 seconds)")
        returns.signal()
    }

    @Test(
        "A duration beyond the range of clocks is a long one", arguments: [Duration.seconds(Int64.max), .seconds(1e18)])
    func longest(duration: Duration) async {
        let value = ResponseFuture { () async -> Int in 1 }
        #expect(await value.timeout(duration).ending == "value 1")
        let waiting = [
            ResponseFuture<Void>.after(duration).then { 1 }, ResponseFuture(result: 1).delay(duration),
            .retry(2, delays: .constant(duration)) { ResponseFuture { throw Mishap() } },
            ResponseFuture<Void>.after(duration, clock: clock).then { 1 },
        ]
        for future in waiting { future.send() }
        await clock.sleepers()
        for future in waiting {
            future.cancel()
            #expect(await future.ending == "cancelled")
        }
        for duration in [Duration.seconds(Int64.min), .seconds(Int64.min) * 2] {
            #expect(await ResponseFuture<Void>.after(duration).then { 1 }.ending == "value 1")
        }
    }

    @Test("The error names the duration and says what to do")
    func text() {
        let error = FutureError.timedOut(after: .milliseconds(1_500))
        #expect(error.localizedDescription.contains("1.5 seconds"))
        #expect(error.localizedDescription.contains("Try again"))
    }

    @Test("An outcome in time passes unchanged, and releases the timer", arguments: Holding.allCases)
    func inTime(holding: Holding) async {
        let population = Population(), gate = Gate(), keeper = Keeper<Int>(holding)
        @Sendable func timed() -> ResponseFuture<Int> {
            let clock = CountedClock(member: population.member())
            return keeper.keep(waiting(at: gate)).timeout(.seconds(3_600), clock: clock)
        }
        let task = Awaiting { timed() }
        await gate.reached()
        gate.open()
        #expect(await task.ending == "value 1")
        await population.extinct()
        let failing = ResponseFuture<Int> { throw Mishap(number: 2) }.timeout(.seconds(3_600))
        #expect(await failing.ending == "error Mishap(number: 2)")
    }

    @Test("SHARED: work with another awaiter outlives the timeout")
    func shared() async {
        let gate = Gate(), work = waiting(at: gate), other = work.awaitedInTask()
        let task = Awaiting(now: work.timeout(.seconds(1), clock: clock))
        await clock.sleepers()
        clock.advance(by: .seconds(1))
        #expect(await task.ending == "error timedOut(after: 1.0 seconds)")
        #expect(work.status == .started)
        gate.open()
        #expect(await other.value == "value 1")
    }

    @Test("EARLY: without any time nothing is started", arguments: [Duration.zero, .seconds(-1)])
    func noTime(duration: Duration) async {
        let runs = Counter()
        let work = ResponseFuture { runs.increment() }
        await #expect(throws: FutureError.timedOut(after: duration)) { try await work.timeout(duration).value }
        #expect(runs.value == 0 && work.status == .created)
    }

    @Test("The shorter of nested timeouts counts; a timeout can be recovered from")
    func nested() async {
        let gate = Gate()
        defer { gate.open() }
        let future = waiting(at: gate).timeout(.seconds(2), clock: clock).timeout(.seconds(9), clock: clock)
            .recover(only: FutureError.self) { $0 == .timedOut(after: .seconds(2)) ? 7 : 8 }
        let task = Awaiting(now: future)
        await clock.sleepers(2)
        clock.advance(by: .seconds(2))
        #expect(await task.ending == "value 7")
    }

    @Test("delay holds back a value, but no error or cancellation", arguments: Holding.allCases)
    func delay(holding: Holding) async {
        let keeper = Keeper<Int>(holding)
        let task = Awaiting { [clock] in keeper.keep(ResponseFuture { 7 }).delay(.seconds(3), clock: clock) }
        await clock.sleepers()
        clock.advance(by: .seconds(2))
        await clock.sleepers()
        clock.advance(by: .seconds(1))
        #expect(await task.ending == "value 7")
        let failing = ResponseFuture<Int> { throw Mishap() }.delay(.seconds(3), clock: clock)
        #expect(await failing.ending == "error Mishap(number: 0)")
        let cancelled = ResponseFuture<Int> { throw CancellationError() }.delay(.seconds(3), clock: clock)
        #expect(await cancelled.ending == "cancelled")
    }

    @Test("Without any time there is no sleep", arguments: [Duration.zero, .seconds(-1)])
    func noSleep(duration: Duration) async {
        let clock = RefusingClock()
        #expect(await ResponseFuture(result: 1).delay(duration, clock: clock).ending == "value 1")
        #expect(await ResponseFuture.after(duration, clock: clock).then { 1 }.ending == "value 1")
    }

    @Test("COLD, PROMPT: after begins with its start, and a cancellation ends it")
    func after() async {
        let future = ResponseFuture.after(.seconds(3), clock: clock)
        clock.advance(by: .seconds(3))
        future.send()
        await clock.sleepers()
        clock.advance(by: .seconds(3))
        #expect(await future.result.isSuccess)
        let cancelled = ResponseFuture.after(.seconds(3), clock: clock).then { 1 }
        let task = Awaiting(now: cancelled)
        await clock.sleepers()
        cancelled.cancel()
        #expect(await task.ending == "cancelled")
        #expect(await ResponseFuture.after(.milliseconds(1)).then { 1 }.ending == "value 1")
    }
}

/// A clock that stands still, and whose release is counted.
private struct CountedClock: Clock {
    let member: Population.Member
    private let base = ManualClock()

    init(member: Population.Member) { self.member = member }

    var now: ManualClock.Instant { base.now }
    var minimumResolution: Duration { .zero }

    func sleep(until deadline: ManualClock.Instant, tolerance: Duration?) async throws {
        try await base.sleep(until: deadline, tolerance: tolerance)
    }
}

/// A clock by which nobody may sleep.
private struct RefusingClock: Clock {
    let now = ManualClock.Instant(), minimumResolution = Duration.zero

    func sleep(until deadline: ManualClock.Instant, tolerance: Duration?) async throws { throw Mishap() }
}

extension Result {
    fileprivate var isSuccess: Bool { if case .success = self { true } else { false } }
}
