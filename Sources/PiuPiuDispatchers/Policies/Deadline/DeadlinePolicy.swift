import Foundation

/// Gives each exchange one deadline for everything that belongs to it.
///
/// ```swift
/// let dispatcher = URLRequestDispatcher().retrying().deadline(.seconds(5))
/// ```
///
/// The time begins when a future is started, and includes everything: adapters, waiting in a queue, all attempts and
/// the waits between them, and the body. When it is over, the future fails at once with ``DeadlineExceeded``, whether
/// or not the work notices (contract rule D2 PROMPT of <doc:Contract>), and the transfer is cancelled, unless somebody
/// else is interested in it (SHARED).
///
/// It includes the body of a stream: a transfer that is still running after the head was delivered is cancelled, and
/// reading it throws the same error after the data that arrived in time.
///
/// The article <doc:Deadlines> has the rest: nested deadlines, retries, and how your own code reads the remaining time.
///
/// A `Sendable` value.
public struct DeadlinePolicy: DispatcherPolicy, PartPolicy {
    /// How long an exchange may take; with zero or less, nothing is sent.
    public let limit: Duration

    private let clock: MeasuringClock

    /// Makes a policy.
    ///
    /// - Parameters:
    ///   - limit: how long an exchange may take in all.
    ///   - clock: measures the time. A test passes its own clock and needs no real time.
    public init(_ limit: Duration, clock: any Clock<Duration> = ContinuousClock()) {
        self.limit = limit
        self.clock = MeasuringClock(clock)
    }

    /// A future of the exchange, which fails at the deadline.
    #if compiler(>=6.3)
        @specialized(where Content == Data?)
    #endif
    public func future<Content: Sendable>(of exchange: PendingExchange<Content>) -> ResponseFuture<Response<Content>> {
        exchange.endsPromptly && endsPromptly ? makeFuture(of: exchange) : futureApart(of: exchange)
    }

    func begin(_ attempt: inout PolicyAttempt) throws -> PolicyPart? {
        let outer = attempt.context.deadline
        // One around it that is earlier ends this as well.
        if attempt.work.cancellation != nil, let outer, outer.remaining <= limit { return PolicyPart() }
        guard attempt.endsPromptly else { return nil }
        let deadline = try Deadline.earliest(of: outer, after: limit, clock: clock, for: attempt.urlRequest)
        guard deadline.isByContinuousClock else { return nil }
        return DeadlinePart(cancelling: &attempt, at: deadline)
    }

    /// What is below may not notice that it is cancelled, so it has a run of its own, which needn't wait for it.
    func futureApart<Content: Sendable>(of exchange: PendingExchange<Content>) -> ResponseFuture<Response<Content>> {
        ResponseFuture(parent: nil, kind: .interruptible) {
            [self] (_: AnyResponseFuture, run: FutureRun) async throws in
            try Task.checkCancellation()
            run.beginTransfer()
            let course = PolicyCourse(exchange, in: InlineWork(run))
            let deadline = try Deadline.earliest(
                of: course.attempt.context.deadline, after: limit, clock: clock, for: exchange.urlRequest)
            let alarm = course.beginFirst { DeadlinePart(settling: &$0, at: deadline) }?.alarm
            return TypedFutureValue(
                try await withTaskCancellationHandler {
                    try await exchange.response(by: course)
                } onCancel: {
                    // The work may not notice for a long time.
                    alarm?.cancel()
                })
        }
    }

    var endsPromptly: Bool { clock.isContinuous }
}

extension DeadlinePolicy: CustomStringConvertible, CustomReflectable {
    /// The time: "DeadlinePolicy(5.0 seconds)".
    public var description: String { "DeadlinePolicy(\(limit))" }

    /// Empty: see the description.
    public var customMirror: Mirror { Mirror(self, children: []) }
}
