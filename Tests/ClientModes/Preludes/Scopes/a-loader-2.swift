import Foundation
import PiuPiu

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

nonisolated struct Post: Codable, Sendable {
    let title: String
}

nonisolated struct Client: Sendable {
    func posts() -> ResponseFuture<[Post]> { ResponseFuture { [] } }
    func results(for text: String) -> ResponseFuture<[Post]> { ResponseFuture { [] } }
}

nonisolated let client = Client()

@MainActor final class Screen {
    let loader = FutureLoader { client.posts() }

    // snippet
}
