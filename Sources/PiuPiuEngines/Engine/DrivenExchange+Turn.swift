/// Waiting for a turn in the line of a host.
extension DrivenExchange {
    /// It has to wait: the engine's tasks inherit from the task that launches it, so that must be the current one, not
    /// one of the exchange before it in line (contract rule INHERIT).
    func waitForTurn() {
        guard let turn else { return }
        Task {
            await turn.pass()
            // For the line of another host, after a redirect.
            turn.close()
            launch()
        }
    }

    /// Its turn has come.
    func takeTurn() {
        if let turn { turn.open() } else { launch() }
    }
}
