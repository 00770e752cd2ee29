// refused-in: swift5, swift5-complete, swift6, swift6-main-actor

// With a weak self the compiler takes the closure out of the actor.

import PiuPiu

actor Library {
    var titles: [String] = []

    func load(_ title: ResponseFuture<String>) {
        // expected-error: actor-isolated property 'titles' can not be mutated from a Sendable closure
        title.onSuccess { [weak self] title in self?.titles.append(title) }.send()
    }
}
