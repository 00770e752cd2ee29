/// A post of jsonplaceholder.
struct Post: Codable, Sendable, Equatable {
    let userId: Int
    let id: Int
    let title: String
    let body: String

    /// A post for mocks, which no server has.
    static let sample = Post(userId: 7, id: 42, title: "Made up", body: "By a mock.")
}

/// A user of jsonplaceholder.
struct User: Codable, Sendable, Equatable {
    let id: Int
    let name: String
    let email: String
}
