// refused-in: swift6
// allowed-in: swift5, swift6-main-actor

// A class on no actor belongs to the code that calls it: a callback, which runs on the main actor, can't use it.

import PiuPiu

final class PostPresenter {
    var lines: [String] = []

    func present(_ posts: ResponseFuture<[String]>) {
        // expected-error: sending 'self' risks causing data races
        posts.success { self.lines = $0 }.send()
    }
}
