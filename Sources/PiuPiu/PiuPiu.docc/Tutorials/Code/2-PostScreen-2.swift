import Foundation
import PiuPiu

@MainActor
final class PostScreen {
    private(set) var title = ""
    private(set) var isLoading = false
    private let blog: Blog

    init(blog: Blog) {
        self.blog = blog
    }

    func load() {
        isLoading = true
        blog.post(1)
            .seriesJoin(User.self) { post in self.blog.user(post.userId) }
            .success { post, user in self.title = "\(post.title), by \(user.name)" }
            .error { error in self.title = error.localizedDescription }
            .completion { self.isLoading = false }
            .send()
    }
}
