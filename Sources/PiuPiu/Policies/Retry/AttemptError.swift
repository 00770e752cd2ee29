/// An error that an exchange may end with after other attempts.
package protocol AttemptError: Error {
    /// The attempts before the one that has failed like this, in order, if a ``RetryPolicy`` has made some.
    var earlierAttempts: [ExchangeAttempt] { get set }
}

extension TransferError: AttemptError {}
extension UnacceptableStatusError: AttemptError {}
extension DeadlineExceeded: AttemptError {}
extension CircuitOpenError: AttemptError {}
extension LineFullError: AttemptError {}
