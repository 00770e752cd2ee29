// allowed-in: swift5, swift5-complete, swift6, swift6-main-actor

// The positive control: what the other files get wrong, done right. If this is refused, the command line is wrong.

import Foundation
import PiuPiu

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

nonisolated struct Post: Codable {
    let id: Int
}

nonisolated struct Blog: Sendable {
    let dispatcher: any DataDispatcher

    func post(_ request: URLRequest) -> ResponseFuture<Response<Post>> {
        dispatcher.dataFuture(from: request).decoded(Post.self)
    }
}

@MainActor
final class Screen {
    var title = ""

    func load(_ posts: ResponseFuture<Response<Post>>) {
        posts
            .then { $0.data.id }
            .then(on: .main) { id in
                self.title = "\(id)"
                return id
            }
            .success { id in self.title = "\(id)" }
            .error { error in self.title = error.localizedDescription }
            .send()
    }
}

actor Library {
    var count = 0

    func load(_ posts: ResponseFuture<Response<Post>>) {
        posts.onSuccess { _ in self.count += 1 }.send()
    }
}
