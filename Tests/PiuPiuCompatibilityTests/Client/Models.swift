import Foundation

struct Post: Codable, Equatable {
    let id: Int
    let userId: Int
    let title: String
    let body: String
}

struct User: Codable, Equatable {
    let id: Int
    let name: String
}

struct EnrichedPost: Equatable {
    let post: Post
    let markdown: String
}

/// What happened, in order; written on the main thread, as all callbacks run there.
final class Journal: @unchecked Sendable {
    var lines: [String] = []
}
