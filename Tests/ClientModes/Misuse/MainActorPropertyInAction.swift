// refused-in: swift5, swift5-complete, swift6, swift6-main-actor

// An action runs on whatever thread starts the future: it can't read a screen.

import PiuPiu

@MainActor
final class Screen {
    var query = ""

    func search() -> ResponseFuture<String> {
        ResponseFuture { future in
            // expected-error: main actor-isolated property 'query' can not be referenced from a Sendable closure
            future.succeed(with: self.query)
        }
    }
}
