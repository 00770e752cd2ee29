import Foundation
import PiuPiu

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// A service that belongs to no actor: a class whose constants make it `Sendable`.
final class Blog: Sendable {
    let dispatcher: DataDispatcher
    let baseURL: URL

    init(dispatcher: DataDispatcher, baseURL: URL) {
        self.dispatcher = dispatcher
        self.baseURL = baseURL
    }

    func post(_ id: Int) -> ResponseFuture<Post> {
        dispatcher.dataFuture(from: request("posts/\(id)")).decoded(Post.self).then { $0.data }
    }

    func user(_ id: Int) -> ResponseFuture<User> {
        dispatcher
            .dataFuture { URLRequest(url: self.baseURL.appending(path: "users/\(id)"), method: .get) }
            .decoded(User.self)
            .then { $0.data }
    }

    func postWithAuthor(_ id: Int) -> ResponseFuture<(Post, User)> {
        post(id).seriesJoin(User.self) { post in self.user(post.userId) }
    }

    /// The same without a visit to the main actor.
    func postWithAuthorInBackground(_ id: Int) async throws -> (Post, User) {
        try await post(id).flatJoin { post in self.user(post.userId) }.value
    }

    /// Fails unless the answer is a success.
    func checkedPost(_ id: Int) -> ResponseFuture<Post> {
        dispatcher.dataFuture(from: request("posts/\(id)"))
            .makeHTTPResponse()
            .then { response in
                if let error = response.httpError { throw error }
                return try response.decode(Post.self)
            }
    }

    func titles(_ ids: [Int]) async throws -> [Int: String] {
        try await withThrowingTaskGroup(of: (Int, String).self) { group in
            for id in ids {
                group.addTask { (id, try await self.post(id).value.title) }
            }
            return try await group.reduce(into: [:]) { titles, post in titles[post.0] = post.1 }
        }
    }

    func names(_ ids: [Int]) async throws -> Set<String> {
        try await withThrowingTaskGroup(of: String.self) { group in
            group.addFutures(ids.map { id in self.user(id).then { $0.name } })
            return try await group.reduce(into: []) { $0.insert($1) }
        }
    }

    func overview() async throws -> (Post, User, [Post]) {
        let posts = ResponseFuture<[Post]>(childFutures: (1...5).map(post), limit: 2)
        return try await post(1).join(user(2), posts).value
    }

    func longTitleCount(_ ids: [Int]) async throws -> Int {
        var count = 0
        for try await post in ids.lazy.map(post).valuesInOrder(limit: 2) where post.title.count > 10 { count += 1 }
        return count
    }

    func request(_ path: String) -> URLRequest {
        URLRequest(url: baseURL.appending(path: path), method: .get)
    }
}
