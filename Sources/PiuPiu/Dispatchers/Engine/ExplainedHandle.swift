/// A handle that wants to know why its exchange is given up: a server that has kept silent for too long has failed, one whose
/// client has lost interest has not.
package protocol ExplainedHandle: TransferHandle {
    /// Ends the exchange as `cancel()` does, for a reason.
    func cancel(because error: any Error)
}

extension ExplainedHandle {
    /// Nobody is interested any more.
    package func cancel() { cancel(because: CancellationError()) }
}

extension TransferHandle {
    /// Ends the exchange, and says why where that is asked for.
    func giveUp(because error: any Error) {
        if let handle = self as? any ExplainedHandle { handle.cancel(because: error) } else { cancel() }
    }
}
