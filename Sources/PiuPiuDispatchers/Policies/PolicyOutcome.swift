/// The outcome of an exchange as the parts of its policies see it: without the content of a response.
enum PolicyOutcome {
    case response(TransferHead)
    case failure(any Error)
    case cancelled

    /// Any cancellation counts as the same.
    init(failure error: any Error) {
        self = error.isCancellation ? .cancelled : .failure(error)
    }

    /// What the exchange fails with, if there is no response.
    var error: any Error { if case .failure(let error) = self { error } else { CancellationError() } }
}
