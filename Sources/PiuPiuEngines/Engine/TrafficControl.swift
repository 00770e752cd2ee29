/// The admission of exchanges to an engine: a limit per host, and the end of the engine's life.
///
/// A pure value that makes the decisions; ``TransferDriver`` keeps it under a lock and carries them out. An `Item` is
/// an exchange; a ticket identifies it from its admission until it leaves.
///
/// The limit is about the number of connections that an engine opens to one host. Beyond it a request would wait inside
/// the engine, and the wait would count against its timeout.
package struct TrafficControl<Item: Sendable>: Sendable {
    /// The decision about a new exchange.
    package enum Admission: Sendable, Equatable {
        /// It starts now.
        case launch
        /// It starts when another one to the same host leaves.
        case wait
        /// The engine was invalidated.
        case refused
    }

    private struct Lane {
        let host: String
        var limit: Int
        var running = 0
        /// The tickets in line, with some of exchanges that have been withdrawn.
        var line = FirstInFirstOut<Int>()
        var withdrawn = 0
        /// When an exchange last left.
        var lastMove: UInt64 = 0
    }

    private struct Entry: Sendable {
        let item: Item
        /// A parked exchange is in no lane.
        var lane: Int?
        var isWaiting = false
    }

    private let limit: Int
    /// The hosts with their own limit.
    private var limits = RaisedLimits()
    /// The lanes by their places; some of them are free.
    private var lanes: [Lane] = []
    private var places: [String: Int] = [:]
    private var freePlaces: [Int] = []
    private var items: [Int: Entry] = [:]
    private var lastTicket = 0
    private var ending = EngineEnding()

    package init(limitPerHost: Int) {
        limit = max(1, limitPerHost)
    }

    /// The number of exchanges that have not left yet, including waiting ones.
    package var count: Int { items.count }

    /// The exchanges that have not left yet.
    package var all: [Item] { items.values.map(\.item) }

    /// The exchange with a ticket, unless it has left.
    package func item(of ticket: Int) -> Item? { items[ticket]?.item }

    // MARK: Exchanges

    /// A unique ticket for a new exchange.
    package mutating func makeTicket() -> Int {
        lastTicket += 1
        return lastTicket
    }

    /// Admits a new exchange.
    package mutating func admit(_ item: Item, ticket: Int, to host: String) -> Admission {
        guard !ending.hasBegun else { return .refused }
        return enter(host, ticket, item) ? .launch : .wait
    }

    /// A launched exchange goes on with another host. Returns whether it may do so now, and the exchange to launch in
    /// its old place.
    package mutating func move(
        _ ticket: Int, to host: String, at instant: UInt64 = 0
    ) -> (mayGoOn: Bool, next: Item?) {
        guard let entry = items[ticket], entry.lane.map({ lanes[$0].host }) != host else { return (true, nil) }
        let next = park(ticket, at: instant)
        return (enter(host, ticket, entry.item), next)
    }

    /// Raises the limit of a host. Returns the exchanges to launch.
    package mutating func raiseLimit(of host: String, to limit: Int) -> [Item] {
        guard limit > limits[host] ?? self.limit else { return [] }
        // Exchanges without a line don't wait, whether there are any or not.
        limits.set(limit, of: host) { [places] in places[$0] != nil || $0.isEmpty }
        guard let place = places[host] else { return [] }
        lanes[place].limit = limit
        var launched: [Item] = []
        while lanes[place].running < limit, let item = popFirst(of: place) {
            lanes[place].running += 1
            launched.append(item)
        }
        return launched
    }

    /// Whether a host may have a limit of its own, beside exchanges without a line.
    package var hasRaisedLimits: Bool { limits.count > 1 }

    /// Lowers the limit of a host to the usual one. Exchanges beyond it keep their places, and pass them to no other.
    package mutating func resetLimit(of host: String) {
        guard limits[host] != nil else { return }
        limits.remove(host)
        if let place = places[host] { lanes[place].limit = limit }
    }

    // Lanes change in place: copying one takes time in proportion to its line. They are found by their places, because
    // a dictionary allocates several times to change one of its values.
    private mutating func enter(_ host: String, _ ticket: Int, _ item: Item) -> Bool {
        let place = places[host] ?? open(Lane(host: host, limit: limits[host] ?? limit))
        let isWaiting = lanes[place].running >= lanes[place].limit
        items[ticket] = Entry(item: item, lane: place, isWaiting: isWaiting)
        if isWaiting { lanes[place].line.append(ticket) } else { lanes[place].running += 1 }
        return !isWaiting
    }

    private mutating func open(_ lane: Lane) -> Int {
        let place = freePlaces.popLast() ?? lanes.endIndex
        if place == lanes.endIndex { lanes.append(lane) } else { lanes[place] = lane }
        places[lane.host] = place
        return place
    }

    /// Removes a waiting exchange from its line. A running one stays: it leaves when it ends.
    package mutating func withdraw(_ ticket: Int) {
        guard let entry = items[ticket], entry.isWaiting, let place = entry.lane else { return }
        items[ticket] = nil
        lanes[place].withdrawn += 1
        // Its ticket stays in line until its turn, but not many such.
        guard lanes[place].withdrawn > 64, lanes[place].withdrawn * 2 > lanes[place].line.count else { return }
        lanes[place].line.removeAll { items[$0] == nil }
        lanes[place].withdrawn = 0
    }

    /// Takes the first exchange out of the line.
    private mutating func popFirst(of place: Int) -> Item? {
        while let ticket = lanes[place].line.popFirst() {
            if let index = items.index(forKey: ticket) {
                items.values[index].isWaiting = false
                return items.values[index].item
            }
            lanes[place].withdrawn -= 1
        }
        return nil
    }

    /// A launched exchange is over. Returns the exchange to launch in its place.
    package mutating func leave(_ ticket: Int, at instant: UInt64 = 0) -> Item? {
        guard let lane = items.removeValue(forKey: ticket)?.lane else { return nil }
        return leaveLane(lane, at: instant)
    }

    /// A launched exchange goes on without a place. Returns the exchange to launch in its place.
    package mutating func park(_ ticket: Int, at instant: UInt64 = 0) -> Item? {
        guard let lane = items[ticket]?.lane else { return nil }
        items[ticket]?.lane = nil
        return leaveLane(lane, at: instant)
    }

    private mutating func leaveLane(_ lane: Int, at instant: UInt64) -> Item? {
        lanes[lane].lastMove = max(lanes[lane].lastMove, instant)
        if lanes[lane].running <= lanes[lane].limit, let next = popFirst(of: lane) { return next }
        lanes[lane].running -= 1
        if lanes[lane].running == 0 {
            places[lanes[lane].host] = nil
            freePlaces.append(lane)
        }
        return nil
    }

    /// When an exchange last left the lane of a waiting one; 0 if none has.
    package func lastMove(before ticket: Int) -> UInt64 {
        items[ticket]?.lane.map { lanes[$0].lastMove } ?? 0
    }

    // MARK: The engine

    /// Whether new exchanges are refused.
    package var isEnding: Bool { ending.hasBegun }

    /// Whether all others are cancelled, too: one that has the place of another must not be sent.
    package var isCancelling: Bool { ending.isCancelling }

    /// Whether they are, and all others have left.
    package var isOver: Bool { ending.hasBegun && items.isEmpty }

    /// Stops admission. Returns the exchanges to cancel.
    ///
    /// Call ``hasCancelled()`` once afterwards: each exchange has to be cancelled before the engine is invalidated.
    package mutating func end(_ wanted: EngineEnding.Kind) -> [Item] {
        ending.begin(wanted)
        guard wanted == .cancelling else { return [] }
        let cancelled = all
        // Otherwise the end of a running exchange would launch the next in line.
        for ticket in items.keys { withdraw(ticket) }
        return cancelled
    }

    /// The exchanges that ``end(_:)`` has returned are cancelled.
    package mutating func hasCancelled() {
        ending.hasCancelled()
    }

    /// How to invalidate the engine now; `nil` if not now. Ask after each change; each answer comes only once.
    package mutating func engineEnding() -> EngineEnding.Kind? {
        ending.next(isEmpty: items.isEmpty)
    }
}
