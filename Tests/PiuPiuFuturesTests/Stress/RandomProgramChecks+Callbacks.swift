import PiuPiu

/// Checks the calls of callbacks.
extension RandomProgramChecks {
    typealias Event = RandomProgramCallbacks.Event

    /// Contract rules ORDER, SETTLE, AFTER-CANCEL, TURN and RETAIN.
    func complaintsAboutCallbacks() -> [String] {
        let seen = Dictionary(grouping: probe.observations.filter { !$0.wasCancelled }, by: \.node)
        let starts = starts
        return probe.losses
            + probe.callbacks.flatMap { callbacks -> [String] in
                let node = callbacks.node, events = callbacks.events
                let outcomes = seen[node].map { Set($0.map(\.outcome)) } ?? model.permitted(node)
                let mustCome = starts[node] == .certain || probe.deeds.isBegun(node) || probe.deeds.isCancelled(node)
                var broken: [String] = []
                if !isRight(events.filter { $0 != .cancelReturned }, of: callbacks, outcomes, mustCome: mustCome) {
                    broken.append("ORDER")
                }
                if !isQuietAfterCancel(events, callbacks.family) { broken.append("AFTER-CANCEL") }
                if !isInOrder(updates(events), for: node) { broken.append("ORDER of updates") }
                if !hasLastUpdates(events, of: callbacks) { broken.append("TURN: the last of a step") }
                // The main actor could dequeue none of them meanwhile; one more may be in flight.
                if callbacks.isMadeInOneTurn, callbacks.family != .observers,
                    updates(events).count > UpdateLine.limit + 1
                {
                    broken.append("TURN: the number of updates")
                }
                if !callbacks.losses.isEmpty { broken.append("RETAIN: gone in \(callbacks.losses)") }
                let text = "\(events)".replacing(/PiuPiuFuturesTests\.\w+\.(Event\.)?/, with: "")
                return broken.map { "\($0): \(callbacks.family) of node \(node) were called with \(text)" }
            }
    }

    private func isRight(
        _ events: [Event], of callbacks: RandomProgramCallbacks, _ outcomes: Set<RandomProgramOutcome>,
        mustCome: Bool
    ) -> Bool {
        if events.isEmpty { return !mustCome }
        let rest = events.drop { if case .update = $0 { true } else { false } }
        guard rest.last == .completion else { return false }
        switch Array(rest.dropLast()) {
        case let told where told.count == 1:
            // A cancellation after the end replaces an undelivered outcome (contract rule AFTER-CANCEL).
            return outcomes.contains { told == [.outcome($0)] }
                || told == [.outcome(.cancelled)] && isCancelled(callbacks.node)
        // The cancellation came between two sets of observers, as all observers of a future share one queue.
        case let told where told.count == 2 && told[1] == .outcome(.cancelled):
            return callbacks.family != .slots && isCancelled(callbacks.node)
                && outcomes.contains { told[0] == .outcome($0) }
                && probe.callbacks.count { $0.node == callbacks.node && $0.family != .slots } > 1
        // An operator has taken the slots over (contract rule SLOT).
        case []: return callbacks.family == .slots && model.hasUsers(callbacks.node)
        default: return false
        }
    }

    /// Whether callbacks on the main actor got nothing but the cancellation after it.
    private func isQuietAfterCancel(_ events: [Event], _ family: RandomProgram.CallbackFamily) -> Bool {
        guard family != .observers else { return true }
        return events.drop { $0 != .cancelReturned }.allSatisfy {
            switch $0 {
            case .cancelReturned, .outcome(.cancelled), .completion: true
            case .update, .outcome: false
            }
        }
    }

    // MARK: Updates

    private func updates(_ events: [Event]) -> [RandomProgramUpdate] {
        events.compactMap { if case .update(let update) = $0 { update } else { nil } }
    }

    /// Whether the updates come from the node and its inputs, each source's in order.
    private func isInOrder(_ updates: [RandomProgramUpdate], for node: Int) -> Bool {
        if updates.isEmpty { return true }
        let sources = model.sources(of: node)
        var next: [Int: Int] = [:]
        return updates.allSatisfy { update in
            guard sources.contains(update.source), update.place >= next[update.source, default: 0] else { return false }
            next[update.source] = update.place + 1
            return update.place < RandomProgramUpdate.count(of: program.nodes[update.source].work)
        }
    }

    /// Whether callbacks attached before the start that got a value also got the last update of each step.
    private func hasLastUpdates(_ events: [Event], of callbacks: RandomProgramCallbacks) -> Bool {
        let isValue = events.contains { if case .outcome(.value) = $0 { true } else { false } }
        guard callbacks.isAttachedBeforeStart, isValue, !model.mayBeSettled(callbacks.node) else { return true }
        let places = updates(events).filter { $0.source == callbacks.node }.map(\.place)
        let count = RandomProgramUpdate.count(of: program.nodes[callbacks.node].work)
        return RandomProgramUpdate.lastOfStages(among: count).isSubset(of: places)
    }
}

extension RandomProgramModel {
    /// The node, and all its direct and indirect inputs.
    fileprivate func sources(of node: Int) -> Set<Int> {
        var sources: Set = [node]
        var next = [node]
        while let node = next.popLast() {
            for input in program.nodes[node].work.inputs where sources.insert(input).inserted { next.append(input) }
        }
        return sources
    }
}
