/// Finds futures that would wait for themselves, and so for ever (contract rule NEVER-HANG).
extension FutureRun {
    /// How many futures a search visits at most, so that an await doesn't search a very long chain to its end.
    private static let searchLimit = 1_000

    /// Whether the task does the work of this future, or of a future that this one waits for.
    nonisolated func dependsOn(_ task: TaskIdentity) -> Bool {
        search { run in
            let (worker, sources) = run.enter(()) { run, _ in (run.worker, run.sources) }
            return worker == task ? nil : sources.runs
        }
    }

    /// Whether this is the other future, waits for it, or awaits it in its work.
    nonisolated func dependsOn(_ other: FutureRun) -> Bool {
        if search(where: { run in run === other ? nil : run.enter(()) { run, _ in run.sources }.runs }) { return true }
        let worker = enter(()) { run, _ in run.worker }
        guard worker != .none else { return false }
        return other.search { run in
            let parties = run.enter(()) { run, _ in run.machine.interests }
            var receivers: [FutureRun] = []
            var isFound = false
            parties.forEach { party in
                if party.waitingTask == worker { isFound = true }
                if let receiver = party.receiver { receivers.append(receiver) }
            }
            return isFound ? nil : receivers
        }
    }

    /// Visits this future, and then others.
    ///
    /// - Parameter next: returns the futures to visit after this one; `nil` when this is the one searched for.
    private nonisolated func search(where next: (FutureRun) -> [FutureRun]?) -> Bool {
        var run = self
        // Most futures wait for nothing, and so allocate nothing here.
        var others: [FutureRun] = []
        for _ in 0..<Self.searchLimit {
            guard let further = next(run) else { return true }
            others += further
            guard let other = others.popLast() else { return false }
            run = other
        }
        return false
    }
}

extension ShortList where Element == Source {
    /// The futures of these sources.
    fileprivate var runs: [FutureRun] {
        var runs: [FutureRun] = []
        forEach { source in
            switch source {
            case .token(let token): runs.append(token.run)
            case .join(let join): runs += join.runs
            case .transfer: break
            }
        }
        return runs
    }
}
