extension FutureRun {
    /// Raises the priority of the work, and of all that it waits for, to that of the task that calls this (contract
    /// rule ESCALATE).
    @usableFromInline
    nonisolated func escalateToCurrentTask() {
        // Sound: the task is used only within the closure.
        guard let priority = withUnsafeCurrentTask(body: { $0?.priority }) else { return }
        Self.escalate([self], to: priority)
    }

    /// The same for work that the current task is about to launch: it inherits the priority that this task began with,
    /// whatever the task was raised to meanwhile.
    @usableFromInline
    nonisolated func escalateToRaisedTask() {
        if let priority = Self.raisedPriority { Self.escalate([self], to: priority) }
    }

    /// The priority of the current task, if it was raised.
    static var raisedPriority: TaskPriority? {
        guard let base = Task.basePriority else { return nil }
        let current = Task.currentPriority
        return current > base ? current : nil
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

    /// The priority to raise newly registered work or a source to, if what the current task starts begins with less: with
    /// the priority that this task began with, whatever it was raised to meanwhile.
    nonisolated static func missedPriority(_ priority: UInt8) -> TaskPriority? {
        guard priority > 0, priority > (Task.basePriority ?? Task.currentPriority).rawValue else { return nil }
        return TaskPriority(rawValue: priority)
    }

    /// Raises the current task to the priority that its work was raised to before it began.
    nonisolated static func escalateCurrentTask(to priority: UInt8) {
        guard #available(macOS 26, iOS 26, tvOS 26, watchOS 26, visionOS 26, *),
            let priority = missedPriority(priority)
        else { return }
        // Sound: the task is used only within the closure.
        withUnsafeCurrentTask { $0?.escalatePriority(to: priority) }
    }

    private nonisolated func raise(to priority: UInt8) -> (WorkTask?, ShortList<Source>)? {
        enter(priority) { run, priority in
            guard priority > run.priority, !run.machine.isSettled else { return nil }
            run.priority = priority
            return (run.work, run.sources)
        }
    }
}
