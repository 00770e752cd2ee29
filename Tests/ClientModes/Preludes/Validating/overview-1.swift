import Foundation
import PiuPiu

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

nonisolated struct Post: Codable, Sendable {
    let title: String
}

func load(_ request: URLRequest) async throws {
    // snippet
    print(posts.map(\.title))
}
