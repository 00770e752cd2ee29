import PiuPiuTesting

/// What happened, in order, written from anywhere; a test waits for the events themselves, never for time.
package final class EventLog: Sendable {
    private let written = Watched<[String]>([])

    package init() {}

    package var events: [String] { written.withLock { $0 } }

    package func callAsFunction(_ event: String) {
        written.withLock { $0.append(event) }
    }

    /// Suspends until there are at least `count` events.
    package func wait(for count: Int) async {
        await written.wait { $0.count >= count }
    }

    /// Suspends until there are at least `count` events, and returns all of them.
    package func all(_ count: Int) async -> [String] {
        await wait(for: count)
        return events
    }
}
