#if canImport(FoundationNetworking)
    public import FoundationNetworking
#else
    public import Foundation
#endif

/// Changes the head of each response before anybody sees it, or does something else with it.
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
/// It is held strongly, and runs once for each response, off the main actor, in the task of the future. `urlRequest` is
/// the one that the response answers: the adapted one, and after redirects the last. What it throws fails the future.
/// Errors don't come by here.
///
/// For the form with a callback, that of PiuPiu 1.x, see ``URLResponseAdapter``.
public protocol ResponseAdapter: Sendable {
    /// The head to show in the place of `urlResponse`.
    @concurrent
    func adapt(_ urlResponse: URLResponse, for urlRequest: URLRequest) async throws -> URLResponse
}

/// Adapts a response by several adapters, one after the other, the first first.
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

    /// The head as the last adapter leaves it. What one throws ends the chain.
    @concurrent
    public func adapt(_ urlResponse: URLResponse, for urlRequest: URLRequest) async throws -> URLResponse {
        var response = urlResponse
        for adapter in adapters { response = try await adapter.adapt(response, for: urlRequest) }
        return response
    }
}
