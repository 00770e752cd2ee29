/// What happened, in order, written from anywhere; a test waits for the events themselves, never for time.
final class EventLog: Sendable {
    private let written = Watched<[String]>([])

    var events: [String] { written.withLock { $0 } }

    func callAsFunction(_ event: String) {
        written.withLock { $0.append(event) }
    }

    /// Suspends until there are at least `count` events.
    func wait(for count: Int) async {
        await written.wait { $0.count >= count }
    }

    /// Suspends until the last of `events` has come, and gives what was written.
    func all(_ count: Int) async -> [String] {
        await wait(for: count)
        return events
    }
}
