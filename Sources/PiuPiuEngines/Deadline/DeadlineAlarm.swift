import Dispatch

/// An alarm that fires at a ``Deadline``, unless it is cancelled.
package struct DeadlineAlarm: Sendable {
    private enum Way: Sendable {
        case shared(DeadlineAlarms.List.ID)
        /// For a clock passed by the caller, whose sleeps can't be shared.
        case task(Task<Void, Never>)
    }

    private let way: Way

    /// - Parameters:
    ///   - instant: when it fires, by the continuous clock.
    ///   - handler: is called once, in the background, unless the alarm is cancelled before.
    package init(at instant: ContinuousTime, _ handler: @escaping DeadlineAlarms.Handler) {
        way = .shared(DeadlineAlarms.shared.add(at: instant, handler))
    }

    /// - Parameters:
    ///   - sleep: suspends until the alarm is due; throws the clock's error.
    ///   - handler: is called once, in the background, unless the alarm is cancelled before.
    package init(
        after sleep: @escaping @Sendable () async throws -> Void, _ handler: @escaping DeadlineAlarms.Handler
    ) {
        way = .task(
            Task { @concurrent in
                var failure: (any Error)?
                do { try await sleep() } catch { failure = error }
                guard !Task.isCancelled else { return }
                // Not here, for the reason that ``DeadlineAlarms`` has: it may keep its thread waiting.
                DispatchQueue.global(qos: .userInitiated).async { [failure] in handler(failure) }
            })
    }

    /// Cancels the alarm, from any thread; a no-op if it has fired.
    package func cancel() {
        switch way {
        case .shared(let id): DeadlineAlarms.shared.remove(id)
        case .task(let task): task.cancel()
        }
    }
}
