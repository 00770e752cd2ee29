/// The tokens left in one origin's retry budget (rule BUDGET).
package struct RetryTokens: Sendable, Equatable {
    /// The initial and maximum number of tokens.
    package static let capacity = 500
    /// The cost of a retry.
    package static let cost = 14
    /// The cost of a retry after the server has said that it gets too many requests: that took it little work.
    package static let throttledCost = 5

    package private(set) var count = capacity

    package init() {}

    /// Whether no token is missing.
    package var isFull: Bool { count == Self.capacity }

    /// Takes the cost of a retry; `false`, and nothing is taken, if too few tokens are left.
    package mutating func take(_ cost: Int) -> Bool {
        guard cost <= count else { return false }
        count -= cost
        return true
    }

    /// Gives back the tokens of a successful exchange.
    package mutating func give(_ tokens: Int) {
        count = min(count + tokens, Self.capacity)
    }
}
