/// What a ``URLSessionEngine`` admits, launches and ends.
protocol EngineExchange: AnyObject, TransferHandle {
    /// Its number in ``TrafficControl``.
    var ticket: Int { get }

    /// Starts, on a queue of the engine's or, when `directly`, on the caller's thread.
    func launch(directly: Bool)

    /// Ends the exchange with `error`, unless it is over, without waiting for anything.
    func interrupt(with error: any Error)
}

extension EngineExchange {
    func cancel() {
        interrupt(with: CancellationError())
    }
}
