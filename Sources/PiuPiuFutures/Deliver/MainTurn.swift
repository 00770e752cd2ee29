/// Lets a task of the main actor wait behind the jobs that wait there already (contract rule TURN).
///
/// Its executor is the main actor's, under another name: a task that comes here from the main actor is enqueued there
/// once more, and is back where it was as soon as it runs. `Task.yield()` enqueues a job on the pool for that, and so
/// costs an allocation and two thread switches.
actor MainTurn: SerialExecutor {
    static let shared = MainTurn()

    /// Something to do here, so that no optimiser can leave out the way to this actor and back.
    private var turns: UInt = 0

    private init() {}

    nonisolated var unownedExecutor: UnownedSerialExecutor { asUnownedSerialExecutor() }

    nonisolated func enqueue(_ job: consuming ExecutorJob) {
        MainActor.shared.enqueue(UnownedJob(job))
    }

    /// Jobs run on the main actor, by its name.
    nonisolated func checkIsolated() { MainActor.preconditionIsolated() }

    /// Returns after the jobs that the main actor had before.
    @inline(never)
    func end() { turns &+= 1 }
}
