import Foundation
import PiuPiu

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

func check(_ request: URLRequest) async throws -> Bool {
    // snippet
    return isHealthy
}
