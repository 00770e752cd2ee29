/// A post, as jsonplaceholder has them.
struct Post: Codable, Sendable, Equatable {
    let userId: Int
    let id: Int
    let title: String
    let body: String
}

/// A user, as jsonplaceholder has them.
struct User: Codable, Sendable, Equatable {
    let id: Int
    let name: String
    let email: String
}
