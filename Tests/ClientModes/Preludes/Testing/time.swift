// with: README/sixty-seconds-1

import Foundation
import PiuPiu
import PiuPiuTesting
import Testing

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

func testTimeout(_ request: URLRequest, users: [User]) async throws {
    // snippet
}
