// refused-in: swift5, swift5-complete, swift6, swift6-main-actor

// A chain that nobody sends does nothing, and the compiler says so.

import PiuPiu

nonisolated func load(_ titles: ResponseFuture<String>) {
    // expected-error: result of call to 'success' is unused
    titles.success { title in print(title) }
}
