import Foundation
import PiuPiu

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

nonisolated struct Post: Codable, Sendable {
    let title: String
}

nonisolated func post(_ id: Int) -> ResponseFuture<Response<Post>> {
    URLRequestDispatcher().dataFuture { nil }.decoded(Post.self)
}

func load(_ ids: [Int]) async throws -> ([Post], [Int: any Error]) {
    var posts: [Post] = []
    var failures: [Int: any Error] = [:]
    // snippet
    return (posts, failures)
}
