package import Testing

/// Lets the tests that start a process run one after the other.
///
/// Swift Testing reads from such a process on a thread of the pool until the process ends. On a machine with two cores two of
/// them would take the whole pool, and all other tests would stand still.
package struct OneProcessAtATime: TestTrait, TestScoping {
    private actor Line {
        static let shared = Line()

        private var isTaken = false
        private var last = 0
        private var waiting: [(number: Int, continuation: CheckedContinuation<Void, any Error>)] = []

        /// Throws a `CancellationError`, without a place, when the task is cancelled: its time limit may be over.
        func enter() async throws {
            guard isTaken else { return isTaken = true }
            last += 1
            let number = last
            try await withTaskCancellationHandler {
                try await withCheckedThrowingContinuation { (continuation: CheckedContinuation<Void, any Error>) in
                    // A cancellation after this comes to the actor later, and finds the continuation.
                    if Task.isCancelled {
                        continuation.resume(throwing: CancellationError())
                    } else {
                        waiting.append((number, continuation))
                    }
                }
            } onCancel: {
                Task { await self.giveUp(number) }
            }
        }

        private func giveUp(_ number: Int) {
            guard let index = waiting.firstIndex(where: { $0.number == number }) else { return }
            waiting.remove(at: index).continuation.resume(throwing: CancellationError())
        }

        func leave() {
            if waiting.isEmpty { isTaken = false } else { waiting.removeFirst().continuation.resume() }
        }
    }

    package func provideScope(
        for test: Test, testCase: Test.Case?, performing function: @concurrent @Sendable () async throws -> Void
    ) async throws {
        try await Line.shared.enter()
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

extension TimeLimitTrait.Duration {
    /// For each suite with such tests: the wait for the others counts, too.
    package static var oneProcessAtATime: Self { .minutes(40) }
}
