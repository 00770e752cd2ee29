import PiuPiu
import Testing

@Suite("The pace of a session's events", .timeLimit(.minutes(10)))
struct EventPacingTests {
    /// A pacing with a full burst in line, which has made the session pause.
    private static func paused(after bytes: Int = 0) -> EventPacing {
        var pacing = EventPacing()
        for _ in 2..<EventPacing.burst { _ = pacing.arrived(canPause: true) }
        _ = pacing.arrived(bytes: bytes, canPause: true)
        let last = pacing.arrived(canPause: true)
        #expect(last == .pauseAndTell)
        pacing.willTell()
        return pacing
    }

    @Test("What arrives together is told together")
    func together() {
        var pacing = EventPacing()
        check(pacing.arrived(canPause: true), .tellAfterReading)
        check(pacing.arrived(canPause: true), .wait)
        pacing.willTell()
        check(pacing.arrived(canPause: true), .tellAfterReading)
    }

    @Test("MEMORY: the session pauses after each burst, until the line is short")
    func pause() {
        var pacing = Self.paused()
        // Those that were on their way, which no reading will bring to an end.
        check(pacing.arrived(canPause: true), .tell)
        let untold = EventPacing.burst + 1
        for _ in EventPacing.rest + 1..<untold - 1 { check(pacing.told(letsOthersPass: false), .nothing) }
        check(pacing.told(letsOthersPass: false), .nothing)
        check(pacing.told(letsOthersPass: false), .goOn)
        check(pacing.told(letsOthersPass: false), .nothing)
        check(pacing.arrived(canPause: true), .tellAfterReading)
    }

    @Test("A pause is longer when others are to pass, and ends once")
    func courtesy() {
        var pacing = Self.paused(after: EventPacing.bytesBetweenCourtesies)
        for _ in EventPacing.rest + 1..<EventPacing.burst { check(pacing.told(letsOthersPass: true), .nothing) }
        check(pacing.told(letsOthersPass: true), .goOnAfterCourtesy)
        for _ in 0..<EventPacing.rest { check(pacing.told(letsOthersPass: false), .nothing) }
        check(pacing.arrived(canPause: true), .tell)
        pacing.goOn()
        pacing.willTell()
        check(pacing.arrived(canPause: true), .tellAfterReading)
    }

    @Test("A pause is no longer when little has gone through the session")
    func noCourtesy() {
        var pacing = Self.paused(after: EventPacing.bytesBetweenCourtesies - 1)
        for _ in EventPacing.rest + 1..<EventPacing.burst { check(pacing.told(letsOthersPass: true), .nothing) }
        check(pacing.told(letsOthersPass: true), .goOn)
    }

    @Test("A session that can't be made to pause is told of each event")
    func withoutPauses() {
        var pacing = EventPacing()
        for _ in 0..<EventPacing.burst * 2 { check(pacing.arrived(canPause: false), .tell) }
        check(pacing.told(letsOthersPass: true), .nothing)
    }

    /// A comparison outside of the macro, whose argument can't change anything.
    private func check<Answer: Equatable>(_ answer: Answer, _ expected: Answer) {
        #expect(answer == expected)
    }
}
