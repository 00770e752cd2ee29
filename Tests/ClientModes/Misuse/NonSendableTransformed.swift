// refused-in: swift5-complete, swift6, swift6-main-actor
// allowed-in: swift5

// What a transform makes is Sendable too.

import PiuPiu

nonisolated final class Draft {
    var text = ""
}

nonisolated func load(_ texts: ResponseFuture<String>) {
    texts
        // expected-error: type 'Draft' does not conform to the 'Sendable' protocol
        .then { text in
            let draft = Draft()
            draft.text = text
            return draft
        }
        // expected-error: type 'Draft' does not conform to the 'Sendable' protocol
        .send()
}
