import Foundation
import PiuPiu

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

nonisolated struct Post: Codable, Sendable {
    let title: String
}

nonisolated struct Client: Sendable {
    func results(for text: String) -> ResponseFuture<[Post]> { ResponseFuture { [] } }
}

nonisolated let client = Client()

// snippet
