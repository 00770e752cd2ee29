import PiuPiu
import PiuPiuTesting
import TestSupport
import Testing

@Suite("Retrying an operation", .timeLimit(.minutes(10)))
struct RetryTests {
    private let attempts = Counter()
    private let clock = ManualClock()

    /// Fails `count` times, then gives the number of the attempt.
    private func work(failing count: Int, _ holding: Holding = .temporary) -> ResponseFuture<Int> {
        let keeper = Keeper<Int>(holding), number = attempts.increment()
        return keeper.keep(
            ResponseFuture { () async throws -> Int in
                if number <= count { throw Mishap(number: number) }
                return number
            })
    }

    @Test("Each attempt runs the operation again; the last error is the error", arguments: Holding.allCases)
    func counts(holding: Holding) async {
        let future = ResponseFuture.retry(3) { work(failing: 2, holding) }
        #expect(attempts.value == 0)
        async let other = future.ending
        #expect(await future.ending == "value 3")
        #expect(await other == "value 3")
        #expect(attempts.value == 3)
        #expect(await ResponseFuture.retry(2) { work(failing: 9, holding) }.ending == "error Mishap(number: 5)")
        #expect(attempts.value == 5)
    }

    @Test("There is at least one attempt", arguments: [1, 0, -1, .min])
    func oneAttempt(count: Int) async {
        #expect(await ResponseFuture.retry(count) { work(failing: 9) }.ending == "error Mishap(number: 1)")
        #expect(attempts.value == 1)
    }

    @Test("RELEASE: a cancelled retry ends, even if it retries after cancellations", arguments: [true, false])
    func ends(byAwaiter: Bool) async {
        let members = Population(), gate = Gate()
        func retrying() -> ResponseFuture<Int> {
            let member = members.member()
            return .retry(.max, on: .errorsAndCancellations) {
                ResponseFuture { () async throws -> Int in
                    defer { withExtendedLifetime(member) {} }
                    try await gate.passUnlessCancelled()
                    throw Mishap()
                }
            }
        }
        if byAwaiter {
            let task = Task { await retrying().ending }
            await gate.reached()
            task.cancel()
            #expect(await task.value == "cancelled")
        } else {
            let future = retrying()
            future.send()
            await gate.reached()
            future.cancel()
            #expect(future.status == .cancelled)
        }
        await members.extinct()
    }

    @Test("RELEASE: an attempt is released before the next one, with a shared parent that ended at once, too")
    func attemptsAreReleased() async {
        let members = Population(), alive = Locked<[Int]>([])
        let future = ResponseFuture<Int>.retry(6) {
            alive.withLock { $0.append(members.count) }
            let shared = ResponseFuture { () throws -> Population.Member in members.member() }
            return shared.then { _ throws in
                withExtendedLifetime(shared) {}
                throw Mishap()
            }
        }
        #expect(await future.ending == "error Mishap(number: 0)")
        let counts = alive.withLock { $0 }
        // The thread that made the outcome may be the last to release it.
        #expect(counts.count == 6 && counts.allSatisfy { $0 <= 1 }, "\(counts)")
        await members.extinct()
    }

    @Test("Only selected errors are retried; a cancellation never, unless asked for")
    func filtered() async {
        let filtered = ResponseFuture.retry(9, on: .errors { ($0 as? Mishap)?.number != 2 }) { work(failing: 9) }
        #expect(await filtered.ending == "error Mishap(number: 2)")
        let (plain, asked) = (Counter(), Counter())
        let cancelled = ResponseFuture<Int>.retry(9) {
            plain.increment()
            return ResponseFuture { throw CancellationError() }
        }
        #expect(await cancelled.ending == "cancelled")
        #expect(plain.value == 1)
        let stubborn = ResponseFuture<Int>.retry(3, on: .errorsAndCancellations) {
            asked.increment() == 3 ? ResponseFuture { 7 } : ResponseFuture { throw CancellationError() }
        }
        #expect(await stubborn.ending == "value 7")
    }

