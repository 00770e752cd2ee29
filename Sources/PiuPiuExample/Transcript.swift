import Synchronization

/// Prints each event, in order, with its actor, and keeps the failed expectations.
final class Transcript: Sendable {
    private struct State: Sendable {
        var lineCount = 0
        var failures: [String] = []
    }

    private let state = Mutex(State())

    var failures: [String] { state.withLock { $0.failures } }

    /// Begins a part of the tour.
    func title(_ text: String) {
        state.withLock { _ in print("\n\(text)") }
    }

    /// Prints an event with the caller's actor.
    func note(_ text: String, isolation: (any Actor)? = #isolation) {
        let place = Self.name(of: isolation)
        state.withLock { state in
            state.lineCount += 1
            let number = String(state.lineCount)
            let padding = String(repeating: " ", count: max(0, 3 - number.count))
            let placePadding = String(repeating: " ", count: max(1, 14 - place.count))
            print("\(padding)\(number)  [\(place)]\(placePadding)\(text)")
        }
    }

    /// Prints an expectation, and keeps it if it failed.
    func expect(_ isTrue: Bool, _ text: String, isolation: (any Actor)? = #isolation) {
        if isTrue { return note("✓ \(text)", isolation: isolation) }
        state.withLock { $0.failures.append(text) }
        note("✗ EXPECTED: \(text)", isolation: isolation)
    }

    private static func name(of isolation: (any Actor)?) -> String {
        switch isolation {
        case nil: "background"
        case is MainActor: "main actor"
        case let actor?: "actor \(type(of: actor))"
        }
    }
}
