/// One call of an adapter with a callback, awaited; the first event settles it.
final class AdapterCall<Output: Sendable>: Sendable {
    private let adapter: String
    private let state: Locked<CheckedContinuation<Output, any Error>?>

    private init(adapter: String, _ continuation: CheckedContinuation<Output, any Error>) {
        self.adapter = adapter
        state = Locked(continuation)
    }

    deinit {
        settle(.failure(AdapterError.callbackDropped(adapter: adapter)))
    }

    private func settle(_ result: Result<Output, any Error>) {
        let continuation: CheckedContinuation<Output, any Error>? = state.withLock { state in
            defer { state = nil }
            return state
        }
        continuation?.resume(with: result)
    }

    /// The value that `body` passes to its callback.
    ///
    /// - Parameter adapter: the type that the error names if the callback is dropped.
    static func result(
        of adapter: Any.Type, _ body: (@escaping @Sendable (Output) throws -> Void) throws -> Void
    ) async throws -> Output {
        let canceller = Canceller()
        return try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { continuation in
                let call = AdapterCall(adapter: "\(adapter)", continuation)
                canceller.attach(call)
                do {
                    try body { call.settle(.success($0)) }
                } catch {
                    call.settle(.failure(error))
                }
            }
        } onCancel: {
            canceller.cancel()
        }
    }

    /// Cancels a call. It refers to the call weakly, as only the callback retains it.
    private final class Canceller: Sendable {
        private struct State {
            weak var call: AdapterCall?
            var isCancelled = false
        }

        private let state = Locked(State())

        func attach(_ call: AdapterCall) {
            let isCancelled = state.withLock { state in
                state.call = call
                return state.isCancelled
            }
            if isCancelled { call.settle(.failure(CancellationError())) }
        }

        func cancel() {
            let call = state.withLock { state in
                state.isCancelled = true
                return state.call
            }
            call?.settle(.failure(CancellationError()))
        }
    }
}
