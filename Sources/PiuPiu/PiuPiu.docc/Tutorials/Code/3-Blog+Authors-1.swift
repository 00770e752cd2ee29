import PiuPiu

extension Blog {
    func author(of id: Int) async throws -> String {
        let post = try await post(id).value
        return try await user(post.userId).value.name
    }
}
