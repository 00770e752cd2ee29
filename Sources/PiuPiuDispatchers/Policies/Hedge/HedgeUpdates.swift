/// Selects the updates of an exchange: of one copy at a time, as a progress bar shows one transfer.
///
/// That copy is the first with an update, until another copy gets the head of its response earlier, or until it fails.
package struct HedgeUpdates: Sendable {
    private var leader: Int?
    private var hasHead = false
    /// The copies whose updates were passed on.
    private var shown: Set<Int> = []
    /// The last update of each copy that doesn't lead.
    private var held: [Int: TransferUpdate] = [:]

    package init() {}

    /// Whether a copy that hasn't failed so far has not begun to be sent: it had no update.
    ///
    /// - Parameter reports: whether the dispatcher is known to report updates. Otherwise another copy had one.
    package func isUnsent(_ copy: Int, reports: Bool) -> Bool {
        !shown.contains(copy) && held[copy] == nil && (reports || !shown.isEmpty || !held.isEmpty)
    }

    /// Whether this update of a copy is passed on.
    package mutating func passes(_ update: TransferUpdate, of copy: Int) -> Bool {
        // Ends are passed on for the transfers whose updates were.
        if update.isEnd { return shown.contains(copy) }
        if update.isRefusal { return leader == copy }
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
