import Foundation
import PiuPiu

@MainActor
final class PostScreen {
    private(set) var title = ""
    private(set) var isLoading = false
    private let blog: Blog
    private let scope = FutureScope()

    init(blog: Blog) {
        self.blog = blog
    }

    func load() {
        isLoading = true
        blog.post(1)
            .seriesJoin(User.self) { [blog] post in blog.user(post.userId) }
            .bound(to: scope)
            .success { [weak self] post, user in self?.title = "\(post.title), by \(user.name)" }
            .error { [weak self] error in self?.title = error.localizedDescription }
            .completion { [weak self] in self?.isLoading = false }
            .send()
    }

    func close() {
        scope.cancelAll()
    }
}
