extension CacheStatus {
    /// Why a cache forwarded a request (RFC 9211, section 2.2).
    public enum Forward: Sendable, Hashable {
        /// The cache was configured not to handle the request.
        case bypass
        /// The method has to be forwarded.
        case method
        /// Nothing was stored for the URI.
        case uriMiss
        /// Something was stored for the URI, but not for these fields of the request (`Vary`).
        case varyMiss
        /// No stored response could be used; the cache doesn't say more.
        case miss
        /// The stored response is fresh, but the request doesn't allow it.
        case request
        /// The stored response is stale.
        case stale
        /// A part of the response was stored, and others were needed.
        case partial
        /// Another token, unchanged.
        case other(String)

        /// The reason of this token, which is case-sensitive.
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
