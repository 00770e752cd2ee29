public import Foundation

#if canImport(FoundationNetworking)
    public import FoundationNetworking
#endif

/// Something that makes futures of data requests: the network, or a mock in its place.
///
/// Code that needs the network asks for `any DataDispatcher`, and its tests hand it a ``MockURLRequestDispatcher``.
/// Dispatchers are values: a future holds what it needs, and nobody has to keep a dispatcher alive (contract rule
/// VALUE of <doc:Contract>).
@preconcurrency
public protocol DataDispatcher: Dispatching {
    /// A future of the response to this request.
    ///
    /// Nothing is sent before the future is started. An HTTP status is data, not an error: a 404 is a response whose
    /// `httpError` says so (contract rule STATUS). An empty body is `nil`.
    func dataFuture(from urlRequest: URLRequest) -> ResponseFuture<Response<Data?>>
}

extension DataDispatcher {
    /// A future of the response to a request that is made when the future is started.
    ///
    /// ```swift
    /// dispatcher.dataFuture { URLRequest(url: try makeURL(), method: .get) }
    /// ```
    ///
    /// - Parameters:
    ///   - file: where the future is created, for messages.
    ///   - line: where the future is created.
    ///   - callback: makes the request, once, on the thread that calls `send()` or awaits; `nil` cancels the future, and what it
    ///     throws fails it.
    @preconcurrency
    public func dataFuture(
        file: String = #fileID, line: UInt = #line, from callback: @escaping @Sendable () throws -> URLRequest?
    ) -> ResponseFuture<Response<Data?>> {
        ResponseFuture<URLRequest>(made: callback, file: file, line: line).flatMap { dataFuture(from: $0) }
    }
}

extension ResponseFuture {
    /// A future of what a callback makes when it is started, on the thread that starts it; cancelled by `nil`.
    convenience init(made callback: @escaping @Sendable () throws -> Success?, file: String, line: UInt) {
        self.init(file: file, line: line) { future in
            if let made = try callback() { future.succeed(with: made) } else { future.cancel() }
        }
    }
}
