import Synchronization

/// What happened, in order, written from anywhere; a test waits for the lines themselves, never for time.
public final class Journal: Sendable {
    private struct State {
        var lines: [String] = []
        var waiters: [(count: Int, continuation: CheckedContinuation<[String], Never>)] = []
    }

    private let state = Mutex(State())

    /// An empty journal.
    public init() {}

    /// What was written so far.
    public var lines: [String] { state.withLock { $0.lines } }

    /// Writes a line.
    public func write(_ line: String) {
        let (ready, lines) = state.withLock { state in
            state.lines.append(line)
            let count = state.lines.count
            let ready = state.waiters.filter { $0.count <= count }
            state.waiters.removeAll { $0.count <= count }
            return (ready, state.lines)
        }
        for waiter in ready { waiter.continuation.resume(returning: lines) }
    }

    /// Suspends until there are at least so many lines, and gives all.
    public func lines(_ count: Int) async -> [String] {
        await withCheckedContinuation { continuation in
            let lines: [String]? = state.withLock { state in
                if state.lines.count >= count { return state.lines }
                state.waiters.append((count, continuation))
                return nil
            }
            if let lines { continuation.resume(returning: lines) }
        }
    }
}
