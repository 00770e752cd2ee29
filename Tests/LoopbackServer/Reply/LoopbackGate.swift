/// Holds replies back until a test opens it. A client that leaves, or the server's stop, ends the waiting as well.
public final class LoopbackGate: Sendable {
    struct State: AwaitableState {
        var isOpen = false
        var arrivals = 0
        var waiting: [Int: WakePipe] = [:]

        func outcome(of arrivals: Int) -> Result<Void, LoopbackServerError>? {
            self.arrivals >= arrivals ? .success(()) : nil
        }
    }

    private let state = Awaitable(State())

    /// A closed gate.
    public init() {}

    /// Lets everything through, now and from now on.
    public func open() {
        state.withLock { state in
            state.isOpen = true
            // Under the lock: a waiting thread removes its pipe under it, and only then closes the pipe.
            for pipe in state.waiting.values { pipe.wake() }
        }
    }

    /// Whether the gate has been opened.
    public var isOpen: Bool { state.withLock(\.isOpen) }

    /// The number of replies that have come to the gate so far.
    public var arrivals: Int { state.withLock(\.arrivals) }

    /// Waits until `count` replies have come to the gate. A cancelled wait throws a `CancellationError`.
    public func waitForArrivals(_ count: Int = 1) async throws {
        try await state.wait(until: count)
    }

    /// Counts an arrival and hands out what to poll, unless the gate is open.
    func enter(with pipe: WakePipe) -> Int? {
        state.withLock { state in
            state.arrivals += 1
            guard !state.isOpen else { return nil }
            state.waiting[state.arrivals] = pipe
            return state.arrivals
        }
    }

    /// Removes the ticket of `enter`.
    func leave(_ ticket: Int) {
        state.withLock { $0.waiting[ticket] = nil }
    }
}
