/// What a cache asks a server for; passed with the request down to the ``FillingEngine``.
final class CacheHop: Sendable {
    let question: CacheQuestion
    /// The stored response that would be the answer if it were fresh.
    let chosen: StoredResponse?
    /// The stored responses that the server may validate.
    let all: [StoredResponse]
    /// Why the request is forwarded to the server.
    let reason: CacheStatus.Forward

    init(
        question: CacheQuestion, chosen: StoredResponse? = nil, all: [StoredResponse] = [],
        reason: CacheStatus.Forward
    ) {
        self.question = question
        self.chosen = chosen
        self.all = all
        self.reason = reason
    }
}
