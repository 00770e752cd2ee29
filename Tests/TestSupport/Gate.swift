import PiuPiuTesting

/// Work that stops until the test lets it go on; `reached` tells the test that it has come there.
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

    /// Stops here, deaf to cancellation, until the gate is open.
    package func pass() async {
        state.withLock { $0.reachedCount += 1 }
        await state.waitDeaf { $0.isOpen }
    }

    /// Stops here until the gate is open; a cancellation opens it.
    package func passUnlessCancelled() async throws {
        await withTaskCancellationHandler {
            await pass()
        } onCancel: {
            open()
        }
        try Task.checkCancellation()
    }

    /// Suspends until work has come to the gate `count` times.
    package func reached(_ count: Int = 1) async {
        await state.wait { $0.reachedCount >= count }
    }

    /// Suspends until somebody has opened the gate.
    package func opened() async {
        await state.wait { $0.isOpen }
    }
}
