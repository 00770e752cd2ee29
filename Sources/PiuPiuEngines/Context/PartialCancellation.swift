/// Cancels a part of the work of a task, where the task could only be cancelled as a whole.
///
/// There is one part at a time.
package struct PartialCancellation: Sendable {
    /// A value of its own: a bare closure takes an allocation on its way out of the lock.
    private struct Handler: Sendable {
        let cancel: @Sendable () -> Void
    }

    private struct State: Sendable {
        var isCancelled = false
        var handler: Handler?

        mutating func begin(_ handler: Handler) -> Bool {
            guard !isCancelled else { return false }
            self.handler = handler
            return true
        }

        mutating func cancel() -> Handler? {
            isCancelled = true
            return handler.take()
        }
    }

    private let state = Locked(State())

    package init() {}

    /// Whether it was cancelled.
    package var isCancelled: Bool { state.withLock { $0.isCancelled } }

    /// A part of the work begins, with the handler that cancels it; `false` if it was cancelled before.
    package func begin(_ onCancel: @escaping @Sendable () -> Void) -> Bool {
        let handler = Handler(cancel: onCancel)
        return state.withLock { $0.begin(handler) }
    }

    /// The part is over.
    package func end() { state.release { $0.handler.take() } }

    /// Cancels the current part, and all later ones.
    package func cancel() { state.withLock { $0.cancel() }?.cancel() }
}
