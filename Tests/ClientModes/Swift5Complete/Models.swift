struct Post: Codable, Equatable, Sendable {
    let id: Int
    let userId: Int
    let title: String
}

struct User: Codable, Equatable, Sendable {
    let id: Int
    let name: String
}

/// What `/echo` says about the request that it has got.
struct Echo: Codable, Sendable {
    let path: String
    let headers: [String: String]
}

/// What `/sink` says about the body that it has got.
struct Receipt: Codable, Sendable {
    let count: Int
}
