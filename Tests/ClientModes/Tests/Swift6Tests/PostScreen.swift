import PiuPiu

/// A screen as an app has them: on the main actor, with callbacks.
@MainActor
final class PostScreen {
    private(set) var title = ""
    private(set) var message: String?
    private(set) var progressCount = 0
    private(set) var isLoading = false
    var onFinished: (() -> Void)?

    private let blog: Blog
    private var loading: ResponseFuture<(Post, User)>?

    init(blog: Blog) {
        self.blog = blog
    }

    func load(_ id: Int) {
        isLoading = true
        let future = blog.postWithAuthor(id)
            .updated { [weak self] _ in self?.progressCount += 1 }
            .success { post, user in self.show(post, user) }
            .error { error in self.show(error) }
            .cancellation { self.message = "cancelled" }
            .completion { self.finish() }
        loading = future
        future.send()
    }

    func loadChecked(_ id: Int) {
        blog.checkedPost(id)
            .then(on: .main) { post in
                self.title = "about to show \(post.id)"
                return post
            }
            .result { result in
                switch result {
                case .success(let post): self.title += ": \(post.title)"
                case .failure(let error): self.show(error)
                }
            }
            .completion { self.finish() }
            .send()
    }

    func leave() {
        loading?.cancel()
    }

    /// The same with `await`.
    func reload(_ id: Int) async {
        do {
            let (post, user) = try await blog.postWithAuthor(id).value
            show(post, user)
        } catch {
            show(error)
        }
    }

    /// Suspends until the `completion` of what `start` begins.
    func finished(_ start: @MainActor () -> Void) async {
        await withCheckedContinuation { continuation in
            onFinished = { continuation.resume() }
            start()
        }
    }

    private func show(_ post: Post, _ user: User) {
        title = "\(post.title), by \(user.name)"
    }

    private func show(_ error: any Error) {
        message = error.localizedDescription
    }

    private func finish() {
        isLoading = false
        loading = nil
        onFinished?()
        onFinished = nil
    }
}
