// Sound: constant texts that are URLs, unwrapped as the README does it.
// swift-format-ignore-file: NeverForceUnwrap

import Foundation
import PiuPiu

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// The examples of the README of PiuPiu 1.4, as the code of an app's screen.
///
/// Repaired as its readers had to: the closure of `replace` returns an optional, and the joined request takes its post
/// from the enriched one.
@available(*, deprecated)
class ScreenOf14 {
    typealias Dispatcher = DataDispatcher & DownloadDispatcher & UploadDispatcher

    let dispatcher: Dispatcher
    let journal: Journal
    let request = URLRequest(url: URL(string: "https://example.com/posts/1")!, method: .get)

    init(dispatcher: Dispatcher = URLRequestDispatcher(), journal: Journal = Journal()) {
        self.dispatcher = dispatcher
        self.journal = journal
    }

    func makeRequest(done: @escaping () -> Void) {
        dispatcher.dataFuture(from: request).response({ response in
            if let error = response.error {
                throw error
            }
            let post = try response.decode(Post.self)
            self.journal.lines.append("response \(post.id)")
        }).error({ error in
            self.journal.lines.append("error \(error)")
        }).completion({
            self.journal.lines.append("completion")
            done()
        }).send()
    }

    func getPost(id: Int) -> ResponseFuture<Post> {
        return dispatcher.dataFuture(from: {
            let url = URL(string: "https://example.com/posts/\(id)")!
            return URLRequest(url: url, method: .get)
        }).then({ response -> Post in
            if let error = response.error {
                throw error
            } else {
                return try response.decode(Post.self)
            }
        })
    }

    func showPost(id: Int, done: @escaping () -> Void) {
        getPost(id: id).response({ post in
            self.journal.lines.append("post \(post.title)")
        }).error({ error in
            switch error {
            case ResponseError.notFound: self.journal.lines.append("no such post")
            case ResponseError.unauthorized, ResponseError.forbidden: self.journal.lines.append("log in")
            default: self.journal.lines.append("error \(error)")
            }
        }).completion({
            done()
        }).send()
    }

    func chain(done: @escaping () -> Void) {
        dispatcher.dataFuture(from: {
            let url = URL(string: "https://example.com/posts/1")!
            return URLRequest(url: url, method: .get)
        }).then({ response -> Post in
            if let error = response.error {
                throw error
            }
            return try response.decode(Post.self)
        }).replace({ [weak self] post -> ResponseFuture<EnrichedPost>? in
            return self?.enrich(post: post)
        }).join({ enrichedPost -> ResponseFuture<User>? in
            return self.fetchUser(forId: enrichedPost.post.userId)
        }).response({ enrichedPost, user in
            self.journal.lines.append("\(enrichedPost.markdown) by \(user.name)")
        }).error({ error in
            self.journal.lines.append("error \(error)")
        }).completion({
            done()
        }).send()
    }

    func fetchUser(forId id: Int) -> ResponseFuture<User> {
        let url = URL(string: "https://example.com/users/\(id)")!
        return dispatcher.dataFuture(from: URLRequest(url: url, method: .get)).then({ response in
            return try response.decode(User.self)
        })
    }

    func joinInParallel() -> ResponseFuture<([Post], [User])> {
        return dispatcher.dataFuture(from: {
            let url = URL(string: "https://example.com/posts")!
            return URLRequest(url: url, method: .get)
        }).then({ response in
            return try response.decode([Post].self)
        }).join({ () -> ResponseFuture<[User]> in
            let url = URL(string: "https://example.com/users")!
            let request = URLRequest(url: url, method: .get)
            return self.dispatcher.dataFuture(from: request).then({ response -> [User] in
                return try response.decode([User].self)
            })
        })
    }

    func joinInSeriesUnlessGone() -> ResponseFuture<(Post, User)> {
        return getPost(id: 1).join({ [weak self] post -> ResponseFuture<User>? in
            guard let self = self else { return nil }
            return self.fetchUser(forId: post.userId)
        })
    }

    func enrich(post: Post) -> ResponseFuture<EnrichedPost> {
        return ResponseFuture<EnrichedPost>(action: { future in
            DispatchQueue.global(qos: .background).async {
                future.update(progress: 0.5)
                future.update(progress: 1)
                future.succeed(with: EnrichedPost(post: post, markdown: "*\(post.title)*"))
            }
        })
    }

    func encode(_ post: Post) throws -> BasicRequest {
        var request = BasicRequest(method: .post, path: "/posts")
        request.setJSONBody(string: "{}", encoding: .utf8)
        let jsonObject: [String: Any?] = ["id": "123", "name": "Kevin Malone"]
        try request.setJSONBody(jsonObject: jsonObject)
        try request.setJSONBody(encodable: post)
        return request
    }

