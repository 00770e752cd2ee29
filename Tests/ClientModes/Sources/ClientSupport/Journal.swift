import Synchronization

/// What happened, in order, written from anywhere; a test waits for the lines themselves, never for time.
public final class Journal: Sendable {
    private struct State {
        var lines: [String] = []
        var lastID = 0
        var waiters: [Int: (count: Int, continuation: CheckedContinuation<Void, Never>)] = [:]
    }

    private let state = Mutex(State())

    /// An empty journal.
    public init() {}

    /// What was written so far.
    public var lines: [String] { state.withLock { $0.lines } }

    /// Writes a line.
    public func write(_ line: String) {
        let ready = state.withLock { state in
            state.lines.append(line)
            let ready = state.waiters.filter { $0.value.count <= state.lines.count }
            for id in ready.keys { state.waiters[id] = nil }
            return ready.values
        }
        for waiter in ready { waiter.continuation.resume() }
    }

    /// Suspends until there are this many lines, or until the task is cancelled, as by a time limit. Returns all.
    public func lines(_ count: Int) async -> [String] {
        let id = state.withLock { state in
            state.lastID += 1
            return state.lastID
        }
        await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                let mustWait = state.withLock { state in
                    // A cancellation either came before this line, or finds the waiter in its place.
                    guard state.lines.count < count, !Task.isCancelled else { return false }
                    state.waiters[id] = (count, continuation)
                    return true
                }
                if !mustWait { continuation.resume() }
            }
        } onCancel: {
            state.withLock { $0.waiters.removeValue(forKey: id) }?.continuation.resume()
        }
        return lines
    }
}
