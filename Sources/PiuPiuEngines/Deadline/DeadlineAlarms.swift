import Dispatch

/// The alarms of all deadlines measured by the continuous clock: one task sleeps for all of them.
///
/// A task for each request, cancelled when the answer arrives, would cost more than everything else about a deadline.
package final class DeadlineAlarms: Sendable {
    /// Gets the error of a clock that can't sleep.
    package typealias Handler = @Sendable (_ clockFailure: (any Error)?) -> Void
    typealias List = AlarmList<ContinuousTime, Alarm>

    /// A value of its own: a bare closure takes an allocation on its way into the list, and one on its way out.
    struct Alarm: Sendable {
        let handler: Handler
    }

    static let shared = DeadlineAlarms()

    private struct Sleeper: Sendable {
        let number: Int
        let task: Task<Void, Never>
        var until: ContinuousTime
    }

    private struct State: Sendable {
        var alarms = List()
        var sleeper: Sleeper?
        /// How many sleeping tasks have been started; only the last one counts.
        var count = 0
    }

    private let state = Locked(State())

    /// Adds an alarm, whose handler is called once, in the background.
    func add(at instant: ContinuousTime, _ handler: @escaping Handler) -> List.ID {
        let alarm = Alarm(handler: handler)
        let (id, lateSleeper) = state.withLock { state -> (List.ID, Sleeper?) in
            let id = state.alarms.add(alarm, at: instant)
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

    /// Cancels an alarm. The task keeps sleeping, because other alarms usually follow.
    func remove(_ id: List.ID) {
        state.release { $0.alarms.remove(id) }
    }

    private func sleep(until instant: ContinuousTime, number: Int) -> Task<Void, Never> {
        Task.detached(priority: .userInitiated) { [self] in
            var next: ContinuousTime? = instant
            while let instant = next {
                // It fails when another task has replaced this one.
                do { try await ContinuousClock().sleep(until: instant.instant, tolerance: nil) } catch { return }
                let due: [Alarm]
                (due, next) = wake(number)
                // Not here, nor in a task: one that cancels work may wait for what the user does about that, and must
                // keep neither the others nor a thread of the pool waiting.
                for alarm in due { DispatchQueue.global(qos: .userInitiated).async { alarm.handler(nil) } }
            }
        }
    }

    /// Takes out the due alarms.
    ///
    /// - Returns: the due alarms, and the instant of the next sleep; `nil` if another task sleeps, or no alarm is left.
    private func wake(_ number: Int) -> (due: [Alarm], next: ContinuousTime?) {
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
