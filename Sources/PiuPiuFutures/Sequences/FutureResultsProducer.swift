/// Reads futures from a sequence, on demand, and delivers their results: the state of an iterator, in the isolation of
/// the consumer.
///
/// When it is released, the running futures are cancelled: the futures refer only to the observer.
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

    /// Starts as many futures as may run, and returns the next result.
    @inlinable
    nonisolated(nonsending) func next() async -> FutureResultsDelivery<Success> {
        while true {
            // Checked each time: the source may be endless.
            if Task.isCancelled { observer.cancel() }
            switch observer.next() {
            case .readSource:
                if let future = source.next() {
                    // The source may have cancelled this task: then what it returned stays cold.
                    if Task.isCancelled { continue }
                    // Here, where the kind of value is known.
                    if let place = observer.join(future) {
                        future.launchUnlessClaimed(isHere: false)
                        observer.endIfItWaitsForItself(place)
                    }
                } else {
                    observer.sourceEnded()
                }
            case .deliver(let delivery):
                return delivery.typed()
            case .wait:
                if let delivery = await observer.delivery() { return delivery.typed() }
            }
        }
    }
}
