// with: README/sixty-seconds-1

import Foundation
import PiuPiu
import PiuPiuTesting
import Testing

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

func testLatency(_ request: URLRequest, post: Post) async throws {
    // snippet
}
