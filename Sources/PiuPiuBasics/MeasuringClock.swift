/// A clock, and whether it is the continuous one: to find out is slower than to read that.
package struct MeasuringClock: Sendable {
    package let base: any Clock<Duration>
    package let isContinuous: Bool

    package init(_ clock: any Clock<Duration>) {
        base = clock
        isContinuous = clock is ContinuousClock
    }
}
