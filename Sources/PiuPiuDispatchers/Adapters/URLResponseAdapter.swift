#if canImport(FoundationNetworking)
    public import FoundationNetworking
#else
    public import Foundation
#endif

/// A ``ResponseAdapter`` as in PiuPiu 1.x, which passes the adapted response to a callback.
///
/// The first call of the callback counts, from any thread, at once or later. An adapter that neither calls the callback
/// nor throws fails the future with ``AdapterError/callbackDropped(adapter:)`` when it releases the callback (contract
/// rule NEVER-HANG).
@preconcurrency
public protocol URLResponseAdapter: ResponseAdapter {
    /// Passes the adapted response to `callback`, at once or later.
    ///
    /// - Parameters:
    ///   - urlResponse: the response as it arrived.
    ///   - urlRequest: the request that it answers.
    ///   - callback: gets the adapted response. It never throws.
    /// - Throws: the error of the future.
    @preconcurrency
    func adapt(
        urlResponse: URLResponse, for urlRequest: URLRequest,
        with callback: @escaping @Sendable (URLResponse) throws -> Void) throws
}

extension URLResponseAdapter {
    /// The response that ``adapt(urlResponse:for:with:)`` passes to its callback.
    ///
    /// - Throws: what that method throws, ``AdapterError/callbackDropped(adapter:)``, and `CancellationError`.
    @concurrent
    public func adapt(_ urlResponse: URLResponse, for urlRequest: URLRequest) async throws -> URLResponse {
        try await AdapterCall.result(of: Self.self) { callback in
            try adapt(urlResponse: urlResponse, for: urlRequest, with: callback)
        }
    }
}
