import Foundation
import PiuPiu

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

nonisolated struct Post: Codable, Sendable {
    let title: String
}

@MainActor final class Screen {
    let posts = FutureLoader<[Post]> { ResponseFuture { [] } }

    // snippet
}
