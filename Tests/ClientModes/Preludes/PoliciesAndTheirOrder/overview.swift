import Foundation
import PiuPiu

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

nonisolated struct Post: Codable, Sendable {
    let title: String
}

func load(_ request: URLRequest, _ session: Authenticator<BearerToken>) async throws {
    // snippet
    print(posts.map(\.title))
}
