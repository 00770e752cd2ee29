/// What a cache has asked a server for: it goes along with the request, down to the ``FillingEngine``.
package struct CacheHop: Sendable {
    package let question: CacheQuestion
    /// What would be the answer, if it were still good.
    package var chosen: StoredResponse?
    /// What the server may say is still good.
    package var all: [StoredResponse] = []
    /// Why the server is asked.
    package var reason: CacheStatus.Forward
}
