/// Which updates of several copies are those of their exchange: of one copy at a time, as a progress bar shows one transfer.
///
/// It is the first that tells something, until the head of another's response is there before its own, or until it fails.
package struct HedgeUpdates: Sendable {
    private var leader: Int?
    private var hasHead = false
    /// The copies whose updates were passed on.
    private var shown: Set<Int> = []
    /// The last update of each that leads not.
    private var held: [Int: TransferUpdate] = [:]

    package init() {}

    /// Whether this update of a copy is one of the exchange.
    package mutating func passes(_ update: TransferUpdate, of copy: Int) -> Bool {
        // Those who look for the ends of transfers know those that were reported to them.
        if update.isEnd { return shown.contains(copy) }
        let isAnswered = update.stage == .responded || update.stage == .received
        if leader == nil || isAnswered && !hasHead { leader = copy }
        guard leader == copy else {
            held[copy] = update
            return false
        }
        hasHead = isAnswered
        held[copy] = nil
        shown.insert(copy)
        return true
    }

    /// A copy has failed: another one leads.
    package mutating func end(_ copy: Int) {
        held[copy] = nil
        guard leader == copy else { return }
        leader = nil
        hasHead = false
    }

    /// A copy has won. Returns its last update, if that was held back.
    package mutating func win(_ copy: Int) -> TransferUpdate? {
        leader = copy
        hasHead = true
        defer { held = [:] }
        return held[copy]
    }
}
