/// Reads futures from a sequence, on demand, and gives their results: what stands behind an iterator, in the isolation
/// of the consumer.
///
/// When it is released, what still runs is cancelled: the futures refer to the observer alone.
@usableFromInline
final class FutureResultsProducer<Source: IteratorProtocol, Success: Sendable>
where Source.Element == ResponseFuture<Success> {
    @usableFromInline var source: Source
    @usableFromInline let observer: FutureResultsObserver

    @inlinable
    init(_ source: Source, order: FutureResultsOrder, limit: Int?, stopsAtFailure: Bool) {
        self.source = source
        observer = FutureResultsObserver(order: order, limit: limit, stopsAtFailure: stopsAtFailure)
    }

    deinit { observer.cancel() }

    /// Starts as many futures as may run, and gives the next result.
    @inlinable
    nonisolated(nonsending) func next() async -> FutureResultsDelivery<Success> {
        while true {
            // Asked each time: the source may have no end.
            if Task.isCancelled { observer.cancel() }
            switch observer.next() {
            case .readSource:
                if let future = source.next() { observer.start(future) } else { observer.sourceEnded() }
            case .deliver(let delivery):
                return delivery.typed()
            case .wait:
                return await observer.delivery().typed()
            }
        }
    }
}
