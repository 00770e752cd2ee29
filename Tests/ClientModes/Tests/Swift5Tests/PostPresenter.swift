import PiuPiu

/// A class that says nothing about threads: it trusts that callbacks come on the main queue.
class PostPresenter {
    var lines: [String] = []
    let client: BlogClient

    init(client: BlogClient) {
        self.client = client
    }

    func present(_ ids: [Int], done: @escaping () -> Void) {
        client.posts(ids)
            .map { posts in posts.map { $0.title } }
            .success { titles in self.lines = titles }
            .error { error in self.lines = [error.localizedDescription] }
            .completion { done() }
            .send()
    }
}
