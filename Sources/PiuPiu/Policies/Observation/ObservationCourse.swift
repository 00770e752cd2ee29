/// The events of one exchange: which there are, in which order they are delivered, and by whom.
///
/// A pure value that takes in what happened and answers what is to be delivered; ``ExchangeObservation`` keeps it under a lock
/// and calls the observers. Of several threads the first delivers what the others bring meanwhile.
package struct ObservationCourse: Sendable {
    private let exchange: ObservedExchange
    private var attempt: Int
    private var elapsed = Duration.zero
    private var isOver = false

    /// Whether the head of this attempt was reported.
    private var isHeadTold = false
    /// How many transfers of this package, which count bytes, have begun.
    package private(set) var transferCount = 0
    private var bytesSent: Int64 = 0
    private var bytesReceived: Int64 = 0

    /// Events that wait until the one before them has been delivered.
    private var line = FirstInFirstOut<ExchangeEvent>()
    private var isDelivering = false

    package init(of exchange: ObservedExchange, attempt: Int) {
        self.exchange = exchange
        self.attempt = attempt
    }

    /// Something has happened. Returns the event if the caller is to deliver it, and what ``next()`` gives after that.
    package mutating func add(_ step: ExchangeEvent.Step, at instant: Duration) -> ExchangeEvent? {
        guard !isOver else { return nil }
        // A caller that was overtaken on the way here has looked at the clock before.
        elapsed = max(elapsed, instant)
        switch step {
        case .head: isHeadTold = true
        case .retrying, .refreshed: isHeadTold = false
        case .restarted: attempt += 1
        case .finished: isOver = true
        case .started, .admitted, .cacheStatus: break
        }
        let event = ExchangeEvent(exchange: exchange, attempt: attempt, elapsed: elapsed, step: step)
        guard !isDelivering else {
            line.append(event)
            return nil
        }
        isDelivering = true
        return event
    }

    /// A transfer of this package has begun: it counts bytes, and tells the head.
    package mutating func beginTransfer() {
        transferCount += 1
    }

    /// Bytes of bodies were sent, or have come.
    package mutating func count(sent: Int64, received: Int64) {
        guard !isOver else { return }
        bytesSent += sent
        bytesReceived += received
    }

    /// The exchange is over. Returns what ``add(_:at:)`` returns.
    ///
    /// - Parameter lengths: those of the bodies, which count if nobody has counted bytes.
    package mutating func end(
        _ outcome: ExchangeSummary.Outcome, lengths: (sent: Int64, received: Int64) = (0, 0), at instant: Duration
    ) -> ExchangeEvent? {
        var first: ExchangeEvent?
        if case .response(let head) = outcome, !isHeadTold { first = add(.head(head), at: instant) }
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
