import Foundation
import PiuPiu

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

nonisolated struct ServiceKey: Decodable, Sendable {
    let text: String
    let expiry: Date
}

func makeDispatcher(api: URL, login: URLRequestDispatcher, keyRequest: URLRequest) -> any RequestDispatcher {
    // snippet
    return login.authenticated(by: service)
}
