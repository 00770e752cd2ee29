extension FutureRun {
    /// Raises the priority of the work, and of all that it waits for, to that of the task that calls this (contract
    /// rule ESCALATE).
    @usableFromInline
    nonisolated func escalateToCurrentTask() {
        guard let priority = withUnsafeCurrentTask(body: { $0?.priority }) else { return }
        Self.escalate([self], to: priority)
    }

    /// Raises the priority of the work of these runs, and of all that it waits for.
    ///
    /// Work or a source that is registered later reads `priority` at registration, and is raised then. So none is
    /// missed.
    nonisolated static func escalate(_ runs: [FutureRun], to priority: TaskPriority) {
        var runs = runs
        while let run = runs.popLast() {
            guard let (work, sources) = run.raise(to: priority.rawValue) else { continue }
            work?.escalate(to: priority)
            sources.forEach { runs += $0.escalate(to: priority) }
        }
    }

    /// The priority to raise newly registered work or a source to, if the current task, which registers it, has less.
    nonisolated static func missedPriority(_ priority: UInt8) -> TaskPriority? {
        priority > 0 && priority > Task.currentPriority.rawValue ? TaskPriority(rawValue: priority) : nil
    }

    private nonisolated func raise(to priority: UInt8) -> (WorkTask?, ShortList<Source>)? {
        enter(priority) { run, priority in
            guard priority > run.priority, !run.machine.isSettled else { return nil }
            run.priority = priority
            return (run.work, run.sources)
        }
    }
}
