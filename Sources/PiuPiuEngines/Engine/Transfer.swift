import Foundation

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// One exchange, awaited.
package enum Transfer {
    /// Sends `request` through `engine` and returns the output of `sink`.
    ///
    /// - `report` gets one update at the start, one for each part of the request's body that was sent, one for the head
    ///   of the response and one for each chunk of its body. They come in order, off the main actor, and not after an
    ///   outcome that came with the last event.
    /// - Cancelling the calling task cancels the exchange, and this function throws `CancellationError`. A task that
    ///   was cancelled before sends and reports nothing. Neither does a task after its ``Deadline``, which gets
    ///   ``DeadlineExceeded``.
    /// - A `cancellation` ends this exchange in the same way, but not the rest of the task.
    package static func run<Sink: TransferSink>(
        _ request: TransferRequest, on engine: EngineRouter, into sink: Sink,
        cancellation: PartialCancellation? = nil, report: @escaping @Sendable (TransferUpdate) -> Void
    ) async throws -> Sink.Output {
        let reporter = ProgressReporter(report, observation: request.observation)
        try Task.checkCancellation()
        if let known = try begin(request, on: engine, into: sink, reporter) { return try known.get() }
        guard request.chunks != nil else {
            return try await exchange(request, on: engine, into: sink, cancellation, reporter)
        }
        return try await exchange(spooling: request, on: engine, into: sink, cancellation, reporter)
    }

    /// Collects the response in memory. It fails with ``TransferError/Kind/bodyTooLarge`` if there is more than `limit`.
    ///
    /// Not generic, so that the most frequent exchange is specialised: the compiler doesn't do that in other modules.
    package static func data(
        _ request: TransferRequest, on engine: EngineRouter, limit: Int, cancellation: PartialCancellation?,
        report: @escaping @Sendable (TransferUpdate) -> Void
    ) async throws -> DataSink.Output {
        try await run(request, on: engine, into: DataSink(limit: limit), cancellation: cancellation, report: report)
    }

    /// The same without a task that waits. The body of the request is in memory.
    ///
    /// The state of the current task doesn't matter: the exchange is for all that are interested in it.
    ///
    /// - Parameters:
    ///   - settlement: cancels the exchange.
    ///   - end: is called once with the outcome: where the last event comes, or before this returns.
    package static func begin(
        _ request: TransferRequest, on engine: EngineRouter, limit: Int, settlement: TransferSettlement,
        report: @escaping @Sendable (TransferUpdate) -> Void,
        _ end: @escaping @Sendable (Result<DataSink.Output, any Error>) -> Void
    ) {
        let sink = DataSink(limit: limit)
        let reporter = ProgressReporter(report, observation: request.observation)
        guard settlement.begin() else { return end(.failure(CancellationError())) }
        do {
            let known = try begin(request, on: engine, into: sink, reporter)
            if let known { return settlement.settle { end(known) } }
        } catch {
            return settlement.settle { end(.failure(error)) }
        }
        start(request, on: engine, into: sink, settlement, reporter, end)
    }

    /// An exchange whose chunks an engine may have to collect. What was collected is removed before this returns.
    // Not inlined, to keep the frame of the function above small: it is on the heap.
    @inline(never)
    private static func exchange<Sink: TransferSink>(
        spooling request: TransferRequest, on engine: EngineRouter, into sink: Sink,
        _ cancellation: PartialCancellation?, _ reporter: ProgressReporter
    ) async throws -> Sink.Output {
        let spool = BodySpool()
        defer { spool.remove() }
        var request = request
        request.spool = spool
        return try await exchange(request, on: engine, into: sink, cancellation, reporter)
    }

    /// Begins an exchange.
    ///
    /// - Returns: what has come of one that is over already. Throws if it must not begin.
    @inline(never)
    private static func begin<Sink: TransferSink>(
        _ request: TransferRequest, on engine: EngineRouter, into sink: Sink, _ reporter: ProgressReporter
    ) throws -> Result<Sink.Output, any Error>? {
        try Deadline.current?.check(request.urlRequest)
        if !request.isReplacement { reporter.start() }
        guard !request.expectsLargeResponse else { return nil }
        return engine.answer(to: request).map { deliver($0, into: sink, reporter) }
    }

    /// Delivers the events of an exchange that is over already.
    private static func deliver<Sink: TransferSink>(
        _ events: [TransferEvent], into sink: Sink, _ reporter: ProgressReporter
    ) -> Result<Sink.Output, any Error> {
        var first: Result<Sink.Output, any Error>?
        for event in events where first == nil {
            first = sink.receive(event)
            reporter.receive(event, bytesBefore: sink.bytesBefore)
        }
        reporter.stop()
        return first ?? .failure(TransferError(.connectionLost))
    }

    private static func exchange<Sink: TransferSink>(
        _ request: TransferRequest, on engine: EngineRouter, into sink: Sink,
        _ cancellation: PartialCancellation?, _ reporter: ProgressReporter
    ) async throws -> Sink.Output {
        let settlement = TransferSettlement()
        guard cancellation?.begin({ settlement.cancel() }) ?? true else { throw CancellationError() }
        defer { cancellation?.end() }
        return try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { continuation in
                guard settlement.begin() else { return continuation.resume(throwing: CancellationError()) }
                start(request, on: engine, into: sink, settlement, reporter) { outcome in
                    Resumptions.resume { continuation.resume(with: outcome) }
                }
            }
        } onCancel: {
            settlement.cancel()
        }
    }
    private static func start<Sink: TransferSink>(
        _ request: TransferRequest, on engine: EngineRouter, into sink: Sink, _ settlement: TransferSettlement,
        _ reporter: ProgressReporter, _ end: @escaping @Sendable (Result<Sink.Output, any Error>) -> Void
    ) {
        engine.start(request) { handle in
            settlement.attach(handle)
            sink.attach(handle)
        } onEvent: { event in
            let outcome = sink.receive(event)
            let isReplaced = if case .failure(is any ReplacementError)? = outcome { true } else { false }
            // The caller gets the response of the replacement.
            if !isReplaced { reporter.receive(event, bytesBefore: sink.bytesBefore) }
            guard let outcome else { return }
            reporter.stop()
            // The rest isn't needed.
            if case .failure = outcome, !event.isTerminal { settlement.cancel() }
            settlement.settle { end(outcome) }
        }
    }
}
