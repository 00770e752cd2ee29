#if canImport(FoundationNetworking)
    public import FoundationNetworking
#else
    public import Foundation
#endif

/// Changes each request before it is sent, or does something else first: adds a token, signs, logs, waits.
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
/// The adapted request is the one that is sent, and the one that the response names (contract rule ADAPT). An adapter is
/// held strongly. It runs once for each request that is started, off the main actor, in the task of the future, whose
/// cancellation it may heed; what it throws fails the future, and a `CancellationError` cancels it.
///
/// For the form with a callback, that of PiuPiu 1.x, see ``URLRequestAdapter``.
public protocol RequestAdapter: Sendable {
    /// The request to send in the place of `urlRequest`.
    @concurrent
    func adapt(_ urlRequest: URLRequest) async throws -> URLRequest
}

/// Adapts a request by several adapters, one after the other, the first first.
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

    /// The request as the last adapter leaves it. What one throws ends the chain.
    @concurrent
    public func adapt(_ urlRequest: URLRequest) async throws -> URLRequest {
        var request = urlRequest
        for adapter in adapters { request = try await adapter.adapt(request) }
        return request
    }
}
