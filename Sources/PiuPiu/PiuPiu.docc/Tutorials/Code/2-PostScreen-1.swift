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
            .success { post in self.title = post.title }
            .error { error in self.title = error.localizedDescription }
            .completion { self.isLoading = false }
            .send()
    }
}
