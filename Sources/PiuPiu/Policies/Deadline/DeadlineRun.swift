import Foundation

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// One exchange under a ``DeadlinePolicy``, as a part of the run of a future.
struct DeadlineRun<Content: Sendable>: Sendable {
    private let exchange: PendingExchange<Content>
    private let deadline: Deadline
    private let run: FutureRun
    private let stage = Locked(DeadlineExceeded.Stage.waiting)

    init(_ exchange: PendingExchange<Content>, until deadline: Deadline, for run: FutureRun) {
        self.exchange = exchange
        self.deadline = deadline
        self.run = run
    }

    /// The response; throws the error of the exchange, or ``DeadlineExceeded``.
    func response() async throws -> Response<Content> {
        if deadline.isOver { throw error() }
        let futures = ParallelFutures(for: run) { [stage] update, _ in
            if !update.isEnd { stage.withLock { $0 = .init(after: update) } }
            return true
        }
        defer { futures.giveUp() }
        // The first to begin, as the work may do much before it suspends.
        let timer = futures.start(ResponseFuture<Void> { [deadline] () async throws in try await deadline.passed() })
        Deadline.$ofTask.withValue(deadline) { _ = futures.start(exchange.makeFuture()) }
        guard let (place, outcome) = await futures.next() else { throw CancellationError() }
        guard place == timer else { return try response(of: outcome.typed()) }
        _ = try outcome.get()
        throw error()
    }

    private func response(of outcome: FutureOutcome<Response<Content>>) throws -> Response<Content> {
        switch outcome {
        case .success(let response):
            // What is delivered is the head alone.
            (response.data as? StreamedBody)?.fail(at: deadline, with: error(at: .receiving))
            return response
        case .failure(let failure) where deadline.isOver && !(failure is DeadlineExceeded):
            // The engine's own timeout is no later.
            throw error()
        case .failure, .cancelled:
            return try outcome.get()
        }
    }

    private func error(at stage: DeadlineExceeded.Stage? = nil) -> DeadlineExceeded {
        let stage = stage ?? self.stage.withLock { $0 }
        return DeadlineExceeded(exchange.urlRequest, limit: deadline.limit, stage: stage)
    }
}
