import Foundation
import PiuPiu

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

nonisolated struct Post: Codable, Sendable {
    let title: String
}

nonisolated struct SavedPosts: Sendable {
    let posts: [Post]
    let entityTag: String?
}

nonisolated struct Blog: Sendable {
    let dispatcher: any DataDispatcher
    let postsURL: URL

    // snippet
}
