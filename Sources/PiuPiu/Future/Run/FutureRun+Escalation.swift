extension FutureRun {
    /// Raises the priority of the work, and of all that it waits for, to that of the task that calls this (contract rule
    /// ESCALATE).
    @usableFromInline
    nonisolated func escalateToCurrentTask() {
        guard let priority = withUnsafeCurrentTask(body: { $0?.priority }) else { return }
        var runs = [self]
        while let run = runs.popLast() {
            guard let (work, sources) = run.raise(to: priority.rawValue) else { continue }
            work?.escalate(to: priority)
            sources.forEach { runs += $0.escalate(to: priority) }
        }
    }

    private nonisolated func raise(to priority: UInt8) -> (WorkTask?, ShortList<Source>)? {
        enter(priority) { run, priority in
            guard priority > run.priority, !run.machine.isSettled else { return nil }
            run.priority = priority
            return (run.work, run.sources)
        }
    }
}
