public import Foundation

#if canImport(FoundationNetworking)
    public import FoundationNetworking
#endif

/// What a dispatcher does for an engine: headers and timeouts for all requests, how many go to one host at once, cookies.
///
/// An engine asks for it with ``TransferEngine/settings``.
public struct TransferSettings: Sendable {
    /// Header fields for each request that has none of the name.
    public var additionalHeaders: [String: String] = [:]

    /// For how many seconds a server may be silent, where a request doesn't say; 60 by default.
    ///
    /// That, and `URLRequest.timeoutInterval`, begins when the request is sent, and anew with each part of the answer. Waiting
    /// for the turn doesn't count, nor does the time in which the reader of a stream holds the server up.
    public var timeout: TimeInterval = 60

    /// The seconds that an exchange may take as a whole, redirects and the wait for its turn included; `nil` for as long as
    /// it takes.
    public var wholeTimeout: TimeInterval?

    /// How many exchanges with one origin (scheme, host and port) are under way at once; as many downloads may be beside them, and
    /// as many streams. Where the answer is of HTTP/2, which carries many over one connection, it becomes
    /// ``exchangesPerMultiplexedOrigin``.
    ///
    /// ```swift
    /// configuration.httpMaximumConnectionsPerHost = 12  // of a URLSessionConfiguration; 6, unless set otherwise
    /// ```
    ///
    /// Others wait for their turn, first come first served. That counts towards ``wholeTimeout``, but not towards the timeout of a
    /// request, as it is no silence of the server's. Data requests and downloads come to an end, and so does the wait for them.
    /// A stream may be open for ever, so another one waits for its turn no longer than its timeout, from when the last of those
    /// before it has ended: then it fails with ``TransferError/Kind/tooManyStreams``, and nothing was sent.
    ///
    /// The `limit:` of a join or a sequence is another one: so many futures are started at once, wherever their requests go.
    public var exchangesPerOrigin = Int.max

    /// How many exchanges with one origin are under way at once over HTTP/2.
    public var exchangesPerMultiplexedOrigin = 100

    /// Whether a GET may have a body, which has no meaning there (RFC 9110, section 9.3.1).
    public var allowsBodyInGet = true

    /// The cookies that are sent and kept.
    var cookies: CookieJar?

    /// Whether the engine keeps requests waiting itself, and tells their ``TransferRequest/turn`` of it. Streams wait above all
    /// the same.
    var hasLinesInEngine = false

    /// The usual: no headers, a minute of silence, no limit of time or number, no cookies.
    public init() {}

    /// What a configuration asks for.
    ///
    /// Its headers, timeouts, connections per host, cookie storage and cookie policy count.
    public init(_ configuration: URLSessionConfiguration) {
        for (name, value) in configuration.httpAdditionalHeaders ?? [:] {
            additionalHeaders["\(name.base)"] = "\(value)"
        }
        if configuration.timeoutIntervalForRequest > 0 {
            timeout = min(max(configuration.timeoutIntervalForRequest.rounded(.up), 1), Self.longestTimeout)
        }
        let whole = configuration.timeoutIntervalForResource
        if whole > 0, whole < Self.week { wholeTimeout = whole }
        exchangesPerOrigin = max(1, configuration.httpMaximumConnectionsPerHost)
        allowsBodyInGet = false
        cookies = CookieJar(configuration)
    }

    private static let defaultTimeout: TimeInterval = 60
    private static let longestTimeout: TimeInterval = 1e9
    /// That of a configuration of which nobody has asked for one.
    private static let week: TimeInterval = 7 * 24 * 60 * 60

    /// Whether an exchange may have to wait for its turn.
    var hasLimit: Bool { exchangesPerOrigin < .max }

    /// `request` with the cookies of its URL.
    func withCookies(_ request: TransferRequest) -> TransferRequest {
        guard let cookies else { return request }
        var request = request
        cookies.addCookies(to: &request.urlRequest)
        return request
    }

    /// `request` with the headers and the timeout, where it has none of its own.
    ///
    /// - Throws: ``InvalidRequestError`` for a header that can't be sent, or a GET with a body.
    func completed(_ request: TransferRequest) throws(InvalidRequestError) -> TransferRequest {
        if !allowsBodyInGet, !request.body.isEmpty, request.urlRequest.httpMethod ?? "GET" == "GET",
            let url = request.urlRequest.url
        {
            throw .bodyInGet(url: url)
        }
        var request = request
        // A request does not tell whether its 60 seconds were meant or are just the default.
        if timeout != Self.defaultTimeout, request.urlRequest.timeoutInterval == Self.defaultTimeout {
            request.urlRequest.timeoutInterval = timeout
        }
        guard !additionalHeaders.isEmpty else { return request }
        for (name, value) in additionalHeaders where request.urlRequest.value(forHTTPHeaderField: name) == nil {
            if let url = request.urlRequest.url { try InvalidRequestError.check(header: name, value, url: url) }
            request.urlRequest.setValue(value, forHTTPHeaderField: name)
        }
        return try request.validated()
    }
}
