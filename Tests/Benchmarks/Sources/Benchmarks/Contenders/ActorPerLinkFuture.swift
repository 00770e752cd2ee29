/// The obvious design, to compare with: every link of a chain is an actor with a task of its own.
actor ActorPerLinkFuture<Success: Sendable> {
    private enum Phase {
        case idle(@Sendable () async throws -> Success)
        case running([CheckedContinuation<Success, any Error>])
        case settled(Result<Success, any Error>)
    }

    private var phase: Phase

    init(operation: @escaping @Sendable () async throws -> Success) {
        phase = .idle(operation)
    }

    var value: Success {
        get async throws {
            if case .settled(let result) = phase { return try result.get() }
            if case .idle(let operation) = phase { begin(operation) }
            return try await withCheckedThrowingContinuation { continuation in
                // Still running: nothing was awaited since the check.
                if case .running(let awaiters) = phase { phase = .running(awaiters + [continuation]) }
            }
        }
    }

    nonisolated func then<Output>(
        _ transform: @escaping @Sendable (Success) throws -> Output
    ) -> ActorPerLinkFuture<Output> {
        ActorPerLinkFuture<Output> { try transform(try await self.value) }
    }

    private func begin(_ operation: @escaping @Sendable () async throws -> Success) {
        phase = .running([])
        Task { @concurrent in
            let result: Result<Success, any Error>
            do { result = .success(try await operation()) } catch { result = .failure(error) }
            await settle(result)
        }
    }

    private func settle(_ result: Result<Success, any Error>) {
        guard case .running(let awaiters) = phase else { return }
        phase = .settled(result)
        for awaiter in awaiters { awaiter.resume(with: result) }
    }
}
