import PiuPiu

extension Tour {
    /// Futures are `Sendable`: a task group runs them side by side.
    func taskGroup() async throws {
        let users = try await withThrowingTaskGroup(of: User.self) { group in
            for id in 1...3 {
                group.addTask {
                    let user = try await user(id).value
                    transcript.note("user \(id) is \(user.name)")
                    return user
                }
            }
            return try await group.reduce(into: []) { $0.append($1) }
        }
        transcript.expect(Set(users.map(\.id)) == [1, 2, 3], "all three arrived, in whatever order")

        let directory = Directory(transcript: transcript)
        await directory.load(user(1))
        await directory.loaded()
    }
}

/// A user's own actor: a modern callback formed in it runs on it.
private actor Directory {
    private let transcript: Transcript
    private var names: [String] = []
    private var isLoaded = false
    private var waiter: CheckedContinuation<Void, Never>?

    init(transcript: Transcript) {
        self.transcript = transcript
    }

    func load(_ user: ResponseFuture<User>) {
        user
            .onSuccess { user in
                self.names.append(user.name)
                self.transcript.note("onSuccess: \(user.name), in the isolation of an actor")
            }
            .onCompletion {
                self.transcript.expect(self.names.count == 1, "onCompletion: the directory has one name")
                self.isLoaded = true
                self.waiter?.resume()
            }
            .send()
    }

    func loaded() async {
        if !isLoaded { await withCheckedContinuation { waiter = $0 } }
    }
}
