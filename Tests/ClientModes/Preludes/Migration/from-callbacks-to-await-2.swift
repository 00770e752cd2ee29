import Foundation
import PiuPiu

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

@MainActor
final class PostScreen {
    func post(_ id: Int) -> ResponseFuture<Response<Post>> {
        dispatcher.dataFuture(from: request).decoded(Post.self)
    }

    func user(_ id: Int) -> ResponseFuture<Response<User>> {
        dispatcher.dataFuture(from: request).decoded(User.self)
    }

    let dispatcher: URLRequestDispatcher
    let request: URLRequest

    init(_ dispatcher: URLRequestDispatcher, _ request: URLRequest) {
        self.dispatcher = dispatcher
        self.request = request
    }

    func show(_ post: Post, _ user: User) {}

    func load() async throws {
        // snippet
    }
}

nonisolated struct Post: Codable, Sendable {
    let userId: Int
}

nonisolated struct User: Codable, Sendable {
    let id: Int
}
