import PiuPiuTesting

/// Suspends work until the test opens it; `reached` tells the test that work has arrived.
package final class Gate: Sendable {
    private struct State: Sendable {
        var isOpen = false
        var reachedCount = 0
    }

    private let state = Watched(State())

    package init() {}

    /// Lets everybody through, now and later.
    package func open() {
        state.withLock { $0.isOpen = true }
    }

    /// Suspends until the gate is open, whatever is cancelled.
    package func pass() async {
        state.withLock { $0.reachedCount += 1 }
        await state.waitDeaf { $0.isOpen }
    }

    /// Suspends until the gate is open, or until the task is cancelled: then it lets nobody else through.
    package func passUnlessCancelled() async throws {
        state.withLock { $0.reachedCount += 1 }
        await state.wait { $0.isOpen }
        try Task.checkCancellation()
    }

    /// Suspends until work has reached the gate `count` times.
    package func reached(_ count: Int = 1) async {
        await state.wait { $0.reachedCount >= count }
    }

    /// Suspends until somebody has opened the gate.
    package func opened() async {
        await state.wait { $0.isOpen }
    }
}
