// refused-in: swift5, swift6, swift6-main-actor

// A closure for the main actor can't be called at once from the background.

import PiuPiu

nonisolated func load(_ titles: ResponseFuture<String>, show: @escaping @MainActor (String) -> Void) {
    titles
        .then { title in
            // expected-error: call to main actor-isolated parameter 'show' in a synchronous nonisolated context
            show(title)
            return title
        }
        .send()
}
