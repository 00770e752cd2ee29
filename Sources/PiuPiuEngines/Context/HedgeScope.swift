/// The current copy of a hedged exchange, for policies inside: the outermost policy decides.
package struct HedgeScope: Sendable {
    /// The exchange.
    package let scope: RetryScope

    /// The number of the copy, 1 for the first.
    package let copy: Int

    package init(scope: RetryScope, copy: Int) {
        self.scope = scope
        self.copy = copy
    }
}
