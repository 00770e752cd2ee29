import PiuPiu

/// A user's own actor, whose callbacks run on it.
actor PostLibrary {
    private(set) var titles: [Int: String] = [:]
    private(set) var failureCount = 0
    private(set) var cancellationCount = 0
    private var waiters: [CheckedContinuation<Void, Never>] = []

    private let blog: Blog

    init(blog: Blog) {
        self.blog = blog
    }

    @discardableResult
    func load(_ id: Int) -> ResponseFuture<Post> {
        let future = blog.checkedPost(id)
            .onSuccess { post in
                self.assertIsolated()
                self.titles[post.id] = post.title
            }
            .onFailure { _ in self.failureCount += 1 }
            .onCancellation { self.cancellationCount += 1 }
            .onCompletion { self.wakeAll() }
        future.send()
        return future
    }

    /// Suspends until the next completion after `start`.
    func finished(_ id: Int, cancel: Bool = false) async {
        await withCheckedContinuation { continuation in
            waiters.append(continuation)
            let future = load(id)
            if cancel { future.cancel() }
        }
    }

    /// The same with `await`.
    func add(_ id: Int) async throws {
        let post = try await blog.post(id).value
        titles[post.id] = post.title
    }

    private func wakeAll() {
        for waiter in waiters { waiter.resume() }
        waiters = []
    }
}
