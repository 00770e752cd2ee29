import Foundation
import PiuPiu

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

nonisolated struct ServiceKey: Sendable {
    let text: String
}

func makeRequest(
    api: URL, network: URLRequestDispatcher, savedKey: String, name: String, password: String, token: String
) throws -> URLRequest {
    // snippet
    return request
}
