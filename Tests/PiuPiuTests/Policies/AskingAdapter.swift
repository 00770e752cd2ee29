import Foundation
import PiuPiu

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// Sends each request by another dispatcher first, as if for a token: with GraphQL, for one, all have the same URL.
struct AskingAdapter: RequestAdapter, ResponseAdapter {
    let dispatcher: any DataDispatcher
    var before: @Sendable () -> Void = {}

    func adapt(_ urlRequest: URLRequest) async throws -> URLRequest {
        try await ask(urlRequest)
        return urlRequest
    }

    func adapt(_ urlResponse: URLResponse, for urlRequest: URLRequest) async throws -> URLResponse {
        try await ask(urlRequest)
        return urlResponse
    }

    private func ask(_ urlRequest: URLRequest) async throws {
        before()
        _ = try await dispatcher.dataFuture(from: urlRequest).value
    }
}
