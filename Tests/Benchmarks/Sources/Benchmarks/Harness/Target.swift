/// What PiuPiu wants to reach in a scenario.
enum Target: Sendable {
    case atMost(Double, timesContender: String)
    /// Less than every contender in the role of a peer.
    case belowEveryPeer
    case nanoseconds(Double)
    /// At most this much longer than a contender takes.
    case nanosecondsAbove(Double, contender: String)
    /// As often in the same time.
    case rateAtLeast(Double, timesContender: String)
    case processorTimeAtMost(Double, timesContender: String)

    /// The target in words, and whether it was met.
    func verdict(on measurement: Measurement, among measurements: [Measurement]) -> String {
        switch self {
        case .atMost(let factor, let name):
            let peer = measurements.first { $0.contender == name }
            let isMet = peer.map { measurement.seconds <= factor * $0.seconds } ?? false
            return Self.verdict("≤ \(Table.ratio(factor)) × \(name)", isMet: isMet)
        case .belowEveryPeer:
            let peers = measurements.filter { $0.role == .peer }
            return Self.verdict("below every peer", isMet: peers.allSatisfy { measurement.seconds < $0.seconds })
        case .nanoseconds(let limit):
            let nanoseconds = measurement.seconds * 1e9
            return Self.verdict("≤ \(Table.nanoseconds(limit))", isMet: nanoseconds <= limit)
        case .nanosecondsAbove(let limit, let name):
            let peer = measurements.first { $0.contender == name }
            let isMet = peer.map { (measurement.seconds - $0.seconds) * 1e9 <= limit } ?? false
            return Self.verdict("≤ \(Table.nanoseconds(limit)) above \(name)", isMet: isMet)
        case .rateAtLeast(let factor, let name):
            let peer = measurements.first { $0.contender == name }
            let isMet = peer.map { $0.seconds >= factor * measurement.seconds } ?? false
            return Self.verdict("≥ \(Table.ratio(factor)) × \(name)", isMet: isMet)
        case .processorTimeAtMost(let factor, let name):
            let peer = measurements.first { $0.contender == name }
            let isMet = peer.map { measurement.processorSeconds <= factor * $0.processorSeconds } ?? false
            return Self.verdict("CPU ≤ \(Table.ratio(factor)) × \(name)", isMet: isMet)
        }
    }

    static func verdict(_ text: String, isMet: Bool) -> String {
        "\(text): \(isMet ? "met" : "**not met**")"
    }
}
