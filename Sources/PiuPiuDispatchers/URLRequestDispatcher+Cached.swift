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
    /// wait in no queue, follow no redirects that weren't stored, and set no cookies. Only a stream may wait for other
    /// streams, if its answer is in the folder only, and of very many downloads some wait for others to close their
    /// files: see ``downloadFuture(from:to:isResumable:)``.
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
