import Foundation
import PiuPiu

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

nonisolated struct Post: Codable, Sendable {
    let title: String
}

nonisolated func show(_ text: String) { print(text) }

func load(_ request: URLRequest) async throws -> [Post] {
    var posts: [Post] = []
    // snippet
    return posts
}
