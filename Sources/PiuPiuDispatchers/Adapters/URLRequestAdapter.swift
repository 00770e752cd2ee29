#if canImport(FoundationNetworking)
    public import FoundationNetworking
#else
    public import Foundation
#endif

/// A ``RequestAdapter`` as in PiuPiu 1.x, which passes the adapted request to a callback.
///
/// ```swift
/// final class TokenAdapter: URLRequestAdapter {
///     func adapt(
///         urlRequest: URLRequest, with callback: @escaping @Sendable (URLRequest) throws -> Void
///     ) throws {
///         refreshToken { token in
///             var request = urlRequest
///             request.setValue("Bearer \(token)", forHTTPHeaderField: "Authorization")
///             try? callback(request)
///         }
///     }
/// }
/// ```
///
/// The first call of the callback counts, from any thread, at once or later. An adapter that neither calls the callback
/// nor throws fails the future with ``AdapterError/callbackDropped(adapter:)`` when it releases the callback (contract
/// rule NEVER-HANG).
@preconcurrency
public protocol URLRequestAdapter: RequestAdapter {
    /// Passes the request to send to `callback`, at once or later.
    ///
    /// - Parameters:
    ///   - urlRequest: the original request.
    ///   - callback: gets the request to send. It never throws.
    /// - Throws: the error of the future.
    @preconcurrency
    func adapt(urlRequest: URLRequest, with callback: @escaping @Sendable (URLRequest) throws -> Void) throws
}

extension URLRequestAdapter {
    /// The request that ``adapt(urlRequest:with:)`` passes to its callback.
    ///
    /// - Throws: what that method throws, ``AdapterError/callbackDropped(adapter:)``, and `CancellationError`.
    @concurrent
    public func adapt(_ urlRequest: URLRequest) async throws -> URLRequest {
        try await AdapterCall.result(of: Self.self) { callback in
            try adapt(urlRequest: urlRequest, with: callback)
        }
    }
}
