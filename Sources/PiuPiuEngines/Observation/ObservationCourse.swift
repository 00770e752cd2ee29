/// The events of one exchange: which there are, their order, and which thread delivers them.
///
/// A pure value that takes steps and returns what to deliver; ``ExchangeObservation`` keeps it under a lock and calls
/// the observers. Of several threads, the first delivers the events that the others add meanwhile.
package struct ObservationCourse: Sendable {
    private let exchange: ObservedExchange
    private var attempt: Int
    private var elapsed = Duration.zero
    private var isOver = false

    /// Whether the head of this attempt was reported.
    private var isHeadReported = false
    /// How many transfers of this package, which count bytes, have begun.
    package private(set) var transferCount = 0
    private var bytesSent: Int64 = 0
    private var bytesReceived: Int64 = 0

    /// Events that wait until earlier ones have been delivered.
    private var line = FirstInFirstOut<ExchangeEvent>()
    private var isDelivering = false

    package init(of exchange: ObservedExchange, attempt: Int) {
        self.exchange = exchange
        self.attempt = attempt
    }

    /// Adds a step. Returns an event if the caller has to deliver it, followed by those of ``next()``.
    package mutating func add(_ step: ExchangeEvent.Step, at instant: Duration) -> ExchangeEvent? {
        guard let event = event(of: step, at: instant) else { return nil }
        if isDelivering || !line.isEmpty {
            line.append(event)
            return first()
        }
        isDelivering = true
        return event
    }

    /// Adds a step whose event waits for ``first()``, or for the next step.
    package mutating func addWaiting(_ step: ExchangeEvent.Step, at instant: Duration) {
        if let event = event(of: step, at: instant) { line.append(event) }
    }

    /// The first event that waits, if the caller has to deliver it, followed by those of ``next()``.
    package mutating func first() -> ExchangeEvent? {
        guard !isDelivering, let event = line.popFirst() else { return nil }
        isDelivering = true
        return event
    }

    private mutating func event(of step: ExchangeEvent.Step, at instant: Duration) -> ExchangeEvent? {
        guard !isOver else { return nil }
        // A caller may have been overtaken since it read the clock.
        elapsed = max(elapsed, instant)
        switch step {
        case .head: isHeadReported = true
        case .retrying, .refreshed: isHeadReported = false
        case .finished: isOver = true
        case .started, .admitted, .restarted, .cacheStatus: break
        }
        return ExchangeEvent(exchange: exchange, attempt: attempt, elapsed: elapsed, step: step)
    }

    /// An attempt of a retry begins. The request may be sent again outside of the retry, which then counts anew.
    package mutating func begin(attempt number: Int) {
        attempt = number
    }

    /// The same, after a wait. Returns like ``add(_:at:)``.
    package mutating func restart(attempt number: Int, at instant: Duration) -> ExchangeEvent? {
        begin(attempt: number)
        return add(.restarted, at: instant)
    }

    /// A transfer of this package has begun: it counts bytes, and reports the head.
    package mutating func beginTransfer() {
        transferCount += 1
    }

    /// Bytes of bodies were sent or received.
    package mutating func count(sent: Int64, received: Int64) {
        guard !isOver else { return }
        bytesSent += sent
        bytesReceived += received
    }

    /// The exchange is over. Returns like ``add(_:at:)``.
    ///
    /// - Parameter lengths: the lengths of the bodies, used if no transfer has counted bytes.
    package mutating func end(
        _ outcome: ExchangeSummary.Outcome, lengths: (sent: Int64, received: Int64) = (0, 0), at instant: Duration
    ) -> ExchangeEvent? {
        var first: ExchangeEvent?
        if case .response(let head) = outcome, !isHeadReported { first = add(.head(head), at: instant) }
        if transferCount == 0 { count(sent: lengths.sent, received: lengths.received) }
        let summary = ExchangeSummary(
            outcome: outcome, bytesSent: bytesSent, bytesReceived: bytesReceived, duration: max(elapsed, instant))
        return add(.finished(summary), at: instant) ?? first
    }

    /// The next event to deliver, after one has been delivered; `nil` when there is none.
    package mutating func next() -> ExchangeEvent? {
        if let event = line.popFirst() { return event }
        isDelivering = false
        return nil
    }
}
