import Foundation
import PiuPiu

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

func post(_ id: Int) -> ResponseFuture<Post> { ResponseFuture(result: Post(id: id, title: "")) }

@MainActor
final class BlogScreen {
    func show(_ posts: [Post]) {}
    func show(_ error: any Error) {}

    func load(_ ids: [Int]) async throws {
        // snippet
    }
}

struct Post: Codable, Sendable {
    let id: Int
    let title: String
}
