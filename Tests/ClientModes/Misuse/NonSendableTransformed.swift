// refused-in: swift5-complete, swift6, swift6-main-actor
// allowed-in: swift5

// So is what a transform makes.

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
        .send()
}
