/// An alarm that rings at a ``Deadline``, unless it is cancelled.
struct DeadlineAlarm: Sendable {
    private enum Way: Sendable {
        case shared(DeadlineAlarms.List.ID)
        /// For a clock passed by the caller, whose sleeps can't be shared.
        case task(Task<Void, Never>)
    }

    private let way: Way

    /// - Parameters:
    ///   - instant: when it rings, by the continuous clock.
    ///   - ring: is called once, in the background, unless the alarm is cancelled before.
    init(at instant: ContinuousTime, _ ring: @escaping DeadlineAlarms.Ring) {
        way = .shared(DeadlineAlarms.shared.add(at: instant, ring))
    }

    /// - Parameters:
    ///   - sleep: suspends until the alarm is due; throws the clock's error.
    ///   - ring: is called once, in the background, unless the alarm is cancelled before.
    init(
        after sleep: @escaping @Sendable () async throws -> Void, _ ring: @escaping DeadlineAlarms.Ring
    ) {
        way = .task(
            Task { @concurrent in
                do {
                    try await sleep()
                    if !Task.isCancelled { ring(nil) }
                } catch {
                    if !Task.isCancelled { ring(error) }
                }
            })
    }

    /// Cancels the alarm, from any thread; a no-op if it has rung.
    func cancel() {
        switch way {
        case .shared(let id): DeadlineAlarms.shared.remove(id)
        case .task(let task): task.cancel()
        }
    }
}
