// refused-in: swift5-complete, swift6, swift6-main-actor
// allowed-in: swift5

// An object that a task captures is no longer free: the compiler tracks one that isn't Sendable.

import PiuPiu

nonisolated final class Statistics {
    var count = 0
}

nonisolated func load(_ numbers: ResponseFuture<Int>) {
    let statistics = Statistics()
    // expected-error: risks causing data races
    Task {
        statistics.count = try await numbers.value
    }
    statistics.count += 1
}
