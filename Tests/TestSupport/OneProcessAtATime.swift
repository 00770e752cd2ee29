package import Testing

/// Lets the tests that start a process run one after the other.
///
/// Swift Testing reads from such a process on a thread of the pool until the process ends. On a machine with two cores two of
/// them would take the whole pool, and all other tests would stand still.
package struct OneProcessAtATime: TestTrait, TestScoping {
    private actor Line {
        static let shared = Line()

        private var isTaken = false
        private var waiting: [CheckedContinuation<Void, Never>] = []

        func enter() async {
            guard isTaken else { return isTaken = true }
            await withCheckedContinuation { waiting.append($0) }
        }

        func leave() {
            if waiting.isEmpty { isTaken = false } else { waiting.removeFirst().resume() }
        }
    }

    package func provideScope(
        for test: Test, testCase: Test.Case?, performing function: @concurrent @Sendable () async throws -> Void
    ) async throws {
        await Line.shared.enter()
        do {
            try await function()
        } catch {
            await Line.shared.leave()
            throw error
        }
        await Line.shared.leave()
    }
}

extension Trait where Self == OneProcessAtATime {
    /// For each test that starts a process, with an expectation of its exit.
    package static var oneProcessAtATime: Self { OneProcessAtATime() }
}
