extension TransferEngine {
    /// This engine with a cache, which answers where it may.
    ///
    /// ```swift
    /// let dispatcher = URLRequestDispatcher(engine: MyEngine().cached(in: HTTPCache()))
    /// ```
    ///
    /// The article <doc:Caching> has the rules. For a dispatcher, write ``URLRequestDispatcher/cached(in:partition:)``.
    ///
    /// - Parameters:
    ///   - cache: where responses are stored.
    ///   - partition: separates the responses of different users.
    public func cached(in cache: HTTPCache, partition: CachePartition = .byCredential) -> any TransferEngine {
        CachingEngine(withLines, cache: cache, partition: partition)
    }
}

extension URLRequestDispatcher {
    /// This dispatcher with a cache by RFC 9111, which answers where it may.
    ///
    /// ```swift
    /// let dispatcher = URLRequestDispatcher().cached(in: HTTPCache())
    /// let response = try await dispatcher.dataFuture(from: request).value
    /// print(response.cacheStatus?.isHit ?? false)
    /// ```
    ///
    /// The server says what may be stored, and how long it is fresh: by `Cache-Control` or `Expires`; otherwise it is a
    /// tenth of the time since its last modification. A stale response is validated with its entity tag and its date,
    /// once for all equal data requests at the same time. All futures take part, also downloads and streams, which fill
    /// the cache while they are read. Requests for ranges and conditional requests are forwarded.
    ///
    /// A request can override this, by `Cache-Control` (`no-cache`, `no-store`, `max-age`, `min-fresh`, `max-stale`,
    /// `stale-if-error`, `only-if-cached`) or by `URLRequest.cachePolicy`. Without a stored answer, `only-if-cached`
    /// and `.returnCacheDataDontLoad` give a 504.
    ///
    /// The cache sees requests as they are sent, with the header fields of adapters, of the configuration and of
    /// cookies. A response to a request with an `Authorization` answers only requests with the same one, unless another
    /// partition is chosen. ``ResponseInterface/cacheStatus`` says where a response came from. Answers from the cache
    /// wait in no queue, follow no redirects that weren't stored, and set no cookies.
    ///
    /// The result shares the engine with this dispatcher, so invalidating one invalidates both. Requests of this
    /// dispatcher itself bypass the cache.
    ///
    /// - Parameters:
    ///   - cache: where responses are stored; several dispatchers may share one.
    ///   - partition: separates the responses of different users.
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
    /// The statuses of caches on the way are in the header field `Cache-Status`: see ``CacheStatus/parse(_:)``.
    public var cacheStatus: CacheStatus? { head.cacheStatus }
}
