struct Post: Codable, Equatable, Sendable {
    let id: Int
    let userId: Int
    let title: String
}

struct User: Codable, Equatable, Sendable {
    let id: Int
    let name: String
}

/// What `/echo` says about its request.
struct Echo: Codable, Sendable {
    let path: String
    let headers: [String: String]
}

/// What `/sink` says about the body that it received.
struct Receipt: Codable, Sendable {
    let count: Int
}
