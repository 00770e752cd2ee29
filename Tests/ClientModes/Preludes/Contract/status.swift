// with: README/sixty-seconds-1

import Foundation
import PiuPiu

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

func show(_ request: URLRequest) async throws {
    // snippet
    print(response.statusCode, good.statusCode)
}
