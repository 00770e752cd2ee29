struct Post: Codable, Equatable {
    let id: Int
    let userId: Int
    let title: String
}

struct User: Codable, Equatable {
    let id: Int
    let name: String
}

/// What `/echo` says about its request.
struct Echo: Codable {
    let path: String
    let headers: [String: String]
}

/// What `/sink` says about the body that it received.
struct Receipt: Codable {
    let count: Int
}
