public import Foundation

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// Notifies observers of each exchange: its start, its steps and its end.
///
/// ```swift
/// let dispatcher = URLRequestDispatcher().retrying().observed(by: log, meter)
/// ```
///
/// ``Dispatching/observed(by:)`` makes one. Use this form for observers in a list, and for a test with a clock of its
/// own: `dispatcher.applying(ObservationPolicy(log, clock: clock))`.
///
/// An exchange begins when its future is started: one that never starts, or is cancelled before, has no events. It ends
/// once, when its work ends: with a response, an error or a cancellation. The exchange of a stream ends when its body
/// was read to the end, has failed, or was released. The end is reported before the future has its outcome, unless that
/// is a cancellation, which awaits nothing (contract rule PROMPT).
///
/// The rules are O1 to O5 of <doc:Contract>. Observers see requests and responses as the caller does, above the
/// adapters, and change nothing. Around a ``RetryPolicy`` an observation is of the whole, with its attempts; inside of
/// one, of each attempt. Without observers it does nothing.
public struct ObservationPolicy: DispatcherPolicy, PartPolicy {
    /// Who is notified, in this order.
    public let observers: [any ExchangeObserver]

    private let clock: MeasuringClock
    private let now: @Sendable () -> Date

    /// Makes a policy.
    ///
    /// - Parameters:
    ///   - observers: notified in this order.
    ///   - clock: measures durations. A test passes its own clock.
    ///   - now: returns the time of day, once for each exchange.
    public init(
        _ observers: any ExchangeObserver..., clock: any Clock<Duration> = ContinuousClock(),
        now: @escaping @Sendable () -> Date = { Date() }
    ) {
        self.init(observers, clock: clock, now: now)
    }

    /// Makes a policy of a list of observers.
    ///
    /// ```swift
    /// let dispatcher = URLRequestDispatcher().retrying().applying(ObservationPolicy(observers))
    /// ```
    ///
    /// - Parameters:
    ///   - observers: notified in this order; with none, exchanges aren't observed.
    ///   - clock: measures durations. A test passes its own clock.
    ///   - now: returns the time of day, once for each exchange.
    public init(
        _ observers: [any ExchangeObserver], clock: any Clock<Duration> = ContinuousClock(),
        now: @escaping @Sendable () -> Date = { Date() }
    ) {
        self.observers = observers
        self.clock = MeasuringClock(clock)
        self.now = now
    }

    /// A future of the observed exchange.
    #if compiler(>=6.3)
        @specialized(where Content == Data?)
    #endif
    public func future<Content: Sendable>(of exchange: PendingExchange<Content>) -> ResponseFuture<Response<Content>> {
        guard !observers.isEmpty else { return exchange.makeFuture() }
        return makeFuture(of: exchange)
    }

    func begin(_ attempt: inout PolicyAttempt) -> PolicyPart? {
        guard !observers.isEmpty else { return PolicyPart() }
        let exchange = ObservedExchange(attempt.urlRequest, attempt.kind, start: now())
        let observation = ExchangeObservation(
            of: exchange, by: observers, stopwatch: Stopwatch(clock), in: attempt.context)
        attempt.context.observation = observation
        if attempt.context.hedge == nil, attempt.context.sentCredential == nil { attempt.work.isInOwnContext = true }
        return ObservationPart(observation)
    }

    package var endsPromptly: Bool { true }
}

extension ObservationPolicy: CustomStringConvertible, CustomReflectable {
    /// The types of the observers: "ObservationPolicy(ExchangeLog)".
    public var description: String {
        "ObservationPolicy(\(observers.map { readableName(of: type(of: $0)) }.joined(separator: ", ")))"
    }

    /// Empty: the contents may include secrets.
    public var customMirror: Mirror { Mirror(self, children: []) }
}
