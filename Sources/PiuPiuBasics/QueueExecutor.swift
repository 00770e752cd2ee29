package import Dispatch

/// Runs the jobs of an actor on a queue of its own: they may wait for the disk, and must not block the task pool.
///
/// All work on the queue is in the actor's isolation, so that synchronous code can enqueue work for it in order.
package final class QueueExecutor: SerialExecutor {
    package let queue: DispatchQueue

    package init(label: String) {
        queue = DispatchQueue(label: label)
    }

    package func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        queue.async { job.runSynchronously(on: self.asUnownedSerialExecutor()) }
    }

    package func checkIsolated() {
        dispatchPrecondition(condition: .onQueue(queue))
    }
}
