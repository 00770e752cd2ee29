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
