/// Measures the time since its creation with any clock; with the usual continuous clock, without dynamic dispatch.
package struct Stopwatch: Sendable {
    private enum Measure: Sendable {
        case continuous(ContinuousTime)
        case other(@Sendable () -> Duration)
    }

    private let measure: Measure

    package init(_ clock: any Clock<Duration>) {
        self.init(MeasuringClock(clock))
    }

    package init(_ clock: MeasuringClock) {
        measure = clock.isContinuous ? .continuous(.now) : .other(Self.elapsed(by: clock.base))
    }

    private static func elapsed<C: Clock<Duration>>(by clock: C) -> @Sendable () -> Duration {
        let start = clock.now
        return { start.duration(to: clock.now) }
    }

    /// The time since its creation.
    package var elapsed: Duration {
        switch measure {
        case .continuous(let start): ContinuousTime.now.sinceFirst - start.sinceFirst
        case .other(let elapsed): elapsed()
        }
    }

    /// When it was made, if it uses the continuous clock.
    package var start: ContinuousTime? { if case .continuous(let start) = measure { start } else { nil } }
}

/// An instant of the continuous clock, as the time since the first one. Unlike the clock's own type, the compiler knows
/// it as a plain value.
package struct ContinuousTime: Sendable, Comparable {
    private static let first = ContinuousClock.now

    /// The time since the first instant.
    package let sinceFirst: Duration

    package static var now: ContinuousTime { ContinuousTime(sinceFirst: first.duration(to: .now)) }

    package static func < (left: ContinuousTime, right: ContinuousTime) -> Bool { left.sinceFirst < right.sinceFirst }

    package func advanced(by duration: Duration) -> ContinuousTime { ContinuousTime(sinceFirst: sinceFirst + duration) }

    /// The same as an instant of the clock.
    package var instant: ContinuousClock.Instant { Self.first.advanced(by: sinceFirst) }
}
