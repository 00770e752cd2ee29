/// An actor that is its own serial executor, with a lock for an executor: synchronous code enters it on its own thread,
/// and the compiler still checks its access to isolated state.
///
/// Half of the callers of a future are synchronous (`send()`, `cancel()`, `succeed(with:)`, `status`, a delegate).
/// Messages to the actor in tasks of their own could overtake each other, and an awaiter on the main actor would pay
/// two thread switches to read an available value.
///
/// Isolated code calls nothing that could wait or call back: it resumes no continuation, runs no user closure, cancels
/// no task and enters no other such actor. No isolated function is `async`. What is to be done is returned, and done
/// outside.
@usableFromInline
package protocol LockedActor: Actor, SerialExecutor {}

extension LockedActor {
    /// Runs the job of a task that awaits the actor. Never on the calling thread, which may hold this lock or another.
    @usableFromInline
    package nonisolated func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        Task { @concurrent in run(job) }
    }

    /// Called by the runtime where it can't see the isolation of a function because that runs in no job. The only ways
    /// in are those below, which hold the lock.
    @usableFromInline
    package nonisolated func checkIsolated() {}

    private nonisolated func run(_ job: UnownedJob) {
        LockStripes.withLock(of: self) { job.runSynchronously(on: asUnownedSerialExecutor()) }
    }
}

extension FutureRun {
    @usableFromInline
    package nonisolated var unownedExecutor: UnownedSerialExecutor { asUnownedSerialExecutor() }

    // Sound: code isolated to the actor always holds its lock, a job in `run(_:)` and synchronous code here; there is
    // no other way in. `isolated` doesn't change how a function is called. The cast is that of `assumeIsolated`,
    // without its check that the executor is the current one.

    /// Runs `step` isolated to the actor, on this thread, once the lock is free.
    ///
    /// - Parameters:
    ///   - argument: passed to the step, so that it captures nothing and costs no allocation.
    ///   - step: the change; it returns what is left to do outside.
    @inline(__always)
    nonisolated func enter<Argument, Output>(
        _ argument: Argument, _ step: @escaping (isolated FutureRun, Argument) -> Output
    ) -> Output {
        LockStripes.withLock(of: self) {
            unsafeBitCast(step, to: ((FutureRun, Argument) -> Output).self)(self, argument)
        }
    }
}
