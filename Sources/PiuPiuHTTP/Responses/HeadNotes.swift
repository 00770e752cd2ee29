/// Further facts about a response, beside its head: mostly none until the end of an exchange.
struct HeadNotes: Sendable {
    /// Whether no body is expected, whatever length is announced.
    var isWithoutLength = false
    /// Whether nothing but the end of the connection ends the body.
    var endsWithConnection = false
    var redirects: [TransferRedirect] = []
    var metrics: TransferMetrics?
    var earlierAttempts: [ExchangeAttempt] = []
    var cacheStatus: CacheStatus?
    /// What a cache has stored: it alone knows the type.
    var validated: (any AnyObject & Sendable)?
    var setsCookies = true
    var unsavedBody: BodyExcerpt?

    /// No facts.
    static let none = Boxed(HeadNotes())
}
