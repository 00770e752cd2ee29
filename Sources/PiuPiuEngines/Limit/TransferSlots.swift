/// The slots and queues of exchanges, limited in total and for each host (rules SLOT, FAIR and LEAVE).
///
/// A pure value that returns what to do; ``LimitedEngine`` keeps it under a lock and carries it out. An exchange has a
/// ticket from its entry until it leaves.
package struct TransferSlots: Sendable {
    /// The result of entering.
    package enum Admission: Sendable, Equatable {
        /// It has a slot, and is sent now.
        case begin
        /// It is sent when others leave.
        case wait
        /// The queue is full.
        case full
    }

    private struct Lane: Sendable {
        var limit: Int
        var running = 0
        var line = LinkedLine<Int>()

        var hasRoom: Bool { running < limit }
        /// Whether an exchange waits only for a slot of the total.
        var isReady: Bool { hasRoom && !line.isEmpty }
        var isIdle: Bool { running == 0 && line.isEmpty }
    }

    private let total: Int
    private let perHost: Int
    private let maximumWaiting: Int
    /// The hosts with limits of their own.
    private var limits = RaisedLimits()
    private var lanes: [String: Lane] = [:]
    /// The hosts with an exchange that could be sent; the next in turn comes first.
    private var ready = LinkedLine<String>()
    private var places: [Int: (host: String, isRunning: Bool)] = [:]

    /// How many exchanges hold a slot.
    package private(set) var running = 0
    /// How many exchanges wait for one.
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

    /// The number of hosts with exchanges.
    package var hostCount: Int { lanes.count }

    // Lanes are changed in place: copying one would take time linear in its queue.

    /// Adds an exchange. One that skips the queue gets a slot even if none is free (rule BYPASS).
    ///
    /// - Parameter isBounded: whether the maximum of waiting exchanges counts for it.
    package mutating func enter(
        _ ticket: Int, host: String, skipsLine: Bool = false, isBounded: Bool = true
    ) -> Admission {
        // If a slot is free, no waiting exchange could take it.
        let isFree = running < total && lanes[host]?.hasRoom ?? true
        guard isFree || skipsLine || !isBounded || waiting < maximumWaiting else { return .full }
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

    /// An exchange is over, or was cancelled. Returns the exchanges to send now; for a ticket that has left, none.
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

    /// Raises the limit of a host. Returns the exchanges to send now.
    package mutating func raiseLimit(of host: String, to limit: Int) -> [Int] {
        guard limit > limits[host] ?? perHost else { return [] }
        limits.set(limit, of: host) { [lanes] in lanes[$0] != nil }
        lanes[host]?.limit = limit
        update(host)
        return admitted()
    }

    /// Whether a host may have a limit of its own.
    package var hasRaisedLimits: Bool { limits.count > 0 }

    /// Lowers the limit of a host to the usual one. Exchanges beyond it keep their slots, and pass them to no other of
    /// this host.
    package mutating func resetLimit(of host: String) {
        guard limits[host] != nil else { return }
        limits.remove(host)
        lanes[host]?.limit = perHost
        update(host)
    }

    private mutating func admitted() -> [Int] {
        var admitted: [Int] = []
        while running < total, let host = ready.popFirst(), let ticket = lanes[host]?.line.popFirst() {
            running += 1
            waiting -= 1
            lanes[host]?.running += 1
            places[ticket]?.isRunning = true
            admitted.append(ticket)
            // Moves the host behind the others, if more of its exchanges wait.
            update(host)
        }
        return admitted
    }

    private mutating func update(_ host: String) {
        if lanes[host]?.isReady == true { ready.append(host) } else { ready.remove(host) }
        if lanes[host]?.isIdle == true { lanes[host] = nil }
    }
}
