/// A handle that gets the reason for a cancellation: after a timeout the server has failed, after the client's own
/// cancellation it hasn't.
package protocol ExplainedHandle: TransferHandle {
    /// Ends the exchange as `cancel()` does, with a reason.
    func cancel(because error: any Error)
}

extension ExplainedHandle {
    /// Ends the exchange, as nobody wants its outcome any more.
    package func cancel() { cancel(because: CancellationError()) }
}

extension TransferHandle {
    /// Ends the exchange, with the reason if the handle takes it.
    func giveUp(because error: any Error) {
        if let handle = self as? any ExplainedHandle { handle.cancel(because: error) } else { cancel() }
    }
}
