extension TransferEngine {
    /// Starts one exchange. If the engine can't send chunks as they come, they are collected first: as late as here,
    /// where nothing above refuses the request any more, or makes it wait for its turn.
    func start(
        spooling request: TransferRequest, onEvent: @escaping @Sendable (TransferEvent) -> Void
    ) -> any TransferHandle {
        guard let chunks = request.chunks, !streamsBodies else { return start(request, onEvent: onEvent) }
        guard let spool = request.spool else {
            // It comes from no dispatcher, so what is collected is for this hop alone.
            let spool = BodySpool()
            var spooled = request
            spooled.spool = spool
            return start(spooling: spooled) { event in
                if event.isTerminal { spool.remove() }
                onEvent(event)
            }
        }
        let exchange = SpooledExchange(request, engine: self, onEvent: onEvent)
        exchange.begin(with: chunks, in: spool)
        return exchange
    }
}
