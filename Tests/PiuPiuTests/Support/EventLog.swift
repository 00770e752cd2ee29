import PiuPiu

/// What happened, in order, written from anywhere; a test waits for the events themselves, never for time.
final class EventLog: Sendable {
    private struct State: Sendable {
        var events: [String] = []
        var waiters: [(count: Int, continuation: CheckedContinuation<Void, Never>)] = []
    }

    private let state = Locked(State())

    var events: [String] { state.withLock { $0.events } }

    func callAsFunction(_ event: String) {
        let ready = state.withLock { state in
            state.events.append(event)
            let count = state.events.count
            let ready = state.waiters.filter { $0.count <= count }
            state.waiters.removeAll { $0.count <= count }
            return ready
        }
        for waiter in ready { waiter.continuation.resume() }
    }

    /// Suspends until there are at least `count` events.
    func wait(for count: Int) async {
        await withCheckedContinuation { continuation in
            let isReady = state.withLock { state in
                if state.events.count >= count { return true }
                state.waiters.append((count, continuation))
                return false
            }
            if isReady { continuation.resume() }
        }
    }

    /// Suspends until the last of `events` has come, and gives what was written.
    func all(_ count: Int) async -> [String] {
        await wait(for: count)
        return events
    }
}
