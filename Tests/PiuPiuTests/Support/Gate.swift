import PiuPiu

/// Work that stops until the test lets it go on; `reached` tells the test that it has come there.
final class Gate: Sendable {
    private struct State: Sendable {
        var isOpen = false
        var reachedCount = 0
        var passing: [CheckedContinuation<Void, Never>] = []
        var watching: [(count: Int, continuation: CheckedContinuation<Void, Never>)] = []
    }

    private let state = Locked(State())

    /// Lets everybody through, now and later.
    func open() {
        let passing = state.withLock { state in
            state.isOpen = true
            defer { state.passing = [] }
            return state.passing
        }
        for continuation in passing { continuation.resume() }
    }

    /// Stops here, deaf to cancellation, until the gate is open.
    func pass() async {
        let watching = state.withLock { state in
            state.reachedCount += 1
            let count = state.reachedCount
            let ready = state.watching.filter { $0.count <= count }
            state.watching.removeAll { $0.count <= count }
            return ready
        }
        for watcher in watching { watcher.continuation.resume() }
        await withCheckedContinuation { continuation in
            let isOpen = state.withLock { state in
                if !state.isOpen { state.passing.append(continuation) }
                return state.isOpen
            }
            if isOpen { continuation.resume() }
        }
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
        await withCheckedContinuation { continuation in
            let isReached = state.withLock { state in
                if state.reachedCount >= count { return true }
                state.watching.append((count, continuation))
                return false
            }
            if isReached { continuation.resume() }
        }
    }
}
