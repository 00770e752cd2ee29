/// A task that awaits a node, and can be cancelled separately.
struct RandomProgramAwaiter: Sendable {
    private let task: Task<Void, Never>

    init(_ awaiting: @escaping @Sendable () async -> Void) {
        task = Task { await awaiting() }
    }

    /// An awaiter that has reached its await when this returns.
    init(atOnce awaiting: @escaping @Sendable () async -> Void) {
        if #available(macOS 26, iOS 26, tvOS 26, watchOS 26, visionOS 26, *) {
            task = Task.immediate { await awaiting() }
        } else {
            task = Task { await awaiting() }
        }
    }

    func cancel() { task.cancel() }

    func cancelled() async {
        task.cancel()
        await task.value
    }

    /// Suspends until it has ended, and passes on the cancellation by a time limit.
    func ended() async {
        await withTaskCancellationHandler {
            await task.value
        } onCancel: {
            task.cancel()
        }
    }
}
