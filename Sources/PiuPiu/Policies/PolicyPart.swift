/// The part of one policy in one exchange: what it does before and after everything below it.
///
/// This class does nothing; each policy has a subclass.
class PolicyPart<Content: Sendable> {
    typealias Outcome = Result<Response<Content>, any Error>

    /// What the policy wants when everything below has ended.
    enum Turn {
        /// The exchange is over for this policy.
        case over
        /// Everything below begins again after a wait.
        case again(after: Duration, by: any Clock<Duration>)
    }

    /// What the policy wants after the wait.
    enum NewTurn {
        case attempt(PolicyAttempt)
        case outcome(Outcome)
    }

    /// The part of the policy around this one; a ``PolicyCourse`` sets it.
    final var above: PolicyPart?

    init() {}

    /// Everything below has ended.
    ///
    /// - Parameter outcome: its outcome, which this policy may change. In a cancelled task it is a cancellation.
    func end(with outcome: inout Outcome) -> Turn { .over }

    /// The wait is over, and everything below is about to begin again.
    ///
    /// - Returns: the exchange to continue with, or the outcome if it can't begin again. Throws if it must not.
    func beginAgain() throws -> NewTurn { .outcome(.failure(CancellationError())) }

    /// After all, nothing begins again: the wait was cancelled, or ``beginAgain()`` has returned an outcome or thrown.
    func dropTurn() {}
}
