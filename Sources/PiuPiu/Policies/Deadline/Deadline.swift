import Foundation

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// The instant at which a piece of work has to be over, with all that belongs to it (contract rule D1 TOTAL).
///
/// ```swift
/// if let remaining = Deadline.current?.remaining, remaining < .seconds(1) { return cachedAnswer }
/// ```
///
/// It is made by ``Dispatching/deadline(_:clock:)``, and travels as a task-local value to whatever the work starts: adapters,
/// other requests, tasks that aren't detached. Where there is nothing left, the dispatchers of this package send nothing.
///
/// A `Sendable` value; to ask for what is left costs a look at its clock.
public struct Deadline: Sendable {
    @TaskLocal package static var ofTask: Deadline?

    /// The deadline of the work that this task does; `nil` where there is none.
    public static var current: Deadline? { ofTask }

    /// How long the work was given in all.
    public let limit: Duration

    /// The attempts of the exchange that it was made for, or has been handed on to.
    var history: AttemptHistory?

    /// The same, within what a clock can tell.
    private let length: Duration
    private let stopwatch: Stopwatch
    /// Suspends until it is over; `nil` where the continuous clock measures it.
    private let sleep: (@Sendable () async throws -> Void)?

    /// An instant from now on.
    ///
    /// - Parameters:
    ///   - limit: how long; less than nothing counts as nothing, and more than 68 years as so many.
    ///   - clock: what measures it.
    package init(after limit: Duration, clock: some Clock<Duration>) {
        self.limit = limit
        // A clock needn't be able to tell later instants.
        length = min(max(limit, .zero), RetryAfter.longest)
        stopwatch = Stopwatch(clock)
        guard stopwatch.start == nil else {
            sleep = nil
            return
        }
        let instant = clock.now.advanced(by: length)
        sleep = { try await clock.sleep(until: instant, tolerance: nil) }
    }

    /// The deadline of the task, or one from now on if that is earlier.
    ///
    /// Instants of different clocks can't be compared: what is left by each of them can.
    package static func earliest(after limit: Duration, clock: any Clock<Duration>) -> Deadline {
        if let current, current.remaining <= limit { return current }
        return Deadline(after: limit, clock: clock)
    }

    /// Whether the continuous clock measures it, as the clocks of most deadlines do: their instants have an order.
    var isByContinuousClock: Bool { sleep == nil }

    /// How much time is left; zero when it is over.
    public var remaining: Duration { max(length - stopwatch.elapsed, .zero) }

    /// Whether no time is left.
    package var isOver: Bool { stopwatch.elapsed >= length }

    /// Calls a closure in the background when it is over, unless that is taken back before.
    ///
    /// - Parameter ring: gets the error of a clock that can't sleep.
    func alarm(_ ring: @escaping DeadlineAlarms.Ring) -> DeadlineAlarm {
        if let sleep { return DeadlineAlarm(after: sleep, ring) }
        return DeadlineAlarm(at: (stopwatch.start ?? .now).advanced(by: length), ring)
    }

    /// Sees to it that nothing is sent when no time is left (contract rule D3 NOTHING).
    static func check(_ urlRequest: URLRequest, after attempts: [ExchangeAttempt] = []) throws(DeadlineExceeded) {
        guard let current, current.isOver else { return }
        var error = DeadlineExceeded(urlRequest, limit: current.limit, stage: .waiting)
        error.earlierAttempts = attempts
        throw error
    }
}

extension Deadline: CustomStringConvertible, CustomReflectable {
    /// What is left: "Deadline(in 3.2 seconds)".
    public var description: String { "Deadline(in \(remaining))" }

    /// Nothing but what the description tells.
    public var customMirror: Mirror { Mirror(self, children: [], displayStyle: .struct) }
}
