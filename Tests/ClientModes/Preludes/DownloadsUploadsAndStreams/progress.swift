// with: README/sixty-seconds-1

import Foundation
import PiuPiu

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

func follow(_ request: URLRequest, to file: URL) async throws {
    // snippet
}
