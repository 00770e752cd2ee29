#if canImport(FoundationNetworking)
    public import FoundationNetworking
#else
    public import Foundation
#endif

/// A ``ResponseAdapter`` in the form of PiuPiu 1.x, which hands the adapted response to a callback.
///
/// The first call of the callback counts, from any thread, at once or later. An adapter that releases the callback
/// without having called it, or thrown, fails the future with ``AdapterError/callbackDropped(adapter:)`` (contract rule
/// NEVER-HANG).
@preconcurrency
public protocol URLResponseAdapter: ResponseAdapter {
    /// Hands the response to show to `callback`, now or later.
    ///
    /// - Parameters:
    ///   - urlResponse: the response as it arrived.
    ///   - urlRequest: the request that it answers.
    ///   - callback: takes the response to show. It never throws.
    /// - Throws: what the future is to fail with.
    @preconcurrency
    func adapt(
        urlResponse: URLResponse, for urlRequest: URLRequest,
        with callback: @escaping @Sendable (URLResponse) throws -> Void) throws
}

extension URLResponseAdapter {
    /// The response that ``adapt(urlResponse:for:with:)`` hands to its callback.
    ///
    /// - Throws: what that method throws, ``AdapterError/callbackDropped(adapter:)``, and `CancellationError`.
    @concurrent
    public func adapt(_ urlResponse: URLResponse, for urlRequest: URLRequest) async throws -> URLResponse {
        try await AdapterCall.result(of: Self.self) { callback in
            try adapt(urlResponse: urlResponse, for: urlRequest, with: callback)
        }
    }
}
