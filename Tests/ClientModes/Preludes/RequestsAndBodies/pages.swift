import Foundation
import PiuPiu

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

nonisolated struct Post: Codable, Sendable {
    let title: String
}

func loadPages(_ dispatcher: any DataDispatcher, _ request: URLRequest) async throws -> [Post] {
    var posts: [Post] = []
    // snippet
    return posts
}
