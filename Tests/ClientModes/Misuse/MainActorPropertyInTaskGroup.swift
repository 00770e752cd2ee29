// refused-in: swift5, swift5-complete, swift6, swift6-main-actor

// The tasks of a group run in the background, and awaiting a future there does not change that.

import PiuPiu

@MainActor
final class Screen {
    var sum = 0

    func load(_ numbers: [ResponseFuture<Int>]) async throws {
        try await withThrowingTaskGroup(of: Void.self) { group in
            for number in numbers {
                group.addTask { @Sendable in
                    // expected-error: main actor-isolated property 'sum' can not be mutated from a Sendable closure
                    self.sum += try await number.value
                }
            }
            try await group.waitForAll()
        }
    }
}
