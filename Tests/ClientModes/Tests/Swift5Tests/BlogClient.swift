import Foundation
import PiuPiu

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// A service as a class with state, which isn't made to be shared between threads.
class BlogClient {
    var dispatcher: DataDispatcher
    var baseURL: URL
    var requestedIDs: [Int] = []

    init(dispatcher: DataDispatcher, baseURL: URL) {
        self.dispatcher = dispatcher
        self.baseURL = baseURL
    }

    func post(_ id: Int) -> ResponseFuture<Post> {
        requestedIDs.append(id)
        return
            dispatcher
            .dataFuture { URLRequest(url: self.baseURL.appending(path: "posts/\(id)"), method: .get) }
            .makeHTTPResponse()
            .then(Post.self) { response in
                if let error = response.httpError { throw error }
                return try response.decode(Post.self)
            }
    }

    func user(_ id: Int) -> ResponseFuture<User> {
        return dispatcher.dataFuture(from: URLRequest(url: baseURL.appending(path: "users/\(id)"), method: .get))
            .decoded(User.self)
            .then(User.self) { $0.data }
    }

    func postWithAuthor(_ id: Int) -> ResponseFuture<(Post, User)> {
        return post(id).seriesJoin(User.self) { [weak self] post in
            guard let self = self else { return nil }
            return self.user(post.userId)
        }
    }

    func postBesideUser(_ id: Int, _ userID: Int) -> ResponseFuture<(Post, User)> {
        return post(id).parallelJoin(User.self) { self.user(userID) }
    }

    func posts(_ ids: [Int]) -> ResponseFuture<[Post]> {
        return ResponseFuture<[Post]>(childFutures: ids.map { post($0) })
    }

    /// New since then: the same, awaited side by side.
    func titles(_ ids: [Int]) async throws -> [Int: String] {
        return try await withThrowingTaskGroup(of: Post.self) { group in
            for id in ids {
                let future = post(id)
                group.addTask { try await future.value }
            }
            var titles: [Int: String] = [:]
            for try await post in group { titles[post.id] = post.title }
            return titles
        }
    }
}
