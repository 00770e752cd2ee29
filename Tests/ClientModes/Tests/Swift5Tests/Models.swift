struct Post: Codable, Equatable {
    var id: Int
    var userId: Int
    var title: String
}

struct User: Codable, Equatable {
    var id: Int
    var name: String
}

/// What `/echo` says about its request.
struct Echo: Codable {
    var path: String
    var headers: [String: String]
}

/// What `/sink` says about the body that it received.
struct Receipt: Codable {
    var count: Int
}
