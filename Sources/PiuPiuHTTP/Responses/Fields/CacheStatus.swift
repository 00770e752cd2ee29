/// What a cache did with a request: a member of `Cache-Status` (RFC 9211).
///
/// ```swift
/// CacheStatus(cache: "PiuPiu", isHit: true, ttl: 376).description // PiuPiu; hit; ttl=376
/// CacheStatus.parse(["Origin; fwd=uri-miss; stored, CDN; hit; ttl=12"]).last?.ttl // 12
/// ```
public struct CacheStatus: Sendable, Hashable {
    /// The cache: a name or a host (section 2).
    public var cache: String

    /// Whether the request was answered from the cache alone (section 2.1).
    public var isHit: Bool

    /// Why the request was forwarded to the server, if it was (section 2.2).
    public var forward: Forward?

    /// The status of the server's answer, such as 304 to a validation (section 2.3); `nil` if the server wasn't asked,
    /// or gave no answer. Other caches may omit it if it is that of the response.
    public var forwardStatus: Int?

    /// How many seconds the response stays fresh, as the cache calculates; negative if it is stale (section 2.4).
    public var ttl: Int?

    /// Whether the response of the server was stored (section 2.5).
    public var isStored: Bool

    /// Whether the request was collapsed with other forwarded requests (section 2.6).
    public var isCollapsed: Bool

    /// The key of the response in the cache (section 2.7). It may contain secrets of a URL.
    public var key: String?

    /// Other information from the cache (section 2.8).
    public var detail: String?

    /// Makes a status.
    public init(
        cache: String = "PiuPiu", isHit: Bool = false, forward: Forward? = nil, forwardStatus: Int? = nil,
        ttl: Int? = nil, isStored: Bool = false, isCollapsed: Bool = false, key: String? = nil, detail: String? = nil
    ) {
        self.cache = cache
        self.isHit = isHit
        self.forward = forward
        self.forwardStatus = forwardStatus
        self.ttl = ttl
        self.isStored = isStored
        self.isCollapsed = isCollapsed
        self.key = key
        self.detail = detail
    }
}

extension CacheStatus {
    /// Whether a cache of this package has answered with a stale response because the server gave none, or an error.
    ///
    /// ```swift
    /// offlineBanner.isHidden = response.cacheStatus?.isStaleOnError != true
    /// ```
    ///
    /// Such an answer is no hit (``isHit``). The negative ``ttl`` says for how long it has been stale.
    public var isStaleOnError: Bool { cache == Self.ownName && detail.flatMap(Failure.init) != nil }

    /// Why a stale response was served after the server was asked: it is the ``detail``.
    package enum Failure: String {
        case status = "stale-if-error"
        case error = "stale-on-error"
    }

    /// The name of this package's cache.
    package static let ownName = "PiuPiu"

    /// The request asks for a stored response only, and there is none.
    package static let onlyIfCachedMiss = CacheStatus(cache: ownName, detail: "only-if-cached")
}

extension CacheStatus {
    /// The statuses in a field, that of the cache nearest to the server first.
    ///
    /// Members without a name of a cache are ignored, and so are parameters of a wrong type. A field that isn't a list
    /// of RFC 9651 gives an empty array.
    ///
    /// - Parameter fieldLines: the values of all lines of `Cache-Status`.
    public static func parse(_ fieldLines: [String]) -> [CacheStatus] {
        guard let list = try? StructuredList(parsing: fieldLines) else { return [] }
        return list.members.compactMap { member in
            if case .item(let item) = member { CacheStatus(item) } else { nil }
        }
    }

    private init?(_ item: StructuredItem) {
        guard let cache = item.value.name else { return nil }
        let parameters = item.parameters
        self.init(
            cache: cache, isHit: parameters["hit"] == .boolean(true),
            forward: parameters["fwd"]?.name.map(Forward.init), forwardStatus: parameters["fwd-status"]?.number,
            ttl: parameters["ttl"]?.number, isStored: parameters["stored"] == .boolean(true),
            isCollapsed: parameters["collapsed"] == .boolean(true), key: parameters["key"]?.name,
            detail: parameters["detail"]?.name)
    }
}

extension CacheStatus: CustomStringConvertible {
    /// The value of the field: "PiuPiu; fwd=uri-miss; fwd-status=200; stored".
    ///
    /// In names, key and detail a character that isn't printable ASCII is written as "?", and a number of more than 15
    /// digits is omitted: a structured field can't contain them.
    public var description: String {
        var parts = [Self.word(cache)]
        if isHit { parts.append("hit") }
        if let forward { parts.append("fwd=\(Self.word(forward.token))") }
        if let forwardStatus = Self.number(forwardStatus) { parts.append("fwd-status=\(forwardStatus)") }
        if let ttl = Self.number(ttl) { parts.append("ttl=\(ttl)") }
        if isStored { parts.append("stored") }
        if isCollapsed { parts.append("collapsed") }
        if let key { parts.append("key=\(Self.quoted(key))") }
        if let detail { parts.append("detail=\(Self.word(detail))") }
        return parts.joined(separator: "; ")
    }

    /// The text as a token if it is one, otherwise as a string.
    private static func word(_ text: String) -> String { text.isStructuredToken ? text : quoted(text) }

    private static func quoted(_ text: String) -> String {
        let printable = String(
            String.UnicodeScalarView(text.unicodeScalars.map { (" "..."~").contains($0) ? $0 : "?" }))
        return "\"" + printable.replacing("\\", with: "\\\\").replacing("\"", with: "\\\"") + "\""
    }

    private static func number(_ number: Int?) -> String? {
        number.flatMap { try? StructuredValue.integer(Int64($0)).serialized() }
    }
}

extension StructuredValue {
    /// The text of a token or a string.
    fileprivate var name: String? {
        switch self {
        case .token(let text), .string(let text): text
        default: nil
        }
    }

    fileprivate var number: Int? {
        if case .integer(let integer) = self { Int(exactly: integer) } else { nil }
    }
}
