// with: README/sixty-seconds-1

import Foundation
import PiuPiu

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

func showPost(from environment: any ServerProvider, at baseURL: URL) async throws {
    // snippet
}
