extension ResponseFuture {
    /// A future of work that ends with a callback.
    package convenience init(origin: FutureOrigin?, work: any CallbackWork<Success>) {
        self.init(origin: origin, stage: .callback(work))
    }

    /// Begins the work on this stack, without a task of its own; only where the caller is on no actor.
    ///
    /// - Returns: false if it needs a task.
    @inlinable
    func begin(_ work: any CallbackWork<Success>) -> Bool {
        let run = run
        // The outcome takes this place, perhaps before `begin` returns.
        stage = .taken
        switch run.adoptUnlessTaskNeeded(work) {
        case .ready:
            let priority = Task.currentPriority
            if work.begin(for: run, { [self] in end(run, with: $0, priority: priority) }) { return true }
            run.forget(work)
        case .needsTask:
            break
        // A cancelled future begins nothing (contract rule EARLY).
        case .tooLate:
            return true
        }
        stage = .callback(work)
        return false
    }

    /// The work has ended, on a thread that has other things to do: it only resumes awaiters.
    @inlinable
    func end(_ run: FutureRun, with result: Result<Success, any Error>, priority: TaskPriority) {
        let outcome = FutureOutcome(result).boxed
        switch run.settleForAwaiters(outcome.erasingBox()) {
        case .ready: remember(outcome)
        case .tooLate: break
        case .needsTask(let highest):
            let priority = max(priority, TaskPriority(rawValue: highest))
            run.finish(in: Task(priority: priority) { @concurrent in finish(run, with: outcome) }, with: priority)
        }
    }

    @inlinable
    func finish(_ run: FutureRun, with outcome: FutureOutcome<TypedFutureValue<Success>>) {
        if settle(run, with: outcome) { run.beginObservers() }
    }
}
