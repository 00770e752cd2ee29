import PiuPiu

/// A clock that stands still until a test advances it.
///
/// ```swift
/// @Test(.timeLimit(.minutes(1))) func slowPost() async throws {
///     let clock = ManualClock()
///     let server = MockRouteTable(clock: clock, script: MockScript([.json(post).after(.seconds(30))]))
///     async let loaded = server.dataFuture(from: request).decoded(Post.self).value
///     await clock.sleepers()                               // until the answer waits for its latency
///     clock.advance(by: .seconds(30))
///     #expect(try await loaded.data.id == 1)
/// }
/// ```
///
/// Give such a test a time limit: if the request fails before it sleeps, ``sleepers(_:)`` waits for a sleeper that never
/// comes, and nothing shows the error, which the `async let` keeps.
///
/// Pass it to anything that takes a `Clock<Duration>`: mocks, `timeout`, `delay`, `retry`, and the policies. A test
/// that waits by it takes no real time. It sees the same order in every run if it advances the clock step by step, and
/// after each step waits for what the step has caused.
///
/// ``advance(by:)`` resumes the sleeping tasks, which then continue on their own executors. The cancellation of a task
/// ends its sleep with a `CancellationError`. All of it is safe to call from any thread.
public final class ManualClock: Clock {
    /// A time by a ``ManualClock``.
    public struct Instant: InstantProtocol {
        /// The time since the clock was made.
        public var offset: Duration

        /// A time, counted from the creation of the clock.
        ///
        /// - Parameter offset: the time since then.
        public init(offset: Duration = .zero) {
            self.offset = offset
        }

        /// The instant that is later by a duration, or earlier by a negative one.
        public func advanced(by duration: Duration) -> Instant { Instant(offset: offset + duration) }

        /// How much later another instant is; negative if it is earlier.
        public func duration(to other: Instant) -> Duration { other.offset - offset }

        /// Whether an instant is earlier than another one.
        public static func < (left: Instant, right: Instant) -> Bool { left.offset < right.offset }
    }

    private struct Sleeper: Sendable {
        let id: Int
        let deadline: Instant
        let continuation: CheckedContinuation<Void, any Error>
    }

    private struct State: Sendable {
        var now = Instant()
        var lastID = 0
        /// The sleepers that were cancelled before they slept.
        var cancelled: Set<Int> = []
        var sleepers: [Sleeper] = []

        var deadlines: [Duration] { sleepers.map(\.deadline.offset).sorted() }
    }

    private let state = Watched(State())

    /// Makes a clock whose time is zero.
    public init() {}

    /// How far the clock was advanced.
    public var now: Instant { state.withLock { $0.now } }

    /// Zero: the clock is exact.
    public var minimumResolution: Duration { .zero }

    /// When the tasks that sleep now wake, counted from the creation of the clock, the earliest first.
    public var deadlines: [Duration] { state.withLock { $0.deadlines } }

    /// Sleeps until the clock is advanced to a time; returns at once if that time has come.
    ///
    /// - Parameters:
    ///   - deadline: when to wake.
    ///   - tolerance: ignored, as the clock is exact.
    /// - Throws: a `CancellationError` as soon as the task is cancelled.
    public func sleep(until deadline: Instant, tolerance: Duration?) async throws {
        let id = state.withLock { state in
            state.lastID += 1
            return state.lastID
        }
        // A task may also be cancelled after it was woken.
        defer { state.withLock { _ = $0.cancelled.remove(id) } }
        try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { (continuation: CheckedContinuation<Void, any Error>) in
                add(Sleeper(id: id, deadline: deadline, continuation: continuation))
            }
        } onCancel: {
            cancel(id)
        }
    }

    /// Advances the clock, and wakes the tasks whose time has come.
    ///
    /// They are resumed once the clock shows the new time, the earliest deadline first. This doesn't wait for them: they
    /// continue on their own executors, in any order. To let the first do something before the second, advance the clock
    /// in two steps, and wait in between for what the first does: for its value, or with ``sleepers(until:)`` for its
    /// next sleep.
    ///
    /// - Parameter duration: how far; zero or less does nothing.
    public func advance(by duration: Duration) {
        let woken = state.withLock { state in
            state.now = state.now.advanced(by: max(duration, .zero))
            let now = state.now
            defer { state.sleepers.removeAll { $0.deadline <= now } }
            return state.sleepers.filter { $0.deadline <= now }.sorted { ($0.deadline, $0.id) < ($1.deadline, $1.id) }
        }
        for sleeper in woken { sleeper.continuation.resume() }
    }

    /// Waits until at least `count` tasks sleep by this clock, or until the task is cancelled.
    ///
    /// ```swift
    /// await clock.sleepers(2)                              // both requests wait
    /// clock.advance(by: .seconds(1))
    /// ```
    ///
    /// Waits for ever if a task that should sleep fails first: give the test a time limit.
    public func sleepers(_ count: Int = 1) async {
        await state.wait { $0.sleepers.count >= count }
    }

    /// Waits until the deadlines of the sleeping tasks are exactly these, or until the task is cancelled.
    ///
    /// A sleeper that is being cancelled may sleep for a moment longer: this waits for its end, too. Waits for ever if
    /// the deadlines never become these.
    ///
    /// - Parameter deadlines: the times, counted from the creation of the clock, the earliest first.
    public func sleepers(until deadlines: [Duration]) async {
        await state.wait { $0.deadlines == deadlines }
    }

    /// Waits until nobody sleeps by this clock, or until the task is cancelled.
    public func noSleepers() async {
        await state.wait { $0.sleepers.isEmpty }
    }

    private func add(_ sleeper: Sleeper) {
        let result = state.withLock { state -> Result<Void, any Error>? in
            if state.cancelled.contains(sleeper.id) { return .failure(CancellationError()) }
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
