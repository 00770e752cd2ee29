#if canImport(FoundationNetworking)
    import Foundation
    package import FoundationNetworking
#else
    package import Foundation
#endif

/// The instant by which a piece of work, with everything that belongs to it, must be over (contract rule D1 TOTAL).
///
/// ```swift
/// if let remaining = Deadline.current?.remaining, remaining < .seconds(1) { return cachedAnswer }
/// ```
///
/// It is made by ``Dispatching/deadline(_:clock:)``, and passed as a task-local value to everything the work starts:
/// adapters, other requests, tasks that aren't detached. When no time is left, the dispatchers of this package send
/// nothing.
///
/// A `Sendable` value; reading the remaining time costs one reading of its clock.
public struct Deadline: Sendable {
    /// What it is made of, behind one reference: it is handed on with each request.
    private final class Parts: Sendable {
        let limit: Duration
        /// The same, within the range that every clock supports.
        let length: Duration
        let stopwatch: Stopwatch
        /// Suspends until it is over; `nil` where the continuous clock measures it.
        let sleep: (@Sendable () async throws -> Void)?
        let history: AttemptHistory?

        init(
            limit: Duration, length: Duration, stopwatch: Stopwatch, sleep: (@Sendable () async throws -> Void)?,
            history: AttemptHistory?
        ) {
            self.limit = limit
            self.length = length
            self.stopwatch = stopwatch
            self.sleep = sleep
            self.history = history
        }
    }

    private let parts: Parts

    /// The deadline of the work that this task does; `nil` where there is none.
    public static var current: Deadline? { PolicyContext.current.deadline }

    /// Starts work that must not have the deadline of this task.
    package static func withoutCurrent(_ work: () -> Void) {
        var context = PolicyContext.current
        context.deadline = nil
        ExchangeLocals.$current.withValue(context.local, operation: work)
    }

    /// How long the work was given in all.
    public var limit: Duration { parts.limit }

    /// The attempts of the exchange that it was made for, or has been handed on to.
    package var history: AttemptHistory? { parts.history }

    private var length: Duration { parts.length }
    private var stopwatch: Stopwatch { parts.stopwatch }
    private var sleep: (@Sendable () async throws -> Void)? { parts.sleep }

    /// Makes a deadline from now.
    ///
    /// - Parameters:
    ///   - limit: the remaining time; a negative one counts as zero, and one above 68 years as 68 years.
    ///   - clock: measures it.
    package init(after limit: Duration, clock: any Clock<Duration>) {
        self.init(after: limit, clock: MeasuringClock(clock), history: nil)
    }

    private init(after limit: Duration, clock: MeasuringClock, history: AttemptHistory?) {
        // A clock may not support later instants.
        let length = min(max(limit, .zero), RetryAfter.longest)
        parts = Parts(
            limit: limit, length: length, stopwatch: Stopwatch(clock),
            sleep: clock.isContinuous ? nil : Self.sleep(for: length, by: clock.base), history: history)
    }

    /// The same deadline, with another history.
    private init(_ other: Deadline, history: AttemptHistory?) {
        parts = Parts(
            limit: other.limit, length: other.length, stopwatch: other.stopwatch, sleep: other.sleep, history: history)
    }

    /// The same deadline for requests that don't belong to the exchange.
    var withoutHistory: Deadline { history == nil ? self : Deadline(self, history: nil) }

    private static func sleep<C: Clock<Duration>>(
        for length: Duration, by clock: C
    ) -> @Sendable () async throws -> Void {
        let instant = clock.now.advanced(by: length)
        return { try await clock.sleep(until: instant, tolerance: nil) }
    }

    /// The deadline around an exchange, or one from now on if that is earlier; with the attempts of that exchange.
    ///
    /// Instants of different clocks can't be compared: what is left by each of them can.
    ///
    /// Throws if no time is left, so that nothing is sent (contract rule D3 NOTHING).
    package static func earliest(
        of outer: Deadline?, after limit: Duration, clock: MeasuringClock, for urlRequest: URLRequest
    ) throws(DeadlineExceeded) -> Deadline {
        let history = AttemptHistory(of: urlRequest, inside: outer?.history)
        if let outer {
            let remaining = outer.remaining
            if remaining <= limit {
                guard remaining > .zero else { throw outer.error(for: urlRequest) }
                return Deadline(outer, history: history)
            }
        }
        let deadline = Deadline(after: limit, clock: clock, history: history)
        guard limit > .zero else { throw deadline.error(for: urlRequest) }
        return deadline
    }

    /// Whether the continuous clock measures it, as for most deadlines: their instants can be compared.
    package var isByContinuousClock: Bool { sleep == nil }

    /// The remaining time; zero when it is over.
    public var remaining: Duration { max(length - stopwatch.elapsed, .zero) }

    /// Whether no time is left.
    package var isOver: Bool { stopwatch.elapsed >= length }

    /// Calls a closure in the background at the deadline, unless the alarm is cancelled before.
    ///
    /// - Parameter handler: gets the error of a clock that can't sleep.
    package func alarm(_ handler: @escaping DeadlineAlarms.Handler) -> DeadlineAlarm {
        if let sleep { return DeadlineAlarm(after: sleep, handler) }
        return DeadlineAlarm(at: (stopwatch.start ?? .now).advanced(by: length), handler)
    }

    /// Throws if no time is left, so that nothing is sent (contract rule D3 NOTHING).
    package func check(_ urlRequest: URLRequest, after attempts: [ExchangeAttempt] = []) throws(DeadlineExceeded) {
        guard isOver else { return }
        throw error(for: urlRequest, after: attempts)
    }

    private func error(for urlRequest: URLRequest, after attempts: [ExchangeAttempt] = []) -> DeadlineExceeded {
        var error = DeadlineExceeded(urlRequest, limit: limit, stage: .waiting)
        error.earlierAttempts = attempts
        return error
    }
}

extension Deadline: CustomStringConvertible, CustomReflectable {
    /// The remaining time: "Deadline(in 3.2 seconds)".
    public var description: String { "Deadline(in \(remaining))" }

    /// Only what the description shows.
    public var customMirror: Mirror { Mirror(self, children: [], displayStyle: .struct) }
}
