import Foundation

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// What a ``URLSessionEngine`` takes from the caller's configuration: for its session, and for itself.
struct SessionSettings: Sendable {
    /// The configuration of the session.
    let configuration: URLSessionConfiguration
    /// How many exchanges to one host run side by side.
    let limitPerHost: Int

    #if !canImport(Darwin)
        /// The cookies of the configuration.
        let cookies: CookieJar
    #endif

    /// Added to each request by the engine: URLSession would add them to a redirected request again, and so send an
    /// `Authorization` among them to another host.
    private let headers: [String: String]
    private let timeout: TimeInterval
    private let resourceTimeout: TimeInterval

    private static let defaultTimeout: TimeInterval = 60
    private static let defaultResourceTimeout: TimeInterval = 7 * 24 * 60 * 60

    init(_ original: URLSessionConfiguration?) {
        let copy = (original ?? .ephemeral).copy() as? URLSessionConfiguration
        let configuration = copy ?? .ephemeral
        if original == nil {
            configuration.httpCookieStorage = nil
            configuration.httpShouldSetCookies = false
            configuration.httpCookieAcceptPolicy = .never
        }
        #if !canImport(Darwin)
            // It never serves a response here, and a cancel soon after a start kills the process.
            configuration.urlCache = nil
            cookies = CookieJar(takingOver: configuration)
        #endif
        headers = (configuration.httpAdditionalHeaders ?? [:]).reduce(into: [:]) { headers, pair in
            headers["\(pair.key.base)"] = "\(pair.value)"
        }
        configuration.httpAdditionalHeaders = nil
        timeout = Self.clamped(configuration.timeoutIntervalForRequest, default: Self.defaultTimeout)
        configuration.timeoutIntervalForRequest = timeout
        resourceTimeout = Self.clamped(
            configuration.timeoutIntervalForResource, default: Self.defaultResourceTimeout)
        limitPerHost = configuration.httpMaximumConnectionsPerHost
        self.configuration = configuration
    }

    /// `request` with the headers and the timeout of the configuration, where it has none of its own.
    ///
    /// - Throws: ``InvalidRequestError`` for a header of the configuration that can't be sent, or a GET with a body.
    func completed(_ request: TransferRequest) throws(InvalidRequestError) -> TransferRequest {
        if !request.body.isEmpty, let url = request.urlRequest.url, request.urlRequest.httpMethod ?? "GET" == "GET" {
            throw .bodyInGet(url: url)
        }
        var request = request
        // A request does not tell whether its 60 seconds were meant or are just the default.
        if request.urlRequest.timeoutInterval == Self.defaultTimeout, timeout != Self.defaultTimeout {
            request.urlRequest.timeoutInterval = timeout
        }
        guard !headers.isEmpty else { return request }
        for (name, value) in headers where request.urlRequest.value(forHTTPHeaderField: name) == nil {
            request.urlRequest.setValue(value, forHTTPHeaderField: name)
        }
        return try request.validated()
    }

    /// A request as it is given to a session's task, whose body goes beside it.
    func prepared(_ request: URLRequest) -> URLRequest {
        var request = withCookies(request)
        if request.httpBody != nil { request.httpBody = nil }
        if request.httpBodyStream != nil { request.httpBodyStream = nil }
        return request
    }

    /// A request with its cookies, where the session doesn't add them.
    func withCookies(_ request: URLRequest) -> URLRequest {
        #if canImport(Darwin)
            return request
        #else
            var request = request
            cookies.addCookies(to: &request)
            return request
        #endif
    }

    /// Keeps the cookies of a response, where the session doesn't.
    func keepCookies(of response: URLResponse, to request: URLRequest) {
        #if !canImport(Darwin)
            cookies.keepCookies(of: response, to: request)
        #endif
    }

    /// The longest that an exchange may take as a whole, where URLSession doesn't see to it.
    var deadline: TimeInterval? {
        #if canImport(Darwin)
            nil
        #else
            resourceTimeout < Self.defaultResourceTimeout ? resourceTimeout : nil
        #endif
    }

    /// Whole seconds that FoundationNetworking neither traps nor hangs on.
    private static func clamped(_ timeout: TimeInterval, default standard: TimeInterval) -> TimeInterval {
        timeout > 0 ? min(max(timeout.rounded(.up), 1), 1e9) : standard
    }
}
