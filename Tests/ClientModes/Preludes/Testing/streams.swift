import Foundation
import PiuPiu
import PiuPiuTesting
import Testing

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

func testStream(_ request: URLRequest) async throws {
    // snippet
}
