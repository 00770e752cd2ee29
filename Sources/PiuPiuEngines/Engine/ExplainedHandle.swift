/// A handle that gets the reason for a cancellation: after a timeout the server has failed, after the client's own
/// cancellation it hasn't.
package protocol ExplainedHandle: TransferHandle {
    /// Ends the exchange as `cancel()` does, with a reason.
    func cancel(because error: any Error)

    /// Asks for another answer, because the server has been silent for too long. Returns whether there is one: then its
    /// events follow, but none inside this call.
    func recover(from error: any Error) -> Bool

    /// Ends the exchange with its answer, if that is complete although the request's body isn't sent. Returns whether
    /// it does: then the last event follows, but not inside this call; or a ``TransferEvent/sent(bytes:expected:)``, if
    /// the server has taken the rest of the body meanwhile, and the answer may go on.
    ///
    /// - Parameter isUrgent: whether no time is left; otherwise a body whose next part isn't there yet is waited for.
    func endWithAnswer(isUrgent: Bool) -> Bool
}

extension ExplainedHandle {
    /// Ends the exchange: its outcome isn't needed any more.
    package func cancel() { cancel(because: CancellationError()) }

    /// `false`: there is no other answer.
    package func recover(from error: any Error) -> Bool { false }

    /// `false`: it ends by itself with its answer.
    package func endWithAnswer(isUrgent: Bool) -> Bool { false }
}

extension TransferHandle {
    /// Ends the exchange, with the reason if the handle, or one below it, takes it.
    func giveUp(because error: any Error) {
        if let handle = self as? any ExplainedHandle { return handle.cancel(because: error) }
        wrapped?.giveUp(because: error)
        cancel()
    }

    /// Asks for another answer in place of this error, if the handle may have one; see
    /// ``ExplainedHandle/recover(from:)``.
    func goesOn(after error: any Error) -> Bool {
        if let handle = self as? any ExplainedHandle { return handle.recover(from: error) }
        return wrapped?.goesOn(after: error) == true
    }

    /// Ends the exchange with its answer, if that is complete; see ``ExplainedHandle/endWithAnswer(isUrgent:)``.
    func endsWithAnswer(isUrgent: Bool) -> Bool {
        if let handle = self as? any ExplainedHandle { return handle.endWithAnswer(isUrgent: isUrgent) }
        return wrapped?.endsWithAnswer(isUrgent: isUrgent) == true
    }
}
