// with: README/sixty-seconds-1

import Foundation
import PiuPiu

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

func showPosts(from request: URLRequest) async throws {
    // snippet
}
