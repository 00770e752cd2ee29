// refused-in: swift5-complete, swift6, swift6-main-actor
// allowed-in: swift5

// A future's value goes from one thread to another: it is Sendable.

import PiuPiu

nonisolated final class Draft {
    var text = ""
}

// expected-error: type 'Draft' does not conform to the 'Sendable' protocol
nonisolated func load(_ drafts: ResponseFuture<Draft>) {
    // expected-error: type 'Draft' does not conform to the 'Sendable' protocol
    drafts.send()
}
