/// Reads futures from a sequence, on demand, and gives their results: what stands behind an iterator, in the isolation
/// of whoever iterates.
///
/// Letting go of it cancels what still runs, as the tasks that await the futures refer to the storage alone.
final class FutureResultsProducer<Source: IteratorProtocol, Success: Sendable>
where Source.Element == ResponseFuture<Success> {
    private var source: Source
    private let storage: FutureResultsStorage<Success>

    init(_ source: Source, order: FutureResultsOrder, limit: Int?, stopsAtFailure: Bool) {
        self.source = source
        storage = FutureResultsStorage(order: order, limit: limit, stopsAtFailure: stopsAtFailure)
    }

    deinit { storage.cancel() }

    /// Starts as many futures as may run, and gives the next result.
    nonisolated(nonsending) func next() async -> FutureResultsDelivery<Success> {
        while true {
            // Asked each time: the source may have no end.
            if Task.isCancelled { storage.cancel() }
            switch storage.next() {
            case .readSource:
                if let future = source.next() { storage.start(future) } else { storage.sourceEnded() }
            case .deliver(let delivery):
                return delivery
            case .wait:
                return await storage.delivery()
            }
        }
    }
}
