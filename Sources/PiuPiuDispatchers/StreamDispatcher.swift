public import Foundation

#if canImport(FoundationNetworking)
    public import FoundationNetworking
#endif

/// Makes futures of responses whose bodies are read while they arrive.
///
/// Memory stays constant, whatever the size of a body (contract rule MEMORY of <doc:Contract>).
public protocol StreamDispatcher: Dispatching {
    /// A future of the response to this request, with a body that is read while it arrives.
    ///
    /// ```swift
    /// let response = try await dispatcher.streamFuture(from: request).makeHTTPResponse().value
    /// if let error = response.httpError { throw error }
    /// for try await line in response.data.lines { print(line) }
    /// ```
    ///
    /// The future ends with the head of the response; cancelling it afterwards changes nothing. The transfer goes on
    /// while the body is read, and is cancelled when the body is released: see ``StreamedBody``. Updates are reported
    /// up to the head. A status is data, not an error (contract rule STATUS).
    ///
    /// The future fails with a ``TransferError`` if no head arrives, an ``InvalidRequestError`` if the request can't be
    /// sent, and the errors of adapters and policies. A failure after the head is thrown by reading the body, after the
    /// chunks that have arrived: the errors are those of ``StreamedBody``.
    ///
    /// - Parameter urlRequest: the request. Nothing is sent before the future is started.
    func streamFuture(from urlRequest: URLRequest) -> ResponseFuture<Response<StreamedBody>>
}

extension StreamDispatcher {
    /// A future of a stream; the callback makes the request when the future is started.
    ///
    /// ```swift
    /// dispatcher.streamFuture { URLRequest(url: try makeURL(), method: .get) }
    /// ```
    ///
    /// - Parameters:
    ///   - file: where the future is created, for messages.
    ///   - line: where the future is created.
    ///   - callback: makes the request, once, on the thread that calls `send()` or awaits. `nil` cancels the future,
    ///     and an error fails it.
    public func streamFuture(
        file: String = #fileID, line: UInt = #line, from callback: @escaping @Sendable () throws -> URLRequest?
    ) -> ResponseFuture<Response<StreamedBody>> {
        ResponseFuture<URLRequest>(made: callback, file: file, line: line)
            .flatMap { streamFuture(from: $0) }
            .bound(toScopesOf: self)
    }

    /// A future of a stream of the response to a request for a server.
    ///
    /// The request is built once, when the future is started, on the thread that calls `send()` or awaits. The error of
    /// `urlRequest(withBaseURL:)` fails the future.
    ///
    /// - Parameters:
    ///   - request: the request.
    ///   - baseURL: the base URL of the server.
    ///   - file: where the future is created, for messages.
    ///   - line: where the future is created.
    public func streamFuture(
        from request: any Request, at baseURL: URL, file: String = #fileID, line: UInt = #line
    ) -> ResponseFuture<Response<StreamedBody>> {
        streamFuture(file: file, line: line) { try request.urlRequest(withBaseURL: baseURL) }
    }
}
