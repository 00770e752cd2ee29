import Foundation
import PiuPiu

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

nonisolated struct Token: RequestAdapter {
    func adapt(_ urlRequest: URLRequest) async throws -> URLRequest { urlRequest }
}

func makeDispatcher() -> any RequestDispatcher {
    // snippet
    return dispatcher
}
