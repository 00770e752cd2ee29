// refused-in: swift5-complete, swift6, swift6-main-actor
// allowed-in: swift5

// A transform runs in the background: it can't capture an object that isn't Sendable.

import PiuPiu

nonisolated final class Statistics {
    var count = 0
}

nonisolated func load(_ numbers: ResponseFuture<Int>, _ statistics: Statistics) {
    numbers
        .then { number in
            // expected-error: capture of 'statistics' with non-Sendable type 'Statistics' in a '@Sendable' closure
            statistics.count += number
            return number
        }
        .send()
}
