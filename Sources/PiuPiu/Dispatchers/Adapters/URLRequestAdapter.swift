#if canImport(FoundationNetworking)
    public import FoundationNetworking
#else
    public import Foundation
#endif

/// A ``RequestAdapter`` in the form of PiuPiu 1.x, which hands the adapted request to a callback.
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
/// The first call of the callback counts, from any thread, at once or later. An adapter that releases the callback
/// without having called it, or thrown, fails the future with ``AdapterError/callbackDropped(adapter:)`` (contract rule
/// NEVER-HANG).
@preconcurrency
public protocol URLRequestAdapter: RequestAdapter {
    /// Hands the request to send to `callback`, now or later.
    ///
    /// - Parameters:
    ///   - urlRequest: the request as it was made.
    ///   - callback: takes the request to send. It never throws.
    /// - Throws: what the future is to fail with.
    @preconcurrency
    func adapt(urlRequest: URLRequest, with callback: @escaping @Sendable (URLRequest) throws -> Void) throws
}

extension URLRequestAdapter {
    /// The request that ``adapt(urlRequest:with:)`` hands to its callback.
    ///
    /// - Throws: what that method throws, ``AdapterError/callbackDropped(adapter:)``, and `CancellationError`.
    @concurrent
    public func adapt(_ urlRequest: URLRequest) async throws -> URLRequest {
        try await AdapterCall.result(of: Self.self) { callback in
            try adapt(urlRequest: urlRequest, with: callback)
        }
    }
}
