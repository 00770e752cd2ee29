import Foundation

struct Post: Codable {
    let id: Int
    let userId: Int
    let title: String
}

struct EnrichedPost {
    let post: Post
    let html: String
}

struct User: Codable {
    let id: Int
}

struct Album: Codable {
    var name = "A"
}