    @Test("An error that the closure throws is the error of that attempt")
    func closureThrows() async {
        let future = ResponseFuture<Int>.retry(3) {
            guard attempts.increment() == 3 else { throw Mishap() }
            return ResponseFuture { 7 }
        }
        #expect(await future.ending == "value 7")
    }

    @Test("It waits for the delays, by the clock")
    func waits() async {
        let future = ResponseFuture.retry(4, delays: [.seconds(1), .seconds(5)], clock: clock) { work(failing: 3) }
        let task = Awaiting(now: future)
        for (count, seconds) in [1, 5, 5].enumerated() {
            await clock.sleepers()
            #expect(attempts.value == count + 1)
            clock.advance(by: .seconds(seconds) - .nanoseconds(1))
            await clock.sleepers()
            clock.advance(by: .nanoseconds(1))
        }
        #expect(await task.ending == "value 4")
    }

    @Test("PROMPT: a cancellation during a wait ends it at once, and no attempt follows")
    func cancelledWait() async {
        let closures = Population()
        @Sendable func make() -> ResponseFuture<Int> {
            let member = closures.member()
            return .retry(9, delays: .constant(.seconds(60)), clock: clock) {
                withExtendedLifetime(member) { work(failing: 9) }
            }
        }
        let task = Awaiting { make() }
        await clock.sleepers()
        task.cancel()
        #expect(await task.ending == "cancelled")
        await closures.extinct()
        #expect(attempts.value == 1)
    }

    @Test(
        "UP, PROMPT: a cancellation during a deaf attempt cancels the attempt, and no other follows",
        arguments: Holding.allCases)
    func cancelledAttempt(holding: Holding) async {
        let deaf = DeafWork(.operation), keeper = Keeper<Int>(holding), closures = Population()
        @Sendable func make() -> ResponseFuture<Int> {
            let member = closures.member()
            return .retry(9, on: .errorsAndCancellations) {
                withExtendedLifetime(member) { _ = attempts.increment() }
                return keeper.keep(deaf.future())
            }
        }
        let task = Awaiting { make() }
        await deaf.reached()
        task.cancel()
        #expect(await task.ending == "cancelled")
        await keeper.cancelled()
        deaf.release()
        await closures.extinct()
        #expect(attempts.value == 1)
    }

    @Test("Delays: sequences, whose last repeats, and closures; none below zero")
    func delays() {
        let list: RetryDelays = [.seconds(1), .seconds(3)]
        #expect((0...4).map { list.delay(after: $0) } == [1, 1, 3, 3, 3].map(Duration.seconds))
        #expect(RetryDelays([]).delay(after: 1) == .zero && RetryDelays.none.delay(after: .max) == .zero)
        #expect(RetryDelays { .seconds(2 - $0) }.delay(after: 9) == .zero)
        #expect(RetryDelays((1...3).lazy.map { .seconds($0) }).delay(after: 2) == .seconds(2))
    }

    @Test("A back-off grows to its maximum, and no arithmetic overflows")
    func backOff() {
        let delays = RetryDelays.exponential(from: .milliseconds(50), upTo: .seconds(20))
        for (count, milliseconds) in [(1, 50), (2, 100), (3, 200), (9, 12_800)] {
            let difference = delays.delay(after: count) - .milliseconds(milliseconds)
            #expect(difference.magnitude < .microseconds(1))
        }
        for count in [10, 100, 1_000_000, .max] { #expect(delays.delay(after: count) == .seconds(20)) }
        #expect(RetryDelays.exponential(from: .seconds(9), upTo: .seconds(2)).delay(after: 1) == .seconds(2))
        #expect(RetryDelays.exponential(from: .zero, upTo: .seconds(2)).delay(after: .max) == .zero)
        let shrinking = RetryDelays.exponential(from: .seconds(1), factor: -3, upTo: .seconds(2))
        #expect(shrinking.delay(after: 7) == .seconds(1))
        for factor in [Double.nan, .infinity] {
            let odd = RetryDelays.exponential(from: .seconds(1), factor: factor, upTo: .seconds(2)).delay(after: 7)
            #expect(odd <= .seconds(2))
        }
    }
}

extension Duration {
    fileprivate var magnitude: Duration { self < .zero ? .zero - self : self }
}
