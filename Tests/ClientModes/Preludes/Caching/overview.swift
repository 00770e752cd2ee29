import Foundation
import PiuPiu

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

func load(_ request: URLRequest) async throws {
    // snippet
}
