/// An error with which an exchange may end after earlier attempts.
package protocol AttemptError: Error {
    /// The attempts of a ``RetryPolicy`` before the failed one, in order.
    var earlierAttempts: [ExchangeAttempt] { get set }
}

extension TransferError: AttemptError {}
extension UnacceptableStatusError: AttemptError {}
extension DeadlineExceeded: AttemptError {}
extension CircuitOpenError: AttemptError {}
extension LineFullError: AttemptError {}
