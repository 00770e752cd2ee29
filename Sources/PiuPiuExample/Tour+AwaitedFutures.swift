import PiuPiu

extension Tour {
    /// The same futures, awaited: one run serves both styles.
    func awaitedFutures() async throws {
        let future = post(1)
        transcript.expect(future.status == .created, "a future is cold until somebody wants its value")
        let post = try await future.value
        transcript.note("await: \"\(post.title.prefix(24))…\"")
        let author = try await user(post.userId).fetchResult()
        transcript.note("await: by \(author.name)")

        let again = try await future.value
        transcript.expect(again == post, "awaited again: the remembered value, without a second request")
        await withCheckedContinuation { continuation in
            future
                .success { late in transcript.expect(late == post, "a late callback gets it too") }
                .completion { continuation.resume() }
                .send()
        }
    }
}
