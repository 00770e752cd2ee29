/// Measures from the moment when it is made, by any clock; by the continuous one, as is usual, without a look-up of what clock
/// it is.
package struct Stopwatch: Sendable {
    private enum Measure: Sendable {
        case continuous(ContinuousTime)
        case other(@Sendable () -> Duration)
    }

    private let measure: Measure

    package init(_ clock: any Clock<Duration>) {
        measure = clock is ContinuousClock ? .continuous(.now) : .other(Self.elapsed(by: clock))
    }

    private static func elapsed<C: Clock<Duration>>(by clock: C) -> @Sendable () -> Duration {
        let start = clock.now
        return { start.duration(to: clock.now) }
    }

    /// How long it has been.
    package var elapsed: Duration {
        switch measure {
        case .continuous(let start): ContinuousTime.now.sinceFirst - start.sinceFirst
        case .other(let elapsed): elapsed()
        }
    }

    /// When it was made, if the continuous clock measures.
    var start: ContinuousTime? { if case .continuous(let start) = measure { start } else { nil } }
}

/// An instant of the continuous clock, as how long it is since the first one: unlike the clock's own it is known to the compiler
/// as a plain value.
package struct ContinuousTime: Sendable, Comparable {
    private static let first = ContinuousClock.now

    /// How long it is since the first one.
    let sinceFirst: Duration

    package static var now: ContinuousTime { ContinuousTime(sinceFirst: first.duration(to: .now)) }

    package static func < (left: ContinuousTime, right: ContinuousTime) -> Bool { left.sinceFirst < right.sinceFirst }

    func advanced(by duration: Duration) -> ContinuousTime { ContinuousTime(sinceFirst: sinceFirst + duration) }

    /// The same as an instant of the clock.
    var instant: ContinuousClock.Instant { Self.first.advanced(by: sinceFirst) }
}
