/// What a cache has asked a server for: it goes along with the request, down to the ``FillingEngine``.
package final class CacheHop: Sendable {
    package let question: CacheQuestion
    /// What would be the answer, if it were still good.
    package let chosen: StoredResponse?
    /// What the server may say is still good.
    package let all: [StoredResponse]
    /// Why the server is asked.
    package let reason: CacheStatus.Forward

    package init(
        question: CacheQuestion, chosen: StoredResponse? = nil, all: [StoredResponse] = [],
        reason: CacheStatus.Forward
    ) {
        self.question = question
        self.chosen = chosen
        self.all = all
        self.reason = reason
    }
}
