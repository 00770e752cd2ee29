/// The alarms of all deadlines by the continuous clock: one task sleeps for all of them.
///
/// A task for each request, which is cancelled when the answer comes, costs more than all else that a deadline does.
final class DeadlineAlarms: Sendable {
    /// Gets the error of a clock that can't sleep.
    typealias Ring = @Sendable (_ clockFailure: (any Error)?) -> Void
    typealias List = AlarmList<ContinuousTime, Ring>

    static let shared = DeadlineAlarms()

    private struct Sleeper: Sendable {
        let number: Int
        let task: Task<Void, Never>
        var until: ContinuousTime
    }

    private struct State: Sendable {
        var alarms = List()
        var sleeper: Sleeper?
        /// How many tasks have slept; of several only the last counts.
        var count = 0
    }

    private let state = Locked(State())

    /// Adds an alarm, which rings once, in the background.
    func add(at instant: ContinuousTime, _ ring: @escaping Ring) -> List.ID {
        let (id, lateSleeper) = state.withLock { state -> (List.ID, Sleeper?) in
            let id = state.alarms.add(ring, at: instant)
            if let sleeper = state.sleeper, sleeper.until <= instant { return (id, nil) }
            defer {
                state.count += 1
                let task = sleep(until: instant, number: state.count)
                state.sleeper = Sleeper(number: state.count, task: task, until: instant)
            }
            return (id, state.sleeper)
        }
        lateSleeper?.task.cancel()
        return id
    }

    /// Takes an alarm back. The task sleeps on: most instants are followed by others.
    func remove(_ id: List.ID) {
        state.release { $0.alarms.remove(id) }
    }

    private func sleep(until instant: ContinuousTime, number: Int) -> Task<Void, Never> {
        Task.detached(priority: .userInitiated) { [self] in
            var next: ContinuousTime? = instant
            while let instant = next {
                // It fails when another task has taken its place.
                do { try await ContinuousClock().sleep(until: instant.instant, tolerance: nil) } catch { return }
                let due: [Ring]
                (due, next) = wake(number)
                for ring in due { ring(nil) }
            }
        }
    }

    /// Takes out what is due.
    ///
    /// - Returns: that, and until when the task is to sleep again; `nil` if another one sleeps, or nothing is left.
    private func wake(_ number: Int) -> (due: [Ring], next: ContinuousTime?) {
        state.withLock { state in
            let due = state.alarms.removeAll(until: .now)
            guard state.sleeper?.number == number else { return (due, nil) }
            guard let next = state.alarms.first else {
                state.sleeper = nil
                return (due, nil)
            }
            state.sleeper?.until = next
            return (due, next)
        }
    }
}
