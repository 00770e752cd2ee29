#if canImport(FoundationNetworking)
    public import FoundationNetworking
#else
    public import Foundation
#endif

/// Changes each request before it is sent, or does other work first: adds a token, signs, logs, waits.
///
/// ```swift
/// struct TokenAdapter: RequestAdapter {
///     let tokens: TokenStore
///
///     func adapt(_ urlRequest: URLRequest) async throws -> URLRequest {
///         var request = urlRequest
///         request.setValue("Bearer \(try await tokens.current())", forHTTPHeaderField: "Authorization")
///         return request
///     }
/// }
///
/// let dispatcher = URLRequestDispatcher(requestAdapter: TokenAdapter(tokens: tokens))
/// ```
///
/// The adapted request is sent, and the response names it (contract rule ADAPT). The dispatcher retains the adapter. It
/// runs once for each attempt, off the main actor, in the task of the future, so it can check for cancellation.
/// An error that it throws fails the future, and a `CancellationError` cancels it.
///
/// Requests that it sends itself are no part of the exchange, even with the same method and URL, but have its deadline.
///
/// ``URLRequestAdapter`` is the variant with a callback, as in PiuPiu 1.x.
public protocol RequestAdapter: Sendable {
    /// The request to send instead of `urlRequest`.
    @concurrent
    func adapt(_ urlRequest: URLRequest) async throws -> URLRequest
}

/// Adapts a request with several adapters, in order.
///
/// ```swift
/// URLRequestDispatcher(requestAdapter: RequestAdapterChain(Localisation(), Token(store), Signature(key)))
/// ```
public struct RequestAdapterChain: RequestAdapter {
    private let adapters: [any RequestAdapter]

    /// Makes a chain.
    public init(_ adapters: any RequestAdapter...) {
        self.init(adapters)
    }

    /// Makes a chain.
    public init(_ adapters: [any RequestAdapter]) {
        self.adapters = adapters
    }

    /// The request after the last adapter. An error of an adapter ends the chain.
    @concurrent
    public func adapt(_ urlRequest: URLRequest) async throws -> URLRequest {
        var request = urlRequest
        for adapter in adapters { request = try await adapter.adapt(request) }
        return request
    }
}
