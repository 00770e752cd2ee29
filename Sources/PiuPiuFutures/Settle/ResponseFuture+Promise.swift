/// The promise side: what settles a future from outside, once, from any thread.
extension ResponseFuture {
    /// Settles the future with a value, unless it has settled (contract rule SETTLE).
    @inlinable
    public func succeed(with value: Success) {
        settle(.success(value))
    }

    /// Settles the future with an error, unless it has settled; `CancellationError`, `URLError.cancelled`
    /// and `CocoaError.userCancelled` cancel it.
    @inlinable
    public func fail(with error: any Error) {
        settle(FutureOutcome(failure: error))
    }

    /// Settles the future with a result, unless it has settled.
    @inlinable
    public func complete(with result: Result<Success, any Error>) {
        settle(FutureOutcome(result))
    }

    /// Passes an update to the `updated` callbacks of this future and of the futures made from it.
    ///
    /// Successive updates arrive in order, on the main actor. Before the start and after the end they are ignored.
    public func update(with update: TransferUpdate) {
        if let source = origin?.source { run.receive(update.of(source)) } else { run.receiveFromOutside(update) }
    }

    @inlinable
    func settle(_ outcome: FutureOutcome<Success>) {
        let outcome = outcome.boxed
        let (isFirst, owner) = run.settleByPromise(outcome.erasingBox())
        // Once nothing touches the work any more, the future remembers the outcome itself.
        if claimForRun() {
            dropWork()
            if isFirst { remember(outcome) }
        } else if isFirst {
            (owner as? ResponseFuture<Success>)?.remember(outcome)
        }
    }
}
