public import Foundation

#if canImport(FoundationNetworking)
    public import FoundationNetworking
#endif

/// Makes futures of data requests: the network, or a mock in its place.
///
/// Code that needs the network takes an `any DataDispatcher`, and its tests pass a ``MockURLRequestDispatcher``.
/// Dispatchers are values: a future retains everything that it needs, so nobody has to retain a dispatcher (contract
/// rule VALUE of <doc:Contract>).
@preconcurrency
public protocol DataDispatcher: Dispatching {
    /// A future of the response to this request.
    ///
    /// Nothing is sent before the future is started. An HTTP status is data, not an error: a 404 is a response with an
    /// `httpError` (contract rule STATUS). An empty body is `nil`.
    func dataFuture(from urlRequest: URLRequest) -> ResponseFuture<Response<Data?>>
}

extension DataDispatcher {
    /// A future of the response to a request that the callback makes when the future is started.
    ///
    /// ```swift
    /// dispatcher.dataFuture { URLRequest(url: try makeURL(), method: .get) }
    /// ```
    ///
    /// - Parameters:
    ///   - file: where the future is created, for messages.
    ///   - line: where the future is created.
    ///   - callback: makes the request, once, on the thread that calls `send()` or awaits. `nil` cancels the future,
    ///     and an error fails it.
    @preconcurrency
    public func dataFuture(
        file: String = #fileID, line: UInt = #line, from callback: @escaping @Sendable () throws -> URLRequest?
    ) -> ResponseFuture<Response<Data?>> {
        ResponseFuture<URLRequest>(made: callback, file: file, line: line)
            .flatMap { dataFuture(from: $0) }
            .bound(toScopesOf: self)
    }

    /// A future of the response to a request for a server.
    ///
    /// ```swift
    /// let post = dispatcher.dataFuture(from: PostRequest(id: 7), at: baseURL).decoded(Post.self)
    /// ```
    ///
    /// The request is built once, when the future is started, on the thread that calls `send()` or awaits. The error of
    /// `urlRequest(withBaseURL:)` fails the future. A ``RequestSerializer`` keeps the base URL for many requests.
    ///
    /// - Parameters:
    ///   - request: the request.
    ///   - baseURL: the base URL of the server.
    ///   - file: where the future is created, for messages.
    ///   - line: where the future is created.
    public func dataFuture(
        from request: any Request, at baseURL: URL, file: String = #fileID, line: UInt = #line
    ) -> ResponseFuture<Response<Data?>> {
        dataFuture(file: file, line: line) { try request.urlRequest(withBaseURL: baseURL) }
    }
}

extension ResponseFuture {
    /// A future of the value that the callback makes on the starting thread; `nil` cancels it.
    package convenience init(made callback: @escaping @Sendable () throws -> Success?, file: String, line: UInt) {
        self.init(file: file, line: line) { future in
            if let made = try callback() { future.succeed(with: made) } else { future.cancel() }
        }
    }
}
