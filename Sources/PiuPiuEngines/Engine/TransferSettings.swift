public import Foundation

#if canImport(FoundationNetworking)
    public import FoundationNetworking
#endif

/// The work of a dispatcher for an engine: headers and timeouts for all requests, the limit per host, cookies.
///
/// An engine asks for it with ``TransferEngine/settings``.
public struct TransferSettings: Sendable {
    /// Header fields for each request without a field of the same name.
    public var additionalHeaders: [String: String] = [:]

    /// How many seconds a server may be silent, unless a request says otherwise; 60 by default.
    ///
    /// A `URLRequest` with a `timeoutInterval` of 60 says nothing: that is its default, and it doesn't show whether it
    /// was set. To have 60 seconds in spite of another timeout here, set 61. As with the timeout of a request, a
    /// fraction is rounded up to whole seconds, and NaN, zero and negative numbers mean 60.
    ///
    /// This timeout, like `URLRequest.timeoutInterval`, starts when the request is sent, and restarts with each part of
    /// its body that is sent, each interim response (1xx), and each part of the answer. The wait for its turn doesn't
    /// count. Neither does the time in which the reader of a stream pauses the server, the wait for the disk of a
    /// cache, and on Apple platforms, with `waitsForConnectivity` of a configuration, the wait for a network.
    public var timeout: TimeInterval = 60

    /// How many seconds an exchange may take as a whole, including redirects and the wait for its turn; `nil` for no
    /// limit. Of a configuration it is the `timeoutIntervalForResource`; a week, its default, or more means no limit. A
    /// download may wait before that, in a line of the process for its files: a ``Deadline`` includes this wait.
    public var wholeTimeout: TimeInterval?

    /// How many exchanges with one origin (scheme, host and port) are in flight at once.
    ///
    /// The same number of downloads, of streams and of uploads of unknown length may be in flight beside them. After an
    /// answer over HTTP/2, which carries many exchanges over one connection, the limit becomes
    /// ``exchangesPerMultiplexedOrigin``, but not that of these: over libcurl each download or stream that isn't read
    /// may take up to 32 MB of memory there, while others on its connection go on, and uploads of unknown length have
    /// connections of their own. `URLSession` shows the version only at the end of an answer, and on Linux never.
    ///
    /// ```swift
    /// configuration.httpMaximumConnectionsPerHost = 12  // of a URLSessionConfiguration; usually 6
    /// ```
    ///
    /// Further exchanges wait for their turn, first come first served. The wait counts towards ``wholeTimeout``, but
    /// not towards the timeout of a request, as the server isn't silent then. Data requests and downloads end, and so
    /// does the wait for them. A stream may stay open for ever, so another stream waits no longer than its timeout,
    /// counted from the last end of a stream ahead of it. Then it fails with ``TransferError/Kind/tooManyStreams``, and
    /// nothing was sent.
    ///
    /// Dispatchers that were decorated from the same one, as with a cache, are counted together. The streams of that
    /// one are counted with theirs, its data requests and downloads beside them. Two that were made with the same
    /// engine each have this limit.
    ///
    /// The `limit:` of a join or a sequence differs: it limits how many futures are started at once, for all origins.
    public var exchangesPerOrigin = Int.max

    /// How many exchanges with one origin are in flight at once over HTTP/2, beside those with a limit of their own.
    public var exchangesPerMultiplexedOrigin = 100

    /// Whether a GET may have a body, which has no meaning there (RFC 9110, section 9.3.1).
    public var allowsBodyInGet = true

    /// The cookies that are sent and kept.
    var cookies: CookieJar?

    /// Whether the engine has its own lines, and notifies ``TransferRequest/turn`` of the wait. Streams still wait
    /// here.
    var hasLinesInEngine = false

    /// Whether there is a cache in the engine, which notifies ``TransferRequest/turn`` of the wait for its disk.
    var hasCache = false

    /// The default: no headers, a minute of silence, no limit of time or number, no cookies.
    public init() {}

    /// The settings of a configuration.
    ///
    /// Its headers, timeouts, connections per host, cookie storage and cookie policy count.
    public init(_ configuration: URLSessionConfiguration) {
        for (name, value) in configuration.httpAdditionalHeaders ?? [:] {
            additionalHeaders["\(name.base)"] = "\(value)"
        }
        timeout = configuration.timeoutIntervalForRequest.normalizedTimeout
        let whole = configuration.timeoutIntervalForResource
        if whole > 0, whole < Self.week { wholeTimeout = whole }
        exchangesPerOrigin = max(1, configuration.httpMaximumConnectionsPerHost)
        allowsBodyInGet = false
        cookies = CookieJar(configuration)
    }

    static let defaultTimeout: TimeInterval = 60
    /// The default of a configuration, which counts as no limit.
    private static let week: TimeInterval = 7 * 24 * 60 * 60

    /// Whether an exchange may have to wait for its turn.
    var hasLimit: Bool { exchangesPerOrigin < .max }

    /// `request` with the cookies of its URL.
    func withCookies(_ request: TransferRequest) -> TransferRequest {
        guard let header = cookies?.header(for: request.urlRequest) else { return request }
        var request = request
        request.urlRequest.setValue(header, forHTTPHeaderField: "Cookie")
        return request
    }

    /// `request` with the headers and the timeout that it lacks; without secrets, if a server has chosen its origin.
    ///
    /// - Throws: ``InvalidRequestError`` for a header that can't be sent, or a GET with a body.
    func completed(_ request: TransferRequest) throws(InvalidRequestError) -> TransferRequest {
        if !allowsBodyInGet, !request.body.isEmpty, request.urlRequest.httpMethod ?? "GET" == "GET",
            let url = request.urlRequest.url
        {
            throw .bodyInGet(url: url)
        }
        var request = request
        let timeout = self.timeout.normalizedTimeout
        // A request doesn't show whether its 60 seconds were set, or are just the default.
        if timeout != Self.defaultTimeout, request.urlRequest.timeoutInterval == Self.defaultTimeout {
            request.urlRequest.timeoutInterval = timeout
        }
        guard !additionalHeaders.isEmpty else { return request }
        for (name, value) in additionalHeaders where request.urlRequest.value(forHTTPHeaderField: name) == nil {
            if request.withholdsSecrets, SecretName.isSecret(name) { continue }
            if let url = request.urlRequest.url { try InvalidRequestError.check(header: name, value, url: url) }
            request.urlRequest.setValue(value, forHTTPHeaderField: name)
        }
        // Its scheme was checked before.
        return try request.validated(allowsOtherSchemes: true)
    }
}
