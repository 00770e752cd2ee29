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
