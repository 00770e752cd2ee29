// As users write it.
// swift-format-ignore-file: NeverForceUnwrap

import Foundation
import NetworkKit

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// A service without an actor, as most legacy code is, with state that nobody guards.
class PostService {
    var calls = 0
    var albums: [Album] = []
    let dispatcher: Dispatcher

    init(dispatcher: Dispatcher) {
        self.dispatcher = dispatcher
    }

    func enrich(post: Post) -> ResponseFuture<EnrichedPost> {
        return ResponseFuture<EnrichedPost>(action: { future in
            DispatchQueue.global(qos: .userInitiated).async {
                let html = "<p>\(post.title)</p>"
                DispatchQueue.main.async {
                    self.calls += 1
                    future.succeed(with: EnrichedPost(post: post, html: html))
                }
            }
        })
    }

    func fetchUser(forId id: Int) -> ResponseFuture<User> {
        return ResponseFuture<User>() { future in
            future.succeed(with: User(id: id))
        }
    }

    func fetch(_ completion: @escaping (String) -> Void) {
        let request = BasicRequest(method: .get, path: "/posts/1", queryItems: [], headers: [:])
        dispatcher.future(from: request).then({ response -> Post in
            if let error = response.error {
                throw error
            }
            return try response.decode(Post.self)
        }).replace({ post -> ResponseFuture<EnrichedPost> in
            return self.enrich(post: post)
        }).join({ enrichedPost -> ResponseFuture<User> in
            return self.fetchUser(forId: enrichedPost.post.userId)
        }).response({ enrichedPost, user in
            completion("\(enrichedPost.html) by \(user.id)")
        }).error({ error in
            completion("\(error)")
        }).completion({
            self.calls += 1
        }).send()
    }

    func upload(_ post: Post, done: @escaping (String) -> Void) {
        dispatcher.promise(from: {
            var request = BasicRequest(method: .post, path: "/posts")
            try request.setJSONBody(post)
            return request
        }).success({ response in
            done("\(response.statusCode.rawValue)")
        }).failure({ response in
            throw response.error
        }).error({ error in
            done("\(error)")
        }).completion({
            self.calls += 1
        }).send()
    }

    func albumFuture() -> ResponseFuture<Album> {
        return ResponseFuture<Album>(action: { future in
            let album = Album()
            self.albums.append(album)
            future.succeed(with: album)
        })
    }

    func albumPromise() -> Promise<Album, [Album]> {
        return Promise<Album, [Album]>(action: { promise in
            promise.fail(with: self.albums)
        })
    }

    func textPromise() -> Promise<String, String> {
        return dispatcher.promise(from: BasicRequest(method: .get, path: "/text"))
            .then({ response in try response.decodeString() })
            .thenFailure({ response in "\(response.error)" })
    }

    func deprecatedNames() -> [ResponsePromise<Data?, Data?>] {
        let request = BasicRequest(method: .get, path: "/")
        return [
            dispatcher.make(request), dispatcher.make(from: { request }), dispatcher.makeRequest(from: { request }),
        ]
    }
}

/// An environment picker, which is no view controller.
class Environment: ServerProvider {
    static let shared = Environment()
    var name = "live"
    var baseURL: URL { return URL(string: name == "live" ? "https://example.com" : "https://test.example.com")! }

    func host() -> String? {
        return baseURL.host
    }
}

func currentURL() -> URL {
    return Environment.shared.baseURL
}

/// A dispatcher of the app's own, and its own mock.
class RecordingDispatcher: Dispatcher {
    var paths: [String] = []

    func future(from request: Request) -> ResponseFuture<Response<Data?>> {
        paths.append(request.path)
        return ResponseFuture<Response<Data?>>(action: { future in
            future.fail(with: ResponseError.unknown(cause: nil))
        })
    }
}

class FailingMock: MockDispatcher {
    override var mockStatusCode: StatusCode {
        get { return .internalServerError }
        set {}
    }

    override func future(from request: Request) -> ResponseFuture<Response<Data?>> {
        return super.future(from: request)
    }
}

/// A request of the app's own.
struct SearchRequest: Request {
    var method: HTTPMethod { return .get }
    var path: String { return "/search" }
    var queryItems: [URLQueryItem]
    var headers: [String: String] = [:]
    var httpBody: Data?
}

/// A body of the app's own, as the examples add support for other libraries.
protocol Mappable {
    func toJSONString() -> String?
    init?(JSONString: String)
}

extension BasicRequest {
    mutating func setJSONBody<T: Mappable>(mappable: T) {
        guard let jsonString = mappable.toJSONString() else {
            return
        }
        self.setJSONBody(string: jsonString)
    }

    mutating func setMapBody<T: Encodable>(_ encodable: T) throws {
        ensureJSONContentType()
        self.httpBody = try JSONEncoder().encode(encodable)
    }
}

extension ResponseInterface where T == Data? {
    func decodeMappable<D: Mappable>(_ type: D.Type) throws -> D {
        let jsonString = try self.decodeString()
        guard let result = D(JSONString: jsonString) else {
            throw SerializationError.failedToDecodeResponseData(cause: nil)
        }
        return result
    }
}

extension ResponseFuture where T == Response<Data?> {
    func decodedPosts() -> ResponseFuture<[Post]> {
        return then({ response in try response.decode([Post].self) })
    }
}

/// A helper that is generic in the value.
func logged<T>(_ future: ResponseFuture<T>, _ log: @escaping (String) -> Void) -> ResponseFuture<T> {
    return future.response({ value in log("\(value)") })
}

/// Errors, as an app looks at them.
func describe(_ error: Error) -> String {
    switch error {
    case ResponseError.notFound(let cause):
        return cause == nil ? "not found" : "not found, because"
    case let error as ResponseError:
        return error.errorKey
    case RequestError.invalidURL(let cause):
        return "\(cause)"
    case SerializationError.unexpectedEmptyResponse:
        return "empty"
    default:
        return "other"
    }
}
