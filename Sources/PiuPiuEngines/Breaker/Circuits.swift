/// The circuits of the recently used origins.
///
/// A pure value; ``BreakingEngine`` keeps it under a lock.
package struct Circuits: Sendable {
    /// The permit of an exchange that was sent.
    package struct Permit: Sendable, Equatable {
        package let origin: String
        package let generation: Int
        /// Whether all others wait for the outcome of this exchange.
        package let isProbe: Bool
    }

    /// Whether an exchange may be sent.
    package enum Entry: Sendable, Equatable {
        case pass(Permit)
        /// It may not, for at least this long.
        case refuse(Duration)
    }

    /// The maximum number of circuits. Beyond it, that of the least recently used origin is dropped.
    package static let limit = 1_000

    private let rules: CircuitRules
    private var circuits: [String: Circuit] = [:]
    private var recent = LinkedLine<String>()
    private var lastGeneration = 0

    package init(_ rules: CircuitRules) {
        self.rules = rules
    }

    /// The number of origins that have a circuit.
    package var count: Int { circuits.count }

    /// An exchange with an origin is about to be sent.
    package mutating func enter(_ origin: String, at now: Duration) -> Entry {
        recent.remove(origin)
        recent.append(origin)
        if recent.count > Self.limit, let oldest = recent.popFirst() { circuits[oldest] = nil }
        lastGeneration += 1
        var circuit = circuits[origin] ?? Circuit(rules: rules, generation: lastGeneration)
        lastGeneration += 1
        let refusal = circuit.enter(at: now, next: lastGeneration)
        circuits[origin] = circuit
        if let refusal { return .refuse(refusal) }
        return .pass(Permit(origin: origin, generation: circuit.generation, isProbe: circuit.isHalfOpen))
    }

    /// An exchange that has waited with its permit is about to be sent; its circuit may have changed meanwhile.
    package mutating func enterAgain(with permit: Permit, at now: Duration) -> Entry {
        circuits[permit.origin]?.generation == permit.generation ? .pass(permit) : enter(permit.origin, at: now)
    }

    /// An exchange is over.
    package mutating func record(_ outcome: Circuit.Outcome, of permit: Permit, at now: Duration) {
        lastGeneration += 1
        circuits[permit.origin]?.record(outcome, of: permit.generation, at: now, next: lastGeneration)
    }
}
