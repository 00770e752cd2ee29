/// What is to happen when the time of a ``Deadline`` is over, until it is taken back.
struct DeadlineAlarm: Sendable {
    private enum Way: Sendable {
        case shared(DeadlineAlarms.List.ID)
        /// A clock that was handed over, by which nobody else is known to sleep.
        case task(Task<Void, Never>)
    }

    private let way: Way

    /// - Parameters:
    ///   - instant: when it rings, by the continuous clock.
    ///   - ring: is called once, in the background, unless the alarm is taken back before.
    init(at instant: ContinuousTime, _ ring: @escaping DeadlineAlarms.Ring) {
        way = .shared(DeadlineAlarms.shared.add(at: instant, ring))
    }

    /// - Parameters:
    ///   - sleep: suspends until it is to ring; throws what the clock throws.
    ///   - ring: is called once, in the background, unless the alarm is taken back before.
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

    /// Takes it back, from any thread; without effect if it has rung.
    func cancel() {
        switch way {
        case .shared(let id): DeadlineAlarms.shared.remove(id)
        case .task(let task): task.cancel()
        }
    }
}
