extension FutureRun {
    /// Suspends until the future settles, or until the task that waits is cancelled (contract rule DOWN).
    ///
    /// - Parameters:
    ///   - id: the token of the awaiter.
    ///   - child: the future that waits, if one does: it gets the updates, too.
    @usableFromInline
    nonisolated func outcome(for id: InterestID, child: FutureRun? = nil) async -> Outcome {
        await withTaskCancellationHandler {
            await suspend(id, child: child)
        } onCancel: {
            leave(id)
        }
    }

    /// The same for an awaiter that has to launch the work.
    ///
    /// - Parameter launch: starts the work; returns the outcome if it is available at once.
    @usableFromInline
    nonisolated func outcome(for id: InterestID, launching launch: () -> Outcome?) async -> Outcome {
        await withTaskCancellationHandler {
            // An awaiter that was cancelled while the work ran on its stack has left.
            if let outcome = launch() { return Task.isCancelled ? .cancelled : outcome }
            return await suspend(id, child: nil, hasLaunched: true)
        } onCancel: {
            leave(id)
        }
    }

    /// A task that awaits passes on what it is raised to (contract rule ESCALATE); the sources of a child are raised
    /// with the child.
    ///
    /// - Parameter hasLaunched: whether this task has launched the work, with its own priority.
    private nonisolated func suspend(_ id: InterestID, child: FutureRun?, hasLaunched: Bool = false) async -> Outcome {
        guard child == nil, #available(macOS 26, iOS 26, tvOS 26, watchOS 26, visionOS 26, *) else {
            if child == nil { escalateToCurrentTask() }
            return await withCheckedContinuation { wait(id, as: Awaiter($0, child: child)) }
        }
        return await withTaskPriorityEscalationHandler {
            hasLaunched ? escalateToRaisedTask() : escalateToCurrentTask()
            return await withCheckedContinuation { wait(id, as: Awaiter($0, child: nil)) }
        } onPriorityEscalated: { _, priority in
            Self.escalate([self], to: priority)
        }
    }

    // Not inlined, to keep the frames of functions that suspend small: they are on the heap.
    @inline(never)
    private nonisolated func wait(_ id: InterestID, as awaiter: Awaiter) {
        let outcome = enter((id, awaiter)) { run, word in run.machine.wait(word.0, as: .awaiter(word.1)) }
        if let outcome { return awaiter.resume(returning: outcome) }
        // A child was compared with its parent when it took its token. Checked only now: if another thread is about to
        // make this future wait for the task, one of the two sees the other (contract rule NEVER-HANG).
        if awaiter.child == nil, let task = awaiter.task, dependsOn(task) { endWaitForItself(id, of: awaiter) }
    }

    @inline(never)
    private nonisolated func endWaitForItself(_ id: InterestID, of awaiter: Awaiter) {
        // Unless it has been resumed meanwhile.
        guard var aftermath = leaving(id) else { return }
        aftermath.departed = nil
        Self.perform(aftermath)
        awaiter.resume(returning: .failure(FutureError.waitsForItself))
    }
}
