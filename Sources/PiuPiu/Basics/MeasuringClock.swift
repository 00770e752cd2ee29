/// A clock, and whether it is the continuous one: to find out is slower than to read that.
struct MeasuringClock: Sendable {
    let base: any Clock<Duration>
    let isContinuous: Bool

    init(_ clock: any Clock<Duration>) {
        base = clock
        isContinuous = clock is ContinuousClock
    }
}
