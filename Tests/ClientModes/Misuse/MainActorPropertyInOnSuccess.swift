// refused-in: swift5, swift5-complete, swift6, swift6-main-actor

// onSuccess runs where its closure is formed: here outside any actor, so a screen is out of reach.

import PiuPiu

@MainActor
final class Screen {
    var title = ""
}

nonisolated func load(_ titles: ResponseFuture<String>, for screen: Screen) {
    // expected-error: main actor-isolated property 'title' can not be mutated from a Sendable closure
    titles.onSuccess { title in screen.title = title }.send()
    titles.success { title in screen.title = title }.send()
}
