/// What PiuPiu wants to reach in a scenario.
enum Target: Sendable {
    case atMost(Double, timesContender: String)
    /// Less than every contender in the role of a peer.
    case belowEveryPeer
    case nanoseconds(Double)

    /// The target in words, and whether it was met.
    func verdict(on measurement: Measurement, among measurements: [Measurement]) -> String {
        switch self {
        case .atMost(let factor, let name):
            let peer = measurements.first { $0.contender.name == name }
            let isMet = peer.map { measurement.median <= factor * $0.median } ?? false
            return Self.verdict("≤ \(Table.ratio(factor)) × \(name)", isMet: isMet)
        case .belowEveryPeer:
            let peers = measurements.filter { $0.contender.role == .peer }
            return Self.verdict("below every peer", isMet: peers.allSatisfy { measurement.median < $0.median })
        case .nanoseconds(let limit):
            return Self.verdict("≤ \(Table.nanoseconds(limit))", isMet: measurement.median <= limit)
        }
    }

    static func verdict(_ text: String, isMet: Bool) -> String {
        "\(text): \(isMet ? "met" : "**not met**")"
    }
}
