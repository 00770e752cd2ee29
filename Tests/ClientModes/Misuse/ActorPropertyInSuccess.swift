// refused-in: swift5, swift5-complete, swift6, swift6-main-actor

// success runs on the main actor, wherever it is written; onSuccess runs on this one.

import PiuPiu

actor Library {
    var titles: [String] = []

    func load(_ title: ResponseFuture<String>) {
        // expected-error: actor-isolated property 'titles' can not be mutated from the main actor
        title.success { title in self.titles.append(title) }.send()
    }
}
