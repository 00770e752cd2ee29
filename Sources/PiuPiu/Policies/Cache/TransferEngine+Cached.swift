extension TransferEngine {
    /// This engine, which answers from a cache what it may.
    ///
    /// ```swift
    /// let dispatcher = URLRequestDispatcher(engine: MyEngine().cached(in: HTTPCache()))
    /// ```
    ///
    /// The article <doc:Caching> has the rules. For a dispatcher, write ``URLRequestDispatcher/cached(in:partition:)``.
    ///
    /// - Parameters:
    ///   - cache: where responses are kept.
    ///   - partition: whose responses are given to whom.
    public func cached(in cache: HTTPCache, partition: CachePartition = .byCredential) -> any TransferEngine {
        CachingEngine(withLines, cache: cache, partition: partition)
    }
}

extension URLRequestDispatcher {
    /// This dispatcher, which answers from a cache what it may, by RFC 9111.
    ///
    /// ```swift
    /// let dispatcher = URLRequestDispatcher().cached(in: HTTPCache())
    /// let response = try await dispatcher.dataFuture(from: request).value
    /// print(response.cacheStatus?.isHit ?? false)
    /// ```
    ///
    /// The server says what may be kept, and for how long it is fresh: `Cache-Control`, `Expires`, or else a tenth of the time
    /// for which it had not changed. What is no longer fresh is validated: with its entity tag and its date, once for all who ask
    /// at the same time. All futures take part, downloads and streams too, which fill the cache while they are read. Requests for
    /// ranges, and those with a condition of their own, go through.
    ///
    /// A request can ask for something else, by `Cache-Control` (`no-cache`, `no-store`, `max-age`, `min-fresh`, `max-stale`,
    /// `stale-if-error`, `only-if-cached`) or by `URLRequest.cachePolicy`. Without an answer, `only-if-cached` and
    /// `.returnCacheDataDontLoad` bring a 504.
    ///
    /// The cache sees requests as they are sent, with the header fields of adapters, of the configuration and of cookies.
    /// What is kept of a request with an `Authorization` is for requests with the same one, unless another partition is chosen.
    /// ``ResponseInterface/cacheStatus`` tells where a response came from. Answers from the cache need no turn in a line, have no
    /// redirects that weren't kept, and set no cookies.
    ///
    /// The result shares the engine with this dispatcher, whose own requests don't ask the cache: to invalidate one is to
    /// invalidate both.
    ///
    /// - Parameters:
    ///   - cache: where responses are kept; several dispatchers may share one.
    ///   - partition: whose responses are given to whom.
    public func cached(in cache: HTTPCache, partition: CachePartition = .byCredential) -> URLRequestDispatcher {
        over { $0.cached(in: cache, partition: partition) }
    }
}

extension ResponseInterface {
    /// What a cache of this package did for the response (RFC 9211); `nil` without one.
    ///
    /// ```swift
    /// if response.cacheStatus?.isHit == true { showAge(response) }
    /// ```
    ///
    /// What caches on the way say is in the header field `Cache-Status`: see ``CacheStatus/parse(_:)``.
    public var cacheStatus: CacheStatus? { head.cacheStatus }
}
