/// An engine that may know an answer without waiting for anything: what a cache has in memory needs no thread and no task.
package protocol AnsweringEngine: TransferEngine {
    /// The events of an exchange that is over at once; `nil` for one that has to be started.
    func answer(to request: TransferRequest) -> [TransferEvent]?
}
