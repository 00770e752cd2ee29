import Foundation
import PiuPiu

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

@MainActor
final class BlogScreen {
    func posts() -> ResponseFuture<[Post]> { ResponseFuture(result: []) }
    func users() -> ResponseFuture<[User]> { ResponseFuture(result: []) }
    func show(_ posts: [Post], _ users: [User]) {}
    func show(_ error: any Error) {}

    func load() async throws {
        // snippet
    }
}

struct Post: Codable, Sendable {
    let id: Int
    let title: String
}

struct User: Codable, Sendable {
    let id: Int
}
