/// The part of one policy in one exchange: what it does before and after everything below it.
///
/// This class does nothing; each policy has a subclass. It doesn't know the content of a response: the runtime would look
/// up the type of each field that depends on it.
class PolicyPart {
    /// What the policy wants when everything below has ended.
    enum Turn {
        /// The exchange is over for this policy.
        case over
        /// Everything below begins again after a wait, unless the policy wants the outcome after all, which is kept.
        case again(after: Duration, by: any Clock<Duration>, keepsOutcome: Bool)
    }

    /// The exchange with the changes of a policy.
    final class SavedAttempt {
        let attempt: PolicyAttempt

        init(_ attempt: PolicyAttempt) {
            self.attempt = attempt
        }
    }

    /// The part of the policy around this one; a ``PolicyCourse`` sets it.
    final var above: PolicyPart?

    /// What this policy may begin again, while those below change it; a ``PolicyCourse`` sets it.
    final var saved: SavedAttempt?

    /// Whether it may begin everything below again.
    final let isRepeating: Bool

    init(isRepeating: Bool = false) {
        self.isRepeating = isRepeating
    }

    /// Everything below has ended.
    ///
    /// - Parameters:
    ///   - exchange: has the outcome, which this policy may change. In a cancelled task it is a cancellation.
    ///   - length: the length of a response that is data.
    func end(_ exchange: PolicyCourse, length: () -> Int64) -> Turn { .over }

    /// The wait is over, and everything below is about to begin again.
    ///
    /// - Returns: whether it begins; if not, the outcome in `exchange` is delivered. Throws if it must not begin.
    func beginAgain(_ exchange: PolicyCourse) throws -> Bool { false }

    /// After all, nothing begins again: the wait was cancelled, or ``beginAgain(_:)`` has returned `false` or thrown.
    func dropTurn() {}
}
