#if canImport(FoundationNetworking)
    public import FoundationNetworking
#else
    public import Foundation
#endif

/// An adapter of responses that calls a closure; made by ``ResponseAdapter/closure(_:)``.
public struct ClosureResponseAdapter: ResponseAdapter {
    private let body: @Sendable (URLResponse, URLRequest) async throws -> URLResponse

    fileprivate init(_ body: @escaping @Sendable (URLResponse, URLRequest) async throws -> URLResponse) {
        self.body = body
    }

    /// The head that the closure returns.
    @concurrent
    public func adapt(_ urlResponse: URLResponse, for urlRequest: URLRequest) async throws -> URLResponse {
        try await body(urlResponse, urlRequest)
    }
}

extension ResponseAdapter where Self == ClosureResponseAdapter {
    /// An adapter of responses that calls a closure.
    ///
    /// ```swift
    /// let dispatcher = URLRequestDispatcher().adapting(responseAdapter: .closure { response, request in
    ///     maintenance.note(response)
    ///     return response
    /// })
    /// ```
    ///
    /// - Parameter body: returns the head to deliver; is called like ``ResponseAdapter/adapt(_:for:)``: off the main
    ///   actor, once for each response. An error that it throws fails the future, and a `CancellationError` cancels it.
    public static func closure(
        _ body: @escaping @Sendable (_ urlResponse: URLResponse, _ urlRequest: URLRequest) async throws -> URLResponse
    ) -> ClosureResponseAdapter {
        ClosureResponseAdapter(body)
    }
}
