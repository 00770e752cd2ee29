/// The tokens of the origins in a ``RetryBudget`` (rule BUDGET).
///
/// A pure value; the budget keeps it under a lock.
package struct OriginTokens: Sendable {
    /// The maximum number of origins with missing tokens. Beyond it, the least recently used one has all of them again.
    package static let limit = 1_000

    /// Of the origins that don't have all their tokens.
    package private(set) var tokens: [String: RetryTokens] = [:]
    private var recent = LinkedLine<String>()

    package init() {}

    package subscript(origin: String) -> RetryTokens {
        get { tokens[origin] ?? RetryTokens() }
        set {
            recent.remove(origin)
            tokens[origin] = newValue.isFull ? nil : newValue
            guard !newValue.isFull else { return }
            recent.append(origin)
            if recent.count > Self.limit, let oldest = recent.popFirst() { tokens[oldest] = nil }
        }
    }
}
