/// Stops the time limits of a hop while it waits in the engine.
struct HopTurn: TransferTurn {
    let exchange: DrivenExchange
    let hop: Int

    func waits() { exchange.waitsInEngine(hop: hop) }
    func begins() throws { try exchange.beginsInEngine(hop: hop) }
    func waitsForDisk() { exchange.waitsInEngine(hop: hop) }
    func leavesDisk() throws { try exchange.leavesDisk(hop: hop) }
}
