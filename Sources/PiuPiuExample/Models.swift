/// A post, as jsonplaceholder has them.
struct Post: Codable, Sendable, Equatable {
    let userId: Int
    let id: Int
    let title: String
    let body: String

    /// One that no server needs to know.
    static let sample = Post(userId: 7, id: 42, title: "Made up", body: "By a mock.")
}

/// A user, as jsonplaceholder has them.
struct User: Codable, Sendable, Equatable {
    let id: Int
    let name: String
    let email: String
}
