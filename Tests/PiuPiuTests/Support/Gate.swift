/// Work that stops until the test lets it go on; `reached` tells the test that it has come there.
final class Gate: Sendable {
    private struct State: Sendable {
        var isOpen = false
        var reachedCount = 0
    }

    private let state = Watched(State())

    /// Lets everybody through, now and later.
    func open() {
        state.withLock { $0.isOpen = true }
    }

    /// Stops here, deaf to cancellation, until the gate is open.
    func pass() async {
        state.withLock { $0.reachedCount += 1 }
        await state.waitDeaf { $0.isOpen }
    }

    /// Stops here until the gate is open; a cancellation opens it.
    func passUnlessCancelled() async throws {
        await withTaskCancellationHandler {
            await pass()
        } onCancel: {
            open()
        }
        try Task.checkCancellation()
    }

    /// Suspends until work has come to the gate `count` times.
    func reached(_ count: Int = 1) async {
        await state.wait { $0.reachedCount >= count }
    }

    /// Suspends until somebody has opened the gate.
    func opened() async {
        await state.wait { $0.isOpen }
    }
}