    func upload(_ post: Post) -> ResponseFuture<Response<Data?>> {
        return dispatcher.dataFuture(from: {
            let url = URL(string: "https://example.com/posts/1")!
            var request = URLRequest(url: url, method: .post)
            try request.setJSONBody(post)
            return request
        })
    }

    func transfer(done: @escaping () -> Void) {
        dispatcher.uploadFuture(from: request, data: Data([1])).then({ $0.data?.count ?? 0 })
            .join({ () -> ResponseFuture<Response<Data?>> in
                self.dispatcher.uploadFuture(from: { self.request })
            })
            .join({ () -> ResponseFuture<Data?> in self.dispatcher.downloadFuture(from: self.request) })
            .join({ () -> ResponseFuture<Data?> in self.dispatcher.downloadFuture(from: { self.request }) })
            .success({ transfers in
                self.journal.lines.append("\(transfers.0.1?.count ?? 0) \(transfers.1?.count ?? 0)")
            })
            .progress({ progress in self.journal.lines.append("at \(progress)") })
            .completion({ done() })
            .send()
    }
}

/// A response's own extensions, with the generic name of 1.4.
@available(*, deprecated)
extension ResponseInterface where T == Data? {
    func decodePost() throws -> Post {
        if let error = error { throw error }
        return try decode(Post.self)
    }
}

@available(*, deprecated)
extension ResponseFuture where T == Response<Data?> {
    var post: ResponseFuture<Post> {
        return then({ response -> Post in try response.decodePost() })
    }
}

struct DatedModel: Codable {
    enum CodingKeys: String, CodingKey {
        case startDate
    }

    private static let formatter: DateFormatter = {
        let rfc3339DateFormatter = DateFormatter()
        rfc3339DateFormatter.locale = Locale(identifier: "en_US_POSIX")
        rfc3339DateFormatter.dateFormat = "yyyy-MM-dd'T'HH:mm:ssZZZZZ"
        rfc3339DateFormatter.timeZone = TimeZone(secondsFromGMT: 0)
        return rfc3339DateFormatter
    }()

    let startDate: Date

    init(from decoder: Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        let dateTransform = DateTransform(formatter: DatedModel.formatter)
        self.startDate = try container.decode(using: dateTransform, forKey: .startDate)
    }

    func encode(to encoder: Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        let dateTransform = DateTransform(formatter: DatedModel.formatter)
        try container.encode(startDate, forKey: .startDate, using: dateTransform)
    }
}

/// A transform with the methods and the spelling of 1.4.
@available(*, deprecated)
class TextDateTransform: Transform {
    typealias ValueDesitination = Date

    let formatter: DateFormatter

    init(formatter: DateFormatter) {
        self.formatter = formatter
    }

    enum TransformError: Error {
        case invalidDateFormat(expectedFormat: String, received: String)
    }

    func transform(json: String) throws -> Date {
        guard let date = formatter.date(from: json) else {
            throw TransformError.invalidDateFormat(expectedFormat: formatter.dateFormat, received: json)
        }
        return date
    }

    func transform(value: Date) throws -> String {
        return formatter.string(from: value)
    }
}

/// The mock of the README.
@available(*, deprecated)
func mockOf14(delay: TimeInterval = 0) -> MockURLRequestDispatcher {
    return MockURLRequestDispatcher(
        delay: delay,
        callback: { request in
            if let id = request.integerValue(atIndex: 1, matching: [.constant("posts"), .wildcard(type: .integer)]) {
                guard id < 100 else { throw ResponseError.notFound }
                let post = Post(id: id, userId: 123, title: "Some post", body: "Lorem ipsum ...")
                return try Response.makeMockJSONResponse(with: request, encodable: post, statusCode: .ok)
            } else if request.pathMatches(pattern: [.constant("posts")]) {
                let post = Post(id: 123, userId: 123, title: "Some post", body: "Lorem ipsum ...")
                return try Response.makeMockJSONResponse(with: request, encodable: [post], statusCode: .ok)
            } else if request.pathMatches(pattern: [.constant("users")]) {
                return try Response.makeMockJSONResponse(
                    with: request, encodable: [User(id: 123, name: "Kevin")], statusCode: .ok)
            } else if let id = request.integerValue(
                atIndex: 1, matching: [.constant("users"), .wildcard(type: .integer)])
            {
                return try Response.makeMockJSONResponse(
                    with: request, encodable: User(id: id, name: "Kevin"), statusCode: .ok)
            } else {
                throw ResponseError.notFound
            }
        })
}
