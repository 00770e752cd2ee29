import PiuPiu

/// A user's own actor, whose callbacks run on it.
actor PostLibrary {
    var titles: [Int: String] = [:]
    var failureCount = 0
    var cancellationCount = 0
    var waiter: CheckedContinuation<Void, Never>?

    func finished(_ future: ResponseFuture<Post>, cancel: Bool = false) async {
        await withCheckedContinuation { continuation in
            waiter = continuation
            future
                .onSuccess { post in self.titles[post.id] = post.title }
                .onFailure { _ in self.failureCount += 1 }
                .onCancellation { self.cancellationCount += 1 }
                .onCompletion { self.waiter?.resume() }
                .send()
            if cancel { future.cancel() }
        }
    }

    func add(_ future: ResponseFuture<Post>) async throws {
        let post = try await future.value
        titles[post.id] = post.title
    }
}
