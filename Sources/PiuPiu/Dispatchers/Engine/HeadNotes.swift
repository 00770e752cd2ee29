/// What is known of a head beside the response itself: mostly nothing until the end of an exchange.
struct HeadNotes: Sendable {
    /// Whether no body is to be expected, whatever is announced.
    var isWithoutLength = false
    var redirects: [TransferRedirect] = []
    var metrics: TransferMetrics?
    var earlierAttempts: [ExchangeAttempt] = []
    var cacheStatus: CacheStatus?
    var validated: StoredResponse?
    var setsCookies = true
    var unsavedBody: BodyExcerpt?

    /// Nothing.
    static let none = Boxed(HeadNotes())
}
