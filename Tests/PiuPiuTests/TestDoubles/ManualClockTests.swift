import PiuPiuTesting
import TestSupport
import Testing

@Suite("A manual clock", .timeLimit(.minutes(10)))
struct ManualClockTests {
    private let clock = ManualClock()

    @Test("Sleepers resume at their deadlines, and nobody sleeps until a time that has passed")
    func advancing() async throws {
        let second = Task { try await clock.sleep(for: .seconds(2)) }
        let first = Task {
            try await clock.sleep(until: ManualClock.Instant(offset: .seconds(1)), tolerance: .seconds(5))
        }
        await clock.sleepers(2)
        #expect(clock.deadlines == [.seconds(1), .seconds(2)])
        clock.advance(by: .milliseconds(999))
        #expect(clock.deadlines.count == 2)
        clock.advance(by: .milliseconds(1))
        try await first.value
        #expect(clock.deadlines == [.seconds(2)])
        clock.advance(by: .seconds(-1))
        #expect(clock.now == ManualClock.Instant(offset: .seconds(1)))
        clock.advance(by: .seconds(9))
        try await second.value
        await clock.noSleepers()
        try await clock.sleep(until: clock.now, tolerance: nil)
        #expect(clock.now.duration(to: ManualClock.Instant()) == .seconds(-10))
    }

    @Test("A cancelled sleep throws at once, whether it had begun or not", arguments: [true, false])
    func cancellation(isEarly: Bool) async {
        let gate = Gate()
        let sleeping = Task {
            if isEarly { await gate.pass() }
            try await clock.sleep(for: .seconds(1))
        }
        await (isEarly ? gate.reached() : clock.sleepers())
        sleeping.cancel()
        gate.open()
        await #expect(throws: CancellationError.self) { try await sleeping.value }
        #expect(clock.deadlines == [])
    }

    @Test("A wait for deadlines ends when there are no others")
    func waiting() async throws {
        let sleepers = [3, 1].map { seconds in Task { try await clock.sleep(for: .seconds(seconds)) } }
        await clock.sleepers(until: [.seconds(1), .seconds(3)])
        sleepers[0].cancel()
        await clock.sleepers(until: [.seconds(1)])
        clock.advance(by: .seconds(1))
        try await sleepers[1].value
        await #expect(throws: CancellationError.self) { try await sleepers[0].value }
    }
}
