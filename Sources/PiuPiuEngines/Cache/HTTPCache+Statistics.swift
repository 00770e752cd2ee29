extension HTTPCache {
    /// The contents of a cache, and the outcomes of its requests.
    ///
    /// ```swift
    /// print(cache.statistics.hits, cache.statistics.misses)
    /// ```
    public struct Statistics: Sendable, Hashable {
        /// Requests that were answered by a fresh stored response.
        public internal(set) var hits = 0
        /// Requests that were answered by a stale stored response.
        public internal(set) var staleHits = 0
        /// Requests that were answered by a stored response after the server had validated it.
        public internal(set) var validations = 0
        /// Requests that were answered by the server, although they were of the kind that a stored response can answer:
        /// GET and HEAD without a body, a range or a condition of their own.
        public internal(set) var misses = 0
        /// Responses that were stored.
        public internal(set) var stores = 0
        /// Responses that were evicted, from memory or from the disk, to make room.
        public internal(set) var evictions = 0
        /// Failures of the folder, including responses that came faster than the disk takes them. None of them has
        /// failed a request.
        public internal(set) var failures = 0

        /// How many responses are in memory; some may be on the disk as well.
        public internal(set) var memoryCount = 0
        /// How many bytes they take.
        public internal(set) var memorySize = 0
        /// How many responses are on the disk; 0 before the folder was scanned.
        public internal(set) var diskCount = 0
        /// How many bytes they take.
        public internal(set) var diskSize: Int64 = 0

        /// No requests and no responses.
        public init() {}
    }
}
