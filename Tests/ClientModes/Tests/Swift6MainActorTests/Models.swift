nonisolated struct Post: Codable, Equatable {
    let id: Int
    let userId: Int
    let title: String
}

nonisolated struct User: Codable, Equatable {
    let id: Int
    let name: String
}

/// What `/echo` says about its request.
nonisolated struct Echo: Codable {
    let path: String
    let headers: [String: String]
}

/// What `/sink` says about the body that it received.
nonisolated struct Receipt: Codable {
    let count: Int
}
