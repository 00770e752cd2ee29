/// Who may send, and who waits: so many in all, and so many for each host (rules SLOT, FAIR and LEAVE).
///
/// A pure value that answers what is to be done; ``LimitedEngine`` keeps it under a lock and carries the answers out. An
/// exchange is known by a ticket, from its entry until it leaves.
package struct TransferSlots: Sendable {
    /// What becomes of a new exchange.
    package enum Admission: Sendable, Equatable {
        /// It has a slot, and is sent now.
        case begin
        /// It is sent when others leave.
        case wait
        /// As many wait as may.
        case full
    }

    private struct Lane: Sendable {
        var limit: Int
        var running = 0
        var line = LinkedLine<Int>()

        var hasRoom: Bool { running < limit }
        /// Whether somebody waits who could go if there were a slot.
        var isReady: Bool { hasRoom && !line.isEmpty }
        var isIdle: Bool { running == 0 && line.isEmpty }
    }

    private let total: Int
    private let perHost: Int
    private let maximumWaiting: Int
    /// Hosts with a limit of their own.
    private var limits: [String: Int] = [:]
    private var lanes: [String: Lane] = [:]
    /// The hosts for which somebody could be sent, the one whose turn is next first.
    private var ready = LinkedLine<String>()
    private var places: [Int: (host: String, isRunning: Bool)] = [:]

    /// How many hold a slot.
    package private(set) var running = 0
    /// How many wait for one.
    package private(set) var waiting = 0

    /// - Parameters:
    ///   - total: how many may be sent at once; less than 1 counts as 1.
    ///   - perHost: how many of them to one host; less than 1 counts as 1.
    ///   - maximumWaiting: how many may wait.
    package init(total: Int = .max, perHost: Int = .max, maximumWaiting: Int = .max) {
        self.total = max(total, 1)
        self.perHost = max(perHost, 1)
        self.maximumWaiting = max(maximumWaiting, 0)
    }

    /// The number of exchanges that have not left yet.
    package var count: Int { places.count }

    /// The number of hosts that anything is known of.
    package var hostCount: Int { lanes.count }

    // Lanes are changed in place: a copy would take as long as its line is.

    /// Takes in an exchange. One that skips the line has a slot even where there is none (rule BYPASS).
    package mutating func enter(_ ticket: Int, host: String, skipsLine: Bool = false) -> Admission {
        // Where a slot is free, nobody waits who could take it.
        let isFree = running < total && lanes[host]?.hasRoom ?? true
        guard isFree || skipsLine || waiting < maximumWaiting else { return .full }
        places[ticket] = (host, isFree || skipsLine)
        guard isFree || skipsLine else {
            lanes[host, default: Lane(limit: limits[host] ?? perHost)].line.append(ticket)
            waiting += 1
            update(host)
            return .wait
        }
        lanes[host, default: Lane(limit: limits[host] ?? perHost)].running += 1
        running += 1
        update(host)
        return .begin
    }

    /// An exchange is over, or has lost its patience. Returns those that are to be sent now; of a ticket that has left, none.
    package mutating func leave(_ ticket: Int) -> [Int] {
        guard let (host, isRunning) = places.removeValue(forKey: ticket) else { return [] }
        if isRunning {
            running -= 1
            lanes[host]?.running -= 1
        } else {
            waiting -= 1
            lanes[host]?.line.remove(ticket)
        }
        update(host)
        return admitted()
    }

    /// So many exchanges with this host may be sent at once from now on. Returns those that are to be sent now.
    package mutating func raiseLimit(of host: String, to limit: Int) -> [Int] {
        guard limit > limits[host] ?? perHost else { return [] }
        limits[host] = limit
        lanes[host]?.limit = limit
        update(host)
        return admitted()
    }

    private mutating func admitted() -> [Int] {
        var admitted: [Int] = []
        while running < total, let host = ready.popFirst(), let ticket = lanes[host]?.line.popFirst() {
            running += 1
            waiting -= 1
            lanes[host]?.running += 1
            places[ticket]?.isRunning = true
            admitted.append(ticket)
            // Behind the others, if it has more who wait.
            update(host)
        }
        return admitted
    }

    private mutating func update(_ host: String) {
        if lanes[host]?.isReady == true { ready.append(host) } else { ready.remove(host) }
        if lanes[host]?.isIdle == true { lanes[host] = nil }
    }
}
