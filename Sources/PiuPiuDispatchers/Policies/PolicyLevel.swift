/// One policy in the stack of a dispatcher.
final class PolicyLevel<Content: Sendable>: Sendable {
    let policy: any PartPolicy

    /// Whether everything below ends as soon as it is cancelled.
    let endsPromptly: Bool

    /// Carries out an exchange with this policy and those below, where it can't be a part of the stack above.
    let carryOut: PolicyStack<Content>.Work

    init(policy: any PartPolicy, endsPromptly: Bool, carryOut: @escaping PolicyStack<Content>.Work) {
        self.policy = policy
        self.endsPromptly = endsPromptly
        self.carryOut = carryOut
    }
}
