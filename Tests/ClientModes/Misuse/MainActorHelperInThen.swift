// refused-in: swift6-main-actor
// allowed-in: swift5, swift5-complete, swift6

// Helpers that a transform calls say nonisolated where code is main-actor by default.

import PiuPiu

func shout(_ text: String) -> String {
    text.uppercased()
}

nonisolated func load(_ titles: ResponseFuture<String>) -> ResponseFuture<String> {
    // expected-error: call to main actor-isolated global function 'shout' in a synchronous nonisolated context
    titles.then { title in shout(title) }
}
