#if canImport(FoundationNetworking)
    public import FoundationNetworking
#else
    public import Foundation
#endif

/// An adapter of requests that calls a closure; made by ``RequestAdapter/closure(_:)`` and ``RequestAdapter/headers(_:)``.
public struct ClosureRequestAdapter: RequestAdapter {
    private let body: @Sendable (inout URLRequest) async throws -> Void

    fileprivate init(_ body: @escaping @Sendable (inout URLRequest) async throws -> Void) {
        self.body = body
    }

    /// The request after the closure has changed it.
    @concurrent
    public func adapt(_ urlRequest: URLRequest) async throws -> URLRequest {
        var request = urlRequest
        try await body(&request)
        return request
    }
}

extension RequestAdapter where Self == ClosureRequestAdapter {
    /// An adapter of requests that calls a closure.
    ///
    /// ```swift
    /// let dispatcher = URLRequestDispatcher(requestAdapter: .closure { request in
    ///     request.setValue(UUID().uuidString, forHTTPHeaderField: "X-Request-ID")
    /// })
    /// ```
    ///
    /// - Parameter body: changes the request; is called like ``RequestAdapter/adapt(_:)``: off the main actor, once for
    ///   each attempt. An error that it throws fails the future, and a `CancellationError` cancels it.
    public static func closure(
        _ body: @escaping @Sendable (_ urlRequest: inout URLRequest) async throws -> Void
    ) -> ClosureRequestAdapter {
        ClosureRequestAdapter(body)
    }

    /// An adapter that sets those of these headers that a request lacks.
    ///
    /// ```swift
    /// let dispatcher = URLRequestDispatcher().adapting(requestAdapter: .headers(["X-App": "Blog/2.1"]))
    /// ```
    ///
    /// A header of the request wins, whatever the case of its name (RFC 9110, section 5.1). For a token use an
    /// ``Authenticator``: an adapter sends its headers to each server.
    ///
    /// The future fails with ``InvalidRequestError`` if a name isn't a token of HTTP, or a value has a line break or
    /// another control character.
    ///
    /// - Parameter headers: the headers by their names. Of names that differ only in case, the first in order counts.
    public static func headers(_ headers: [String: String]) -> ClosureRequestAdapter {
        let sorted = headers.sorted { $0.key < $1.key }
        return ClosureRequestAdapter { request in
            for (name, value) in sorted {
                // Foundation drops some headers that can't be sent, so that the dispatcher wouldn't see them.
                if let url = request.url { try InvalidRequestError.check(header: name, value, url: url) }
                guard request.value(forHTTPHeaderField: name) == nil else { continue }
                request.setValue(value, forHTTPHeaderField: name)
            }
        }
    }
}
