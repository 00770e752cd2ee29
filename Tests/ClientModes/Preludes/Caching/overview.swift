import Foundation
import PiuPiu

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

func load(_ request: URLRequest, _ caches: URL) async throws {
    // snippet
}
