#if canImport(FoundationNetworking)
    import Foundation
    package import FoundationNetworking
#else
    package import Foundation
#endif

/// The observation of one exchange, for the code that takes part; an ``ObservationCourse`` decides.
///
/// Code that takes part reports to the observation of the same exchange:
/// - a policy (retries, credentials), where its future runs:
///   `ExchangeObservation.current(for: exchange.urlRequest)?.report(.refreshed)`;
/// - a limiter, which decorates an engine, through the ``TransferTurn`` of the request;
/// - a driver, by what comes from its engine: `request.observation?.report(.cacheStatus(status))`. An engine may serve
///   several exchanges at once, so it reports nothing itself.
///
/// From any thread, but outside of any lock, because it calls the observers.
package final class ExchangeObservation: Sendable {
    /// The observation that this task works for, be it of the request at hand or of another one that has led to it.
    package static var current: ExchangeObservation? { PolicyContext.current.observation }

    package let exchange: ObservedExchange
    private let observers: [any ExchangeObserver]
    private let stopwatch: Stopwatch
    private let course: Locked<ObservationCourse>
    /// An observation of the same exchange around this one, which gets the same events.
    private let outer: ExchangeObservation?

    /// Begins to observe an exchange, in the task that carries it out.
    ///
    /// - Parameters:
    ///   - stopwatch: measures from now on.
    ///   - context: what the policies around it have left.
    package init(
        of exchange: ObservedExchange, by observers: [any ExchangeObserver], stopwatch: Stopwatch,
        in context: PolicyContext
    ) {
        self.exchange = exchange
        self.observers = observers
        self.stopwatch = stopwatch
        let attempt = context.retryScope?.attempt(of: exchange.urlRequest, in: context) ?? 1
        course = Locked(ObservationCourse(of: exchange, attempt: attempt))
        outer = context.observation(of: exchange.urlRequest)
        // At no time of its own: the stopwatch has only just begun.
        deliver(self.course.withLock { $0.add(.started, at: .zero) }, inWork: true)
    }

    /// An observation that passes everything on to the one around it, and counts the transfers of one answer: another
    /// copy of the request may be in flight at the same time.
    package init(ofOneAnswerIn outer: ExchangeObservation) {
        exchange = outer.exchange
        observers = []
        stopwatch = outer.stopwatch
        course = Locked(ObservationCourse(of: outer.exchange, attempt: 1))
        self.outer = outer
    }

    /// The observation of this request, if it is observed.
    package static func current(for urlRequest: URLRequest) -> ExchangeObservation? {
        PolicyContext.current.observation(of: urlRequest)
    }

    /// Carries out an operation whose transfers report to this observation, if there is one.
    package static func carryOut<Output>(
        observedBy observation: ExchangeObservation?, _ operation: () async throws -> Output
    ) async throws -> Output {
        guard let observation else { return try await operation() }
        var context = PolicyContext.current
        context.observation = observation
        return try await ExchangeLocals.$current.withValue(context.local) { try await operation() }
    }

    /// Carries out a request, hidden from the observation, the credential and the hedge of another one.
    package static func carryOut<Output>(
        _ urlRequest: URLRequest, _ operation: () async throws -> Output
    ) async throws -> Output {
        let context = PolicyContext.current
        guard context.isOfAnother(urlRequest) else { return try await operation() }
        let own = context.narrowed(to: urlRequest)
        return try await ExchangeLocals.$current.withValue(own.local) { try await operation() }
    }

    // MARK: Reporting

    /// Reports a step of the exchange.
    package func report(_ step: ExchangeEvent.Step) {
        forEach { $0.add(step) }
    }

    /// A retry inside begins its first attempt.
    package func beginAttempts() {
        forEach { $0.course.withLock { $0.begin(attempt: 1) } }
    }

    /// Reports that a retry inside begins another attempt, after a wait.
    package func reportRestart(attempt number: Int) {
        forEach { observation in
            let time = observation.stopwatch.elapsed
            let event = observation.course.withLock { $0.restart(attempt: number, at: time) }
            observation.deliver(event, inWork: false)
        }
    }

    /// Reports that the exchange is in flight.
    ///
    /// Many of them are admitted where others end, one after the other: the observers are notified when the callers of
    /// those have gone on, all together, but before any later event.
    package func reportAdmission() {
        forEach { observation in
            let time = observation.stopwatch.elapsed
            observation.course.withLock { $0.addWaiting(.admitted, at: time) }
        }
        Resumptions.afterwards { [self] in
            forEach { observation in
                observation.deliver(observation.course.withLock { $0.first() }, inWork: false)
            }
        }
    }

    /// A transfer of this package begins.
    package func beginTransfer() {
        forEach { $0.course.withLock { $0.beginTransfer() } }
    }

    /// How many transfers of this package have begun.
    package var transferCount: Int { course.withLock { $0.transferCount } }

    /// Bytes of a body were sent or received.
    package func count(sent: Int64 = 0, received: Int64 = 0) {
        forEach { $0.course.withLock { $0.count(sent: sent, received: received) } }
    }

    /// The exchange is over. An observation around this one notices that itself.
    ///
    /// - Parameter inWork: whether the work of the policy calls this, which is never on the main thread.
    package func end(
        _ outcome: ExchangeSummary.Outcome, lengths: (sent: Int64, received: Int64) = (0, 0), inWork: Bool = false
    ) {
        let time = stopwatch.elapsed
        deliver(course.withLock { $0.end(outcome, lengths: lengths, at: time) }, inWork: inWork)
    }

    /// The exchange has ended with an error, or was cancelled.
    package func end(with error: any Error) {
        end(error.isCancellation ? .cancelled : .failure(error))
    }

    private func add(_ step: ExchangeEvent.Step) {
        let time = stopwatch.elapsed
        deliver(course.withLock { $0.add(step, at: time) }, inWork: false)
    }

    private func forEach(_ body: (ExchangeObservation) -> Void) {
        var next: ExchangeObservation? = self
        while let observation = next {
            body(observation)
            next = observation.outer
        }
    }

    // MARK: Delivery, one event at a time

    private func deliver(_ event: ExchangeEvent?, inWork: Bool) {
        guard let event else { return }
        // A stream may be released on the main thread, and a waiting exchange admitted where another one is cancelled.
        if !inWork, ThreadKind.current == .main {
            Task { @concurrent in self.deliverAll(from: event) }
        } else {
            deliverAll(from: event)
        }
    }

    private func deliverAll(from event: ExchangeEvent) {
        notify(of: event)
        while let next = course.withLock({ $0.next() }) { notify(of: next) }
    }

    private func notify(of event: ExchangeEvent) {
        Resumptions.apart {
            for observer in observers { observer.observe(event) }
        }
    }
}
