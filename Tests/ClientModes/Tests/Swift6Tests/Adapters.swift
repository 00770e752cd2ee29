import Foundation
import PiuPiu

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// Where an app keeps its token.
actor TokenStore {
    private var count = 0

    func token() -> String {
        count += 1
        return "token-\(count)"
    }
}

struct TokenAdapter: RequestAdapter {
    let store: TokenStore

    func adapt(_ urlRequest: URLRequest) async throws -> URLRequest {
        var request = urlRequest
        request.setValue("Bearer \(await store.token())", forHTTPHeaderField: "Authorization")
        return request
    }
}

/// The form of PiuPiu 1.x.
final class LanguageAdapter: URLRequestAdapter {
    func adapt(urlRequest: URLRequest, with callback: @escaping @Sendable (URLRequest) throws -> Void) throws {
        var request = urlRequest
        request.setValue("da", forHTTPHeaderField: "Accept-Language")
        try callback(request)
    }
}

/// Refuses a server's answer about a closed account.
struct AccountGuard: ResponseAdapter {
    struct Closed: Error {}

    func adapt(_ urlResponse: URLResponse, for urlRequest: URLRequest) async throws -> URLResponse {
        if (urlResponse as? HTTPURLResponse)?.statusCode == 403 { throw Closed() }
        return urlResponse
    }
}
