import PiuPiu

extension Blog {
    func author(of id: Int) async throws -> String {
        let post = try await post(id).value
        return try await user(post.userId).value.name
    }

    /// In the order in which the requests end.
    func titles(of ids: [Int]) async throws -> [String] {
        try await withThrowingTaskGroup(of: String.self) { group in
            group.addFutures(ids.map { id in post(id).then { post in post.title } })
            var titles: [String] = []
            for try await title in group { titles.append(title) }
            return titles
        }
    }
}
