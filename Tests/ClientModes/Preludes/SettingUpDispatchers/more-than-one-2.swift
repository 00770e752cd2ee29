import Foundation
import PiuPiu

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

nonisolated struct Signature: RequestAdapter {
    let key: String

    func adapt(_ urlRequest: URLRequest) async throws -> URLRequest {
        var request = urlRequest
        request.setValue(key, forHTTPHeaderField: "X-Signature")
        return request
    }
}

func makeSigned(
    _ network: URLRequestDispatcher, _ request: URLRequest, key: String
) async throws -> (callback: String?, dispatcher: URLRequestDispatcher) {
    // snippet
    return (callback, signed)
}
