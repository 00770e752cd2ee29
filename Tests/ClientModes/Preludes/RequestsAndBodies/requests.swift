// with: README/sixty-seconds-1

import Foundation
import PiuPiu

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

func send(_ post: Post, by serializer: RequestSerializer, name: String, password: String) throws {
    let loginURL = URL(fileURLWithPath: "/login"), photosURL = loginURL, photo = loginURL, postsURL = loginURL
    // snippet
}
