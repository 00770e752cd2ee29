// refused-in: swift5, swift5-complete, swift6, swift6-main-actor

// The closure that makes a request runs on whatever thread starts the future: it can't read a screen.

import Foundation
import PiuPiu

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

@MainActor
final class Screen {
    var url: URL?

    func load(_ dispatcher: URLRequestDispatcher) {
        dispatcher
            .dataFuture {
                // expected-error: main actor-isolated property 'url' can not be referenced from a Sendable closure
                self.url.map { URLRequest(url: $0) }
            }
            .send()
    }
}
