/// An actor that is its own serial executor, and whose executor is a lock: synchronous code enters it on its own thread,
/// and finds there what is isolated to the actor, as the compiler checks it.
///
/// Half of those who come to a future are synchronous (`send()`, `cancel()`, `succeed(with:)`, `status`, a delegate): a
/// message to the actor, in a task of its own, would overtake another, and an awaiter on the main actor would pay two
/// switches of threads to read what is already there.
///
/// Inside nothing is called that could wait or call back (no continuation is resumed, no closure of a user run, no task
/// cancelled), no other such actor is entered, and no isolated function is `async`: what is to be done is returned, and
/// done outside.
@usableFromInline
package protocol LockedActor: Actor, SerialExecutor {}

extension LockedActor {
    /// For somebody who awaits the actor. Never on the thread that asks for it, which may hold this lock or another.
    @usableFromInline
    package nonisolated func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        Task { @concurrent in run(job) }
    }

    /// Asked by the runtime where it does not know that a function is isolated to the actor, as it runs in no job: there
    /// are no other ways in than those below, which hold the lock.
    @usableFromInline
    package nonisolated func checkIsolated() {}

    private nonisolated func run(_ job: UnownedJob) {
        LockStripes.lock(for: self).withLock { _ in job.runSynchronously(on: asUnownedSerialExecutor()) }
    }
}

extension FutureRun {
    @usableFromInline
    package nonisolated var unownedExecutor: UnownedSerialExecutor { asUnownedSerialExecutor() }

    // Sound: whatever is isolated to the actor runs with its lock held, a job in `run(_:)` and synchronous code here,
    // and no task enters in another way. `isolated` says on which actor a function counts, and changes nothing in how it
    // is called; the cast is what `assumeIsolated` does, but for its question whether the executor is the current one.

    /// Runs `step` isolated to the actor, on this thread, when nobody else is inside.
    ///
    /// - Parameters:
    ///   - argument: what the step needs. It captures nothing, so that it costs no allocation.
    ///   - step: the change; it gives what is left to do outside.
    @inline(__always)
    nonisolated func enter<Argument, Output>(
        _ argument: Argument, _ step: @escaping (isolated FutureRun, Argument) -> Output
    ) -> Output {
        LockStripes.lock(for: self).withLock { _ in
            unsafeBitCast(step, to: ((FutureRun, Argument) -> Output).self)(self, argument)
        }
    }
}
