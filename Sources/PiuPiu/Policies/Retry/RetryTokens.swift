/// What is left of one origin's budget of retries (rule BUDGET).
package struct RetryTokens: Sendable, Equatable {
    /// What there is at first, and at most.
    package static let capacity = 500
    /// What a retry costs.
    package static let cost = 14
    /// What one costs after the server has said that it is asked too often: it has worked no more than to say so.
    package static let throttledCost = 5

    package private(set) var count = capacity

    package init() {}

    /// Whether nothing is missing.
    package var isFull: Bool { count == Self.capacity }

    /// Takes out the cost of a retry; `false`, and nothing is taken, if there is less.
    package mutating func take(_ cost: Int) -> Bool {
        guard cost <= count else { return false }
        count -= cost
        return true
    }

    /// Puts back what an exchange that has succeeded gives.
    package mutating func give(_ tokens: Int) {
        count = min(count + tokens, Self.capacity)
    }
}
