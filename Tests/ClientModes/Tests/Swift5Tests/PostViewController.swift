import Foundation
import PiuPiu

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// Like UIKit's: a class of the main actor, made for subclasses.
@MainActor
class ViewController {
    var title: String?
}

/// A screen as an app has them.
class PostViewController: ViewController {
    var message: String?
    var progress: [Float] = []
    var tasks: Set<URLSessionTask> = []
    var isLoading = false
    var onFinished: (() -> Void)?

    let client: BlogClient
    var loading: ResponseFuture<(Post, User)>?
    weak var loadingAll: ResponseFuture<[Post]>?

    init(client: BlogClient) {
        self.client = client
    }

    func load(_ id: Int) {
        isLoading = true
        loading = client.postWithAuthor(id)
            .updated { [weak self] task in
                self?.progress.append(task.percentTransferred ?? 0)
            }
            .success { [weak self] post, user in
                self?.show(post, user)
            }
            .error { [weak self] error in
                self?.show(error)
            }
            .cancellation {
                self.message = "cancelled"
            }
            .completion { [weak self] in
                self?.finish()
            }
        loading?.send()
    }

    /// The bar of the example app of PiuPiu 1.11, and a future that nobody retains.
    @available(*, deprecated)
    func loadAll(_ ids: [Int]) {
        let future = client.posts(ids)
            .updated { [weak self] task in
                guard let self = self else { return }
                self.tasks.insert(task)
                let share = Float(self.tasks.completed.count) / Float(ids.count)
                if self.progress.last != share { self.progress.append(share) }
            }
            .success { [weak self] posts in
                self?.title = "\(posts.count) posts, \(self?.loadingAll == nil ? "gone" : "still here")"
            }
            .completion { [weak self] in
                self?.finish()
            }
        loadingAll = future
        future.send()
    }

    func replace(_ id: Int) {
        client.post(id)
            .replace(User.self) { post in
                self.title = post.title
                return self.client.user(post.userId)
            }
            .then(on: .main) { user -> String in
                self.title = (self.title ?? "") + ", by " + user.name
                return user.name
            }
            .result { result in
                if case .failure(let error) = result { self.show(error) }
            }
            .completion { self.finish() }
            .send()
    }

    func finished(_ start: @MainActor () -> Void) async {
        await withCheckedContinuation { continuation in
            onFinished = { continuation.resume() }
            start()
        }
    }

    func show(_ post: Post, _ user: User) {
        title = "\(post.title), by \(user.name)"
    }

    func show(_ error: Error) {
        message = error.localizedDescription
    }

    func finish() {
        isLoading = false
        loading = nil
        onFinished?()
    }
}
