// with: README/sixty-seconds-1

import Foundation
import PiuPiu

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

@MainActor
final class PostScreen {
    var title = ""

    func load(from url: URL) {
        // snippet
    }
}
