import TestSupport

/// A clock that stands still until the test moves it, and tells when somebody sleeps by it.
final class ManualClock: Clock {
    struct Instant: InstantProtocol {
        var offset: Duration = .zero

        func advanced(by duration: Duration) -> Instant { Instant(offset: offset + duration) }
        func duration(to other: Instant) -> Duration { other.offset - offset }
        static func < (left: Instant, right: Instant) -> Bool { left.offset < right.offset }
    }

    private struct Sleeper: Sendable {
        let id: Int
        let deadline: Instant
        let continuation: CheckedContinuation<Void, any Error>
    }

    private struct State: Sendable {
        var now = Instant()
        var lastID = 0
        var cancelled: Set<Int> = []
        var sleepers: [Sleeper] = []
    }

    private let state = Watched(State())

    var now: Instant { state.withLock { $0.now } }
    var sleepersNow: [Duration] { state.withLock { $0.sleepers.map(\.deadline.offset).sorted() } }
    var minimumResolution: Duration { .zero }

    func sleep(until deadline: Instant, tolerance: Duration?) async throws {
        let id = state.withLock { state in
            state.lastID += 1
            return state.lastID
        }
        try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { (continuation: CheckedContinuation<Void, any Error>) in
                add(Sleeper(id: id, deadline: deadline, continuation: continuation))
            }
        } onCancel: {
            cancel(id)
        }
    }

    /// Moves the clock and wakes those whose time has come.
    func advance(by duration: Duration) {
        let woken = state.withLock { state in
            state.now = state.now.advanced(by: duration)
            let now = state.now
            defer { state.sleepers.removeAll { $0.deadline <= now } }
            return state.sleepers.filter { $0.deadline <= now }
        }
        for sleeper in woken { sleeper.continuation.resume() }
    }

    /// Suspends until at least `count` sleep by this clock.
    func sleepers(_ count: Int = 1) async {
        await state.wait { $0.sleepers.count >= count }
    }

    /// Suspends until those who sleep by this clock are to be woken at these times since its start, in order, and nobody else
    /// sleeps: one whose sleep is being cancelled may do so for a moment.
    func sleepers(until deadlines: [Duration]) async {
        await state.wait { $0.sleepers.map(\.deadline.offset).sorted() == deadlines }
    }

    /// Suspends until nobody sleeps by this clock any more.
    func noSleepers() async {
        await state.wait { $0.sleepers.isEmpty }
    }

    private func add(_ sleeper: Sleeper) {
        let result = state.withLock { state -> Result<Void, any Error>? in
            if state.cancelled.remove(sleeper.id) != nil { return .failure(CancellationError()) }
            if sleeper.deadline <= state.now { return .success(()) }
            state.sleepers.append(sleeper)
            return nil
        }
        if let result { sleeper.continuation.resume(with: result) }
    }

    private func cancel(_ id: Int) {
        let sleeper = state.withLock { state -> Sleeper? in
            guard let index = state.sleepers.firstIndex(where: { $0.id == id }) else {
                state.cancelled.insert(id)
                return nil
            }
            return state.sleepers.remove(at: index)
        }
        sleeper?.continuation.resume(throwing: CancellationError())
    }
}
