// refused-in: swift5, swift5-complete, swift6, swift6-main-actor

// Only then(on: .main) is typed for the main actor; another queue isn't it.

import Foundation
import PiuPiu

@MainActor
final class Screen {
    var title = ""

    func load(_ titles: ResponseFuture<String>) {
        titles
            .then(on: DispatchQueue.global()) { title in
                // expected-error: main actor-isolated property 'title' can not be mutated from a Sendable closure
                self.title = title
                return title
            }
            .send()
    }
}
