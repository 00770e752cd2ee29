import Foundation

extension LoopbackRoutes {
    /// Posts, users and comments, like those of jsonplaceholder.typicode.com. Writes aren't stored.
    public static let jsonPlaceholder = LoopbackRoutes([
        LoopbackRoute("GET", "/posts") { request in
            guard let user = request.queryItem("userId") else { return allPosts }
            return .json(encoding: SampleData.posts.filter { String($0.userId) == user })
        },
        LoopbackRoute("GET", "/posts/{id}") { request in
            request.number("id").flatMap { singlePosts[$0] } ?? notFound
        },
        LoopbackRoute("POST", "/posts") { request in merged(request, onto: [:], id: 101, status: 201) },
        LoopbackRoute("PUT", "/posts/{id}") { request in
            guard let post = post(request) else { return notFound }
            return merged(request, onto: [:], id: post.id, status: 200)
        },
        LoopbackRoute("PATCH", "/posts/{id}") { request in
            guard let post = post(request) else { return notFound }
            let fields: [String: Any] = ["userId": post.userId, "title": post.title, "body": post.body]
            return merged(request, onto: fields, id: post.id, status: 200)
        },
        LoopbackRoute("DELETE", "/posts/{id}") { request in post(request) == nil ? notFound : .json("{}") },
        LoopbackRoute("GET", "/posts/{id}/comments") { request in
            guard let post = post(request) else { return notFound }
            return .json(encoding: SampleData.comments.filter { $0.postId == post.id })
        },
        LoopbackRoute("GET", "/comments") { request in
            guard let post = request.queryItem("postId") else { return .json(encoding: SampleData.comments) }
            return .json(encoding: SampleData.comments.filter { String($0.postId) == post })
        },
        LoopbackRoute("GET", "/users") { _ in .json(encoding: SampleData.users) },
        LoopbackRoute("GET", "/users/{id}") { request in
            SampleData.users.first { $0.id == request.number("id") }.map { .json(encoding: $0) } ?? notFound
        },
    ])

    static let notFound = LoopbackReply.json("{}", status: 404)

    /// Made once: stress tests and benchmarks ask for these.
    private static let allPosts = LoopbackReply.json(encoding: SampleData.posts)
    private static let singlePosts = Dictionary(
        SampleData.posts.map { ($0.id, LoopbackReply.json(encoding: $0)) }, uniquingKeysWith: { first, _ in first })

    private static func post(_ request: RecordedRequest) -> SampleData.Post? {
        SampleData.posts.first { $0.id == request.number("id") }
    }

    /// The given fields, overridden by the object in the request's body, with the id. Without such an object, the
    /// fields.
    private static func merged(
        _ request: RecordedRequest, onto fields: [String: Any], id: Int, status: Int
    ) -> LoopbackReply {
        // An unreadable body counts as an empty object, as on the server that this one imitates.
        let sent = (try? JSONSerialization.jsonObject(with: request.body)) as? [String: Any] ?? [:]
        var object = fields.merging(sent) { _, new in new }
        object["id"] = id
        do {
            let options: JSONSerialization.WritingOptions = [.sortedKeys, .withoutEscapingSlashes]
            return .json(data: try JSONSerialization.data(withJSONObject: object, options: options), status: status)
        } catch {
            return badRequest
        }
    }
}
