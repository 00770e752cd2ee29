extension CacheStatus {
    /// Why a cache has sent a request forward (RFC 9211, section 2.2).
    public enum Forward: Sendable, Hashable {
        /// The cache was to be passed by.
        case bypass
        /// The method has to be forwarded.
        case method
        /// Nothing was kept for the URI.
        case uriMiss
        /// Something was kept for the URI, but not for these fields of the request (`Vary`).
        case varyMiss
        /// Nothing was kept that could be used; the cache tells no more.
        case miss
        /// What was kept is fresh, but the request has asked for more.
        case request
        /// What was kept is stale.
        case stale
        /// A part of the response was kept, and the others were needed.
        case partial
        /// Another token, as it was.
        case other(String)

        /// The reason of this token, which counts in this case only.
        public init(_ token: String) {
            self = Self.registered.first { $0.token == token } ?? .other(token)
        }

        private static let registered: [Self] = [
            .bypass, .method, .uriMiss, .varyMiss, .miss, .request, .stale, .partial,
        ]

        /// The token in the field: "uri-miss".
        public var token: String {
            switch self {
            case .bypass: "bypass"
            case .method: "method"
            case .uriMiss: "uri-miss"
            case .varyMiss: "vary-miss"
            case .miss: "miss"
            case .request: "request"
            case .stale: "stale"
            case .partial: "partial"
            case .other(let token): token
            }
        }
    }
}
