#if canImport(FoundationNetworking)
    public import FoundationNetworking
#else
    public import Foundation
#endif

/// Changes the head of each response before the caller sees it, or does other work with it.
///
/// ```swift
/// /// Makes a local JSON file look like the answer of a server, for a test or a preview.
/// struct FilesAsHTTP: ResponseAdapter {
///     func adapt(_ urlResponse: URLResponse, for urlRequest: URLRequest) async throws -> URLResponse {
///         guard let url = urlResponse.url, url.isFileURL else { return urlResponse }
///         return HTTPURLResponse(url: url, statusCode: 200, httpVersion: nil, headerFields: nil) ?? urlResponse
///     }
/// }
/// ```
///
/// The dispatcher retains it. It runs once for each response, off the main actor, in the task of the future.
/// `urlRequest` is the answered request: the adapted one, and after redirects the last. An error that it throws fails
/// the future. It isn't called for errors. Requests that it sends itself are no part of the exchange, but have its
/// deadline.
///
/// ``URLResponseAdapter`` is the variant with a callback, as in PiuPiu 1.x.
public protocol ResponseAdapter: Sendable {
    /// The head to return instead of `urlResponse`.
    @concurrent
    func adapt(_ urlResponse: URLResponse, for urlRequest: URLRequest) async throws -> URLResponse
}

/// Adapts a response with several adapters, in order.
public struct ResponseAdapterChain: ResponseAdapter {
    private let adapters: [any ResponseAdapter]

    /// Makes a chain.
    public init(_ adapters: any ResponseAdapter...) {
        self.init(adapters)
    }

    /// Makes a chain.
    public init(_ adapters: [any ResponseAdapter]) {
        self.adapters = adapters
    }

    /// The head after the last adapter. An error of an adapter ends the chain.
    @concurrent
    public func adapt(_ urlResponse: URLResponse, for urlRequest: URLRequest) async throws -> URLResponse {
        var response = urlResponse
        for adapter in adapters { response = try await adapter.adapt(response, for: urlRequest) }
        return response
    }
}
