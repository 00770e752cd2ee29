import Foundation

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// One exchange under a ``DeadlinePolicy``: when the time is over it fails, whatever the work does.
struct DeadlineRun<Content: Sendable>: Sendable {
    private let exchange: PendingExchange<Content>
    private let deadline: Deadline
    private let work: InlineWork

    init(_ exchange: PendingExchange<Content>, until deadline: Deadline, in work: InlineWork) {
        self.exchange = exchange
        var deadline = deadline
        deadline.history = AttemptHistory(of: exchange.urlRequest, inside: Deadline.current?.history)
        self.deadline = deadline
        self.work = work
    }

    /// The response, as the work of a future with a run of its own, which is settled when the time is over; throws the error
    /// of the exchange, or ``DeadlineExceeded``.
    func response() async throws -> Response<Content> {
        if deadline.isOver { throw error(at: .waiting) }
        let alarm = deadline.alarm { clockFailure in
            // The work is cancelled with this.
            work.run.settle(FutureOutcome(failure: clockFailure ?? error()))
        }
        defer { alarm.cancel() }
        return try await withTaskCancellationHandler {
            try await response(of: work)
        } onCancel: {
            // The work may not notice for a long time.
            alarm.cancel()
        }
    }

    /// The same inside the work of another future, of an exchange that ends as soon as it is cancelled.
    func inlineResponse() async throws -> Response<Content> {
        if deadline.isOver { throw error(at: .waiting) }
        let cancellation = PartialCancellation()
        let alarm = deadline.alarm { _ in cancellation.cancel() }
        defer { alarm.cancel() }
        var work = work
        work.cancellation = cancellation
        do {
            let response = try await response(of: work)
            guard cancellation.isCancelled else { return response }
        } catch {
            guard cancellation.isCancelled, !Task.isCancelled, !(error is DeadlineExceeded) else { throw error }
        }
        throw error()
    }

    private func response(of work: InlineWork) async throws -> Response<Content> {
        do {
            let response = try await Deadline.$ofTask.withValue(deadline) { try await exchange.response(in: work) }
            // What is delivered is the head alone.
            (response.data as? StreamedBody)?.fail(at: deadline, with: error(at: .receiving))
            return response
        } catch let failure where deadline.isOver && !failure.isCancellation && !(failure is DeadlineExceeded) {
            // The engine's own timeout is no later.
            throw error()
        }
    }

    private func error(at stage: DeadlineExceeded.Stage? = nil) -> DeadlineExceeded {
        let stage = stage ?? DeadlineExceeded.Stage(after: work.run.latestStep)
        var error = DeadlineExceeded(exchange.urlRequest, limit: deadline.limit, stage: stage)
        error.earlierAttempts = deadline.history?.attempts ?? []
        return error
    }
}
