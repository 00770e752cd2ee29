// with: README/sixty-seconds-1

import Foundation
import PiuPiu

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

func showPost(from url: URL) async throws {
    // snippet
    print(post.title)
}
