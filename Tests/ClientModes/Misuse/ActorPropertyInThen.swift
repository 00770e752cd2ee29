// refused-in: swift5, swift5-complete, swift6, swift6-main-actor

// A transform belongs to no actor; onSuccess runs on the one in which it is formed.

import PiuPiu

actor Library {
    var titles: [String] = []

    func load(_ title: ResponseFuture<String>) {
        title
            .then { title in
                // expected-error: actor-isolated property 'titles' can not be mutated from a Sendable closure
                self.titles.append(title)
                return title
            }
            .onSuccess { title in self.titles.append(title) }
            .send()
    }
}
