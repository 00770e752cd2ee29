// refused-in: swift5, swift5-complete, swift6, swift6-main-actor

// A transform runs in the background: it can't touch a screen; then(on: .main) and success can.

import PiuPiu

@MainActor
final class Screen {
    var title = ""

    func load(_ titles: ResponseFuture<String>) {
        titles
            .then { title in
                // expected-error: main actor-isolated property 'title' can not be mutated from a Sendable closure
                self.title = title
                return title
            }
            .success { title in self.title = title }
            .send()
    }
}
