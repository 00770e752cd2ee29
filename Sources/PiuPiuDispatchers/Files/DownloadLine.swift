/// The line in which downloads wait before they open their files.
///
/// A resumable download reads and locks its leftover before its request can be made. Of many that are started at once
/// most then wait for their turn in the engine: together they would have more files open than the process may. Others
/// open their file with the head of the response, but have it open until it is on the disk, when their connection may
/// long be serving the next one. They wait in a line of their own.
///
/// ``TransferSlots`` decides whose turn it is. A download that has a slot waits for none in the line: it has its
/// ``DownloadPlace`` already, and it lends the slot while it runs the user's code.
package final class DownloadLine: Sendable {
    private struct State {
        var slots: TransferSlots
        var lastTicket = 0
        /// The gates of those that wait.
        var gates: [Int: PauseGate] = [:]
    }

    /// The slot of one download.
    package struct Slot: Sendable {
        fileprivate let line: DownloadLine
        fileprivate let ticket: Int
        fileprivate let origin: String

        /// Does work that may wait for other downloads, without the slot. Afterwards the download has one again, even
        /// if none is free: its files are open.
        package func lend<Output>(during work: () async throws -> Output) async throws -> Output {
            line.leave(ticket)
            defer { line.comeBack(self) }
            return try await work()
        }
    }

    /// The line of this process for resumable downloads.
    package static let shared = DownloadLine(.ofDownloads(descriptorLimit: SystemCall.descriptorLimit))

    /// That for all others. As their dispatchers don't know of those that wait, their documentation names what differs.
    static let plain = DownloadLine(.ofPlainDownloads(descriptorLimit: SystemCall.descriptorLimit))

    private let state: Locked<State>

    package init(_ slots: TransferSlots) {
        state = Locked(State(slots: slots))
    }

    /// Carries out a download when its turn has come.
    ///
    /// - Parameters:
    ///   - origin: where it comes from; origins take turns.
    ///   - work: isn't called if the task is cancelled before: then the download leaves the line at once.
    package func hold<Output>(
        for origin: String, _ work: (Slot) async throws -> Output
    ) async throws -> Output {
        let (slot, gate) = enter(origin)
        defer { leave(slot.ticket) }
        await gate?.pass()
        try Task.checkCancellation()
        return try await work(slot)
    }

    /// Adds a download.
    ///
    /// - Returns: its slot, and the gate that opens when its turn has come; `nil` if it has come already.
    private func enter(_ origin: String) -> (slot: Slot, gate: PauseGate?) {
        let gate = PauseGate()
        gate.close()
        let (ticket, mustWait) = state.withLock { state in
            state.lastTicket += 1
            let ticket = state.lastTicket
            let mustWait = state.slots.enter(ticket, host: origin) == .wait
            if mustWait { state.gates[ticket] = gate }
            return (ticket, mustWait)
        }
        return (Slot(line: self, ticket: ticket, origin: origin), mustWait ? gate : nil)
    }

    private func comeBack(_ slot: Slot) {
        state.withLock { state in
            _ = state.slots.enter(slot.ticket, host: slot.origin, skipsLine: true)
        }
    }

    /// A download is over, or doesn't wait any longer: its slot goes to the next one.
    private func leave(_ ticket: Int) {
        let next = state.withLock { state in
            state.gates[ticket] = nil
            return state.slots.leave(ticket).compactMap { state.gates.removeValue(forKey: $0) }
        }
        for gate in next { gate.open() }
    }
}

extension TransferSlots {
    /// The slots of downloads that have files open.
    ///
    /// Two files each, and for all of them together a quarter of the descriptors: the rest is for connections and for
    /// the user. One origin gets half of the slots, so that a slow server doesn't hold up all others, but six at least,
    /// as many as are usually in flight with it.
    ///
    /// - Parameter descriptorLimit: how many descriptors the process may have open.
    package static func ofDownloads(descriptorLimit: Int) -> TransferSlots {
        let total = min(max(descriptorLimit / 4 / 2, 6), 256)
        return TransferSlots(total: total, perHost: max(total / 2, 6))
    }

    /// Those of downloads that aren't resumable: a file each, and a quarter of the descriptors for all of them.
    static func ofPlainDownloads(descriptorLimit: Int) -> TransferSlots {
        let total = max(descriptorLimit / 4, 6)
        return TransferSlots(total: total, perHost: max(total / 2, 6))
    }
}
