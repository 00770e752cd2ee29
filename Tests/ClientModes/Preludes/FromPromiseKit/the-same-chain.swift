// with: README/sixty-seconds-1

import Foundation
import PiuPiu

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

@MainActor
final class PostScreen {
    final class Spinner {
        func stop() {}
    }

    let spinner = Spinner()
    var title = ""

    func load(from request: URLRequest) {
        // snippet
    }
}
