extension TransferEngine {
    /// Starts one exchange. If the engine can't send chunks as they come, they are collected first: as late as here,
    /// where nothing above refuses the request any more, or makes it wait for its turn.
    func start(
        spooling request: TransferRequest, onEvent: @escaping @Sendable (TransferEvent) -> Void
    ) -> any TransferHandle {
        guard let chunks = request.chunks, !streamsBodies else { return start(request, onEvent: onEvent) }
        let spool = request.spool ?? BodySpool(), isOwn = request.spool == nil
        let exchange = SpooledExchange(request, engine: self) { event in
            // It comes from no dispatcher, so what is collected is for this hop alone.
            if isOwn, event.isTerminal { spool.remove() }
            onEvent(event)
        }
        exchange.begin(with: chunks, in: spool)
        return exchange
    }
}
