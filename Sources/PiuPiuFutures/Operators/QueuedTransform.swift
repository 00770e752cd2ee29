internal import Dispatch

/// A transform that waits for its turn on a dispatch queue.
struct QueuedTransform<Input: Sendable, Output: Sendable>: Sendable {
    private typealias Waiter = CheckedContinuation<Output, any Error>

    /// All that waits. Its turn takes it out, or a cancellation.
    private struct Content: Sendable {
        let value: Input
        let head: FutureRun
        let transform: @Sendable (Input) throws -> Output
        /// The task, once it is suspended.
        var waiter: Waiter?
    }

    private let content: Locked<Content?>

    /// - Parameter head: the future that it is a part of.
    init(_ value: Input, for head: FutureRun, _ transform: @escaping @Sendable (Input) throws -> Output) {
        content = Locked(Content(value: value, head: head, transform: transform))
    }

    /// Runs the transform on the queue, unless the task that waits for it is cancelled before its turn comes: then it
    /// ends, and nothing waits any more but an empty block (contract rule RELEASE).
    func run(on queue: DispatchQueue) async throws -> Output {
        try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { (waiter: Waiter) in
                guard register(waiter) else { return waiter.resume(throwing: CancellationError()) }
                queue.async { if let (waiter, result) = take() { waiter.resume(with: result) } }
            }
        } onCancel: {
            let waiter = content.withLock({ $0.take() })?.waiter
            waiter?.resume(throwing: CancellationError())
        }
    }

    /// False if the task was cancelled before.
    private func register(_ waiter: Waiter) -> Bool {
        content.withLock { content in
            content?.waiter = waiter
            return content != nil
        }
    }

    /// Runs the transform, and releases it before its outcome is reported.
    private func take() -> (Waiter, Result<Output, any Error>)? {
        guard let content = content.withLock({ $0.take() }), let waiter = content.waiter else { return nil }
        let result = Result {
            // The future may say that it is cancelled before its task is.
            if content.head.has(.settled) { throw CancellationError() }
            return try content.transform(content.value)
        }
        return (waiter, result)
    }
}
