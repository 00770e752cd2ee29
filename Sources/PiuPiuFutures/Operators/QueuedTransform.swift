internal import Dispatch

/// A transform that waits for its turn on a dispatch queue.
struct QueuedTransform<Input: Sendable, Output: Sendable>: Sendable {
    private let transform: Locked<(@Sendable (Input) throws -> Output)?>
    private let value: Input

    init(_ value: Input, _ transform: @escaping @Sendable (Input) throws -> Output) {
        self.value = value
        self.transform = Locked(transform)
    }

    /// Runs the transform on the queue, unless the task that waits for it is cancelled before its turn comes.
    func run(on queue: DispatchQueue) async throws -> Output {
        try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { continuation in
                queue.async { continuation.resume(with: Result { try take() }) }
            }
        } onCancel: {
            transform.release { $0.take() }
        }
    }

    /// Releases the transform before its outcome is reported (contract rule RELEASE).
    private func take() throws -> Output {
        guard let transform = transform.withLock({ $0.take() }) else { throw CancellationError() }
        return try transform(value)
    }
}
