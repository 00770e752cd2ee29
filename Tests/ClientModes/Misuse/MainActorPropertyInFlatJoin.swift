// refused-in: swift5, swift5-complete, swift6, swift6-main-actor

// flatJoin makes its future in the background; seriesJoin is its twin on the main actor.

import PiuPiu

@MainActor
final class Screen {
    var factor = 2

    func load(_ numbers: ResponseFuture<Int>) {
        numbers
            .seriesJoin { number in ResponseFuture(result: number * self.factor) }
            // expected-error: main actor-isolated property 'factor' can not be referenced from a Sendable closure
            .flatJoin { number in ResponseFuture(result: number.0 * self.factor) }
            .send()
    }
}
