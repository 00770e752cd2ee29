// refused-in: swift5, swift5-complete, swift6, swift6-main-actor

// A closure for the main actor can't be called from a function that belongs to no actor, though success takes it.

import PiuPiu

nonisolated struct Titles: Sendable {
    let callback: @MainActor @Sendable (String) -> Void

    func load(_ titles: ResponseFuture<String>) {
        titles.success { title in callback(title) }.send()
        // expected-error: call to main actor-isolated function in a synchronous nonisolated context
        callback("loading")
    }
}
