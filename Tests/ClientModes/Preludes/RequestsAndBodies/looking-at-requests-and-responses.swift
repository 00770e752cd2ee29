// with: README/sixty-seconds-1

import Foundation
import PiuPiu

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

@MainActor
final class PostScreen {
    func show(_ error: any Error) {}

    func load(_ request: URLRequest) {
        // snippet
    }
}
