import Dispatch

#if canImport(FoundationNetworking)
    import Foundation
    public import FoundationNetworking
#else
    public import Foundation
#endif

/// The engine over `URLSession`: the default on Apple platforms, and for `URLProtocol` stubs.
///
/// ```swift
/// let dispatcher = URLRequestDispatcher(engine: .urlSession(configuration))
/// ```
///
/// A request of another scheme than `http` and `https` is sent if a class in the configuration's `protocolClasses`,
/// other than the system's, can answer it.
///
/// On Linux ``CurlEngine`` is the better choice, and the default. There `URLSession` has faults without a workaround:
/// - Three answers of a server end the process: trailers after a chunked body, a connection closed in the middle of the
///   head, and a `Content-Length` near 2⁶³.
/// - A request without a body is sent again, whatever its method, if its connection turns out to be closed.
/// - A request on a new connection keeps a processor busy until its response ends. All sessions of a process share one
///   queue, so a fast download delays the others. A slow reader applies no back-pressure: unread bytes are stored.
/// - The body of a redirect is lost, even if the redirect isn't followed and is the response.
/// - It refuses `http://[::1]/`.
public final class URLSessionEngine: TransferEngine {
    private struct State {
        var isInvalid = false
        var lastIdentifier = 0
        var hops: [Int: SessionHop] = [:]
    }

    /// The settings of the configuration.
    ///
    /// On Apple platforms they have the user's languages, too, as `Accept-Language`, unless the configuration has that
    /// field.
    public let settings: TransferSettings
    /// The configuration's own protocol classes, without the system's.
    private let protocols: [URLProtocol.Type]
    private let configuration: URLSessionConfiguration
    private let problem: UnsupportedSettingError?
    private let channels: SessionChannels
    private let state = Locked(State())

    /// The queue to make tasks and end sessions. Both wait for a queue that all sessions of the process share, at least
    /// on Linux. One queue for both makes sure that no task is made on an ended session.
    private let launcher = DispatchQueue(label: "PiuPiu.launcher", target: .global())

    /// Makes an engine.
    ///
    /// - Parameters:
    ///   - configuration: the configuration of its session; it is copied. The dispatcher handles its headers, timeouts,
    ///     connections per host and cookies; see ``TransferSettings``. On Linux the cache is off, as Foundation crashes
    ///     with it. One for the background isn't supported: see below.
    ///   - security: which servers are trusted. `URLSession` supports no client certificate as PEM, and on Linux no
    ///     security and no `connectionProxyDictionary`.
    ///
    /// With a setting that isn't supported each request fails with ``TransferError/Kind/unsupportedSetting``, and so it
    /// does with a configuration of `background(withIdentifier:)`: such a session accepts only files as bodies, and
    /// goes on without the process and its futures.
    public init(
        configuration: URLSessionConfiguration = .default, security: TransferSecurity = TransferSecurity()
    ) {
        settings = Self.makeSettings(configuration)
        protocols = Self.ownProtocols(of: configuration)
        problem = Self.problem(configuration, security)
        // No session for what is never sent: one for the background would claim its identifier.
        self.configuration = Self.plain(problem == nil ? configuration : .ephemeral)
        Self.prepare(self.configuration, for: security)
        channels = SessionChannels(self.configuration, security)
    }

    deinit {
        launcher.async { [channels] in channels.finishTasksAndInvalidate() }
    }

    /// The protocol classes that a configuration has in addition to the system's: those carry out FTP and the like, or
    /// trap.
    private static func ownProtocols(of configuration: URLSessionConfiguration) -> [URLProtocol.Type] {
        let system = Set((URLSessionConfiguration.ephemeral.protocolClasses ?? []).map { ObjectIdentifier($0) })
        return (configuration.protocolClasses ?? []).filter { !system.contains(ObjectIdentifier($0)) }
            .compactMap { $0 as? URLProtocol.Type }
    }

    /// The configuration without what is done outside of the session.
    private static func plain(_ original: URLSessionConfiguration) -> URLSessionConfiguration {
        let configuration = original.copy() as? URLSessionConfiguration ?? .ephemeral
        configuration.httpAdditionalHeaders = nil
        configuration.httpCookieStorage = nil
        configuration.httpShouldSetCookies = false
        configuration.httpCookieAcceptPolicy = .never
        // Whole seconds on which FoundationNetworking neither traps nor hangs; a request's own timeout is shorter.
        configuration.timeoutIntervalForRequest = 1e9
        configuration.timeoutIntervalForResource = 1e9
        // Each kind of exchange has its own limit, and they must not wait for each other in the session.
        let limit = min(max(1, original.httpMaximumConnectionsPerHost), 1 << 20)
        configuration.httpMaximumConnectionsPerHost = TransferDriver.linesPerOrigin * limit
        return configuration
    }

    /// `false`: chunks are collected first, once the request may be sent.
    public var streamsBodies: Bool { false }

    /// Starts one hop of an exchange.
    public func start(
        _ request: TransferRequest, onEvent: @escaping @Sendable (TransferEvent) -> Void
    ) -> any TransferHandle {
        if let problem {
            let error = TransferError(.unsupportedSetting, url: request.urlRequest.url, underlyingError: problem)
            return RefusedExchange(error, onEvent: onEvent)
        }
        let hop = SessionHop(request, onEvent: onEvent)
        let identifier: Int? = state.withLock { state in
            guard !state.isInvalid else { return nil }
            state.lastIdentifier += 1
            state.hops[state.lastIdentifier] = hop
            return state.lastIdentifier
        }
        guard let identifier else {
            return RefusedExchange(TransferError(.sessionInvalidated, url: request.urlRequest.url), onEvent: onEvent)
        }
        launcher.async { [self] in
            let channel = channels.channel(for: request.urlRequest.url)
            hop.start(in: channel.session, channel.delegate, configuration) {
                self.state.release { $0.hops.removeValue(forKey: identifier) }
            }
        }
        return hop
    }

    /// Lets the running exchanges end, and refuses new ones.
    public func finishTasksAndInvalidate() {
        state.withLock { $0.isInvalid = true }
    }

    /// Cancels the running exchanges, and refuses new ones.
    public func invalidateAndCancel() {
        let hops = state.withLock { state in
            state.isInvalid = true
            return Array(state.hops.values)
        }
        for hop in hops { hop.cancel() }
    }
}

extension URLSessionEngine: TasklessEngine {}

extension URLSessionEngine: OtherSchemeEngine {
    func carriesOut(_ urlRequest: URLRequest) -> Bool { protocols.contains { $0.canInit(with: urlRequest) } }
}

extension TransferEngine where Self == URLSessionEngine {
    /// The engine over `URLSession`.
    ///
    /// ```swift
    /// let configuration = URLSessionConfiguration.ephemeral
    /// configuration.protocolClasses = [StubProtocol.self]
    /// let dispatcher = URLRequestDispatcher(engine: .urlSession(configuration))
    /// ```
    ///
    /// - Parameters:
    ///   - configuration: the configuration of its session.
    ///   - security: which servers are trusted; `URLSession` on Linux supports none.
    public static func urlSession(
        _ configuration: URLSessionConfiguration = .default, security: TransferSecurity = TransferSecurity()
    ) -> URLSessionEngine {
        URLSessionEngine(configuration: configuration, security: security)
    }
}
