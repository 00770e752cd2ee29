#if canImport(FoundationNetworking)
    public import Foundation
    public import FoundationNetworking
#else
    public import Foundation
#endif

/// A small HTTP/1.1 server on 127.0.0.1, which can misbehave on purpose, for tests, benchmarks and examples.
///
/// It runs from ``start(routes:limits:)`` to ``stop()``, or until its last reference is released. Each connection has a
/// thread of its own; handlers run there and may block, but then a stop waits for them.
public final class LoopbackServer: Sendable {
    /// Where it listens: `http://127.0.0.1:PORT`.
    public let baseURL: URL
    let core: ServerCore

    private init(core: ServerCore, baseURL: URL) {
        self.core = core
        self.baseURL = baseURL
    }

    deinit {
        core.stop()
    }

    /// Starts a server on a free port.
    public static func start(
        routes: LoopbackRoutes = .standard, limits: LoopbackLimits = LoopbackLimits()
    ) throws(LoopbackServerError) -> LoopbackServer {
        let core = try ServerCore(routes: routes, limits: limits)
        guard let baseURL = URL(string: "http://127.0.0.1:\(core.port)") else {
            core.stop()
            throw .stopped
        }
        do throws(LoopbackServerError) {
            try core.start()
        } catch {
            core.stop()
            throw error
        }
        return LoopbackServer(core: core, baseURL: baseURL)
    }

    /// The port that it listens on.
    public var port: Int { core.port }

    /// The URL of a path, which may have a query.
    public func url(_ path: String) -> URL {
        URL(string: path, relativeTo: baseURL)?.absoluteURL ?? baseURL
    }

    /// The URL of a port that refuses connections until the stop. Another server may soon get the port of a stopped
    /// one.
    public func refusingURL() throws(LoopbackServerError) -> URL {
        let port = try core.refusingPort()
        guard let url = URL(string: "http://127.0.0.1:\(port)") else { throw .stopped }
        return url
    }

    /// A GET request for a path, which may have a query.
    ///
    /// - Parameter timeout: the seconds that the request gives the server: by default more than any test takes, so that
    ///   a busy machine causes no error.
    public func request(_ path: String, timeout: TimeInterval = 3600) -> URLRequest {
        var request = URLRequest(url: url(path))
        // The initialiser's argument has no effect on Linux.
        request.timeoutInterval = timeout
        return request
    }

    /// Ends all connections and the listening, and returns when the threads are gone. A second call does nothing.
    public func stop() {
        core.stop()
    }

    /// Adds a route before all others, for requests from now on. A handler that retains the server keeps it alive until
    /// a stop.
    public func handle(
        _ method: String, _ pathPattern: String, body: LoopbackRoute.BodyHandling = .collect,
        _ handler: @escaping LoopbackRoute.Handler
    ) {
        let route = LoopbackRoute(method, pathPattern, body: body, handler: handler)
        core.state.withLock { $0.routes.insert(route, at: 0) }
    }

    /// Answers one method and path with the same reply each time.
    public func handle(_ method: String, _ pathPattern: String, reply: LoopbackReply) {
        handle(method, pathPattern) { _ in reply }
    }
}
