// refused-in: swift5, swift5-complete, swift6, swift6-main-actor

// A chain of modern callbacks that nobody sends does nothing, and the compiler says so.

import PiuPiu

nonisolated func load(_ titles: ResponseFuture<String>) {
    // expected-error: result of call to 'onFailure' is unused
    titles.onSuccess { title in print(title) }.onFailure { error in print(error) }
}
