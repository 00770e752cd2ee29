import Foundation
import PiuPiu

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

func measure(_ request: URLRequest) async throws {
    // snippet
}
