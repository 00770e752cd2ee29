extension HTTPCache {
    /// What a cache holds, and what became of the requests that have asked it.
    ///
    /// ```swift
    /// print(cache.statistics.hits, cache.statistics.misses)
    /// ```
    public struct Statistics: Sendable, Hashable {
        /// Requests that were answered by what was kept, while it was fresh.
        public internal(set) var hits = 0
        /// Requests that were answered by what was kept, although it was no longer fresh.
        public internal(set) var staleHits = 0
        /// Requests that were answered by what was kept, after the server had said that it is still good.
        public internal(set) var validations = 0
        /// Requests that went to the server, and got its answer.
        public internal(set) var misses = 0
        /// Responses that were kept.
        public internal(set) var stores = 0
        /// Responses that had to go, from memory or from the disk, as there was no room.
        public internal(set) var evictions = 0
        /// What has failed with the folder. No request has failed for it.
        public internal(set) var failures = 0

        /// How many responses are in memory; what is there may be on the disk as well.
        public internal(set) var memoryCount = 0
        /// How many bytes these take.
        public internal(set) var memorySize = 0
        /// How many responses are on the disk, as far as that was looked at.
        public internal(set) var diskCount = 0
        /// How many bytes these take.
        public internal(set) var diskSize: Int64 = 0

        /// No requests, and nothing held.
        public init() {}
    }
}
