import Foundation

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// One exchange under a ``DeadlinePolicy``, as the work of a future with a run of its own: when the time is over the run is
/// settled, whatever the work does.
struct DeadlineRun<Content: Sendable>: Sendable {
    private let exchange: PendingExchange<Content>
    private let deadline: Deadline
    private let run: FutureRun

    init(_ exchange: PendingExchange<Content>, until deadline: Deadline, for run: FutureRun) {
        self.exchange = exchange
        var deadline = deadline
        deadline.history = AttemptHistory(of: exchange.urlRequest, inside: Deadline.current?.history)
        self.deadline = deadline
        self.run = run
    }

    /// The response; throws the error of the exchange, or ``DeadlineExceeded``.
    func response() async throws -> TypedFutureValue<Response<Content>> {
        if deadline.isOver { throw error() }
        let alarm = deadline.alarm { clockFailure in
            // The work is cancelled with this.
            run.settle(FutureOutcome(failure: clockFailure ?? error()))
        }
        defer { alarm.cancel() }
        return try await withTaskCancellationHandler {
            do {
                let value = try await Deadline.$ofTask.withValue(deadline) {
                    try await InnerFuture.value(of: exchange.makeFuture(), for: run)
                }
                // What is delivered is the head alone.
                (value.value.data as? StreamedBody)?.fail(at: deadline, with: error(at: .receiving))
                return value
            } catch let failure where deadline.isOver && !failure.isCancellation && !(failure is DeadlineExceeded) {
                // The engine's own timeout is no later.
                throw error()
            }
        } onCancel: {
            // The work may not notice for a long time.
            alarm.cancel()
        }
    }

    private func error(at stage: DeadlineExceeded.Stage? = nil) -> DeadlineExceeded {
        let stage = stage ?? DeadlineExceeded.Stage(after: run.latestStep)
        var error = DeadlineExceeded(exchange.urlRequest, limit: deadline.limit, stage: stage)
        error.earlierAttempts = deadline.history?.attempts ?? []
        return error
    }
}
