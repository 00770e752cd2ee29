/// An engine that may answer without waiting: a response that a cache has in memory needs no thread and no task.
package protocol AnsweringEngine: TransferEngine {
    /// The events of an exchange that is complete at once; `nil` for one that has to be started.
    func answer(to request: TransferRequest) -> [TransferEvent]?
}
