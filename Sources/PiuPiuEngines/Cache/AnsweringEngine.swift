/// An engine that may answer without waiting: a response that a cache has in memory needs no thread and no task.
package protocol AnsweringEngine: TransferEngine {
    /// The events of an exchange that is complete at once; `nil` for one that has to be started.
    func answer(to request: TransferRequest) -> [TransferEvent]?

    /// Whether an exchange needs no server, as far as that is known without waiting. It changes nothing.
    func needsNoServer(for request: TransferRequest) -> Bool
}

extension AnsweringEngine {
    /// `false`: that isn't known.
    package func needsNoServer(for request: TransferRequest) -> Bool { false }
}
