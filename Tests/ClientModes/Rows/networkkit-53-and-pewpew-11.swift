// or-defining: PEWPEW

import Foundation
import PiuPiu

// In a file with both, the names that both have are those of the module that they are imported from by name.
#if PEWPEW
    import PewPew
    import struct PewPew.BasicRequest
    import class PewPew.MockDispatcher
    import protocol PewPew.Request
    import enum PewPew.RequestError
    import struct PewPew.Response
    import enum PewPew.ResponseError
    import class PewPew.ResponseFuture
    import protocol PewPew.ResponseInterface
    import enum PewPew.SerializationError
    import protocol PewPew.ServerProvider
    import struct PewPew.SuccessResponse
#else
    import NetworkKit
    import struct NetworkKit.BasicRequest
    import class NetworkKit.MockDispatcher
    import protocol NetworkKit.Request
    import enum NetworkKit.RequestError
    import struct NetworkKit.Response
    import enum NetworkKit.ResponseError
    import class NetworkKit.ResponseFuture
    import protocol NetworkKit.ResponseInterface
    import enum NetworkKit.SerializationError
    import protocol NetworkKit.ServerProvider
    import struct NetworkKit.SuccessResponse
    import class NetworkKit.NetworkSerializer
#endif

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

struct Post: Codable, Sendable {
    let id: Int
    let userId: Int
}

struct User: Codable, Sendable {
    let id: Int
}

func user(_ id: Int) -> ResponseFuture<User> { ResponseFuture(action: { $0.succeed(with: User(id: id)) }) }

@MainActor
final class PostScreen {
    var texts: [String] = []
    func show(_ text: String) { texts.append(text) }
}

// row: `future.response { … }`
extension PostScreen {
    func load(_ future: ResponseFuture<Post>) async throws {
        future.response { post in self.show("\(post.id)") }.send()
        future.piuPiuFuture().success { post in self.show("\(post.id)") }.send()
        let post = try await future.value
        show("\(post.id)")
    }
}

// row: `future.error { … }`, `completion { … }`
extension PostScreen {
    func loadOrTell(_ future: ResponseFuture<Post>) {
        future.error { error in self.show("\(error)") }.completion { self.show("completion") }.send()
    }
}

// refused: func end(_ done: @escaping ResponseFuture<Post>.CompletionHandler) { done() }

// row: `send()`, `start()` twice
extension PostScreen {
    func loadTwice(_ future: ResponseFuture<Post>) {
        future.response { _ in self.show("first") }.send()
        future.response { _ in self.show("second") }.start()
    }
}

// row: callbacks that hold `self`
extension PostScreen {
    func attach(to future: ResponseFuture<Post>) -> ResponseFuture<String> {
        future.response { _ in self.show("let go of") }.then { post in
            self.show("kept as long as the future")
            return "\(post.id)"
        }
    }
}

// row: `then`, `replace`, `join`
extension PostScreen {
    func chain(_ future: ResponseFuture<Post>) {
        future.then { post in post.userId }.replace { id in user(id) }.join { user in self.friend(of: user) }
            .response { user, friend in self.show("\(user.id) \(friend.id)") }
            .send()
        future.piuPiuFuture().then(on: .main) { post in post.userId }
            .flatMap { id in user(id).piuPiuFuture() }
            .seriesJoin { user in self.friend(of: user).piuPiuFuture() }
            .success { user, friend in self.show("\(user.id) \(friend.id)") }
            .send()
    }

    func friend(of user: User) -> ResponseFuture<User> { ResponseFuture(action: { $0.succeed(with: user) }) }
}

// row: `future.await { other }`
func wait(for future: ResponseFuture<Post>, and other: ResponseFuture<User>) async throws -> Post {
    future.await { _ in other }.send()
    let post = try await future.value
    _ = try await other.value
    return post
}

// row: `ResponseFuture(action:)`, `succeed(with:)`, `fail(with:)`
func settle() async throws -> Int {
    do {
        _ = try await ResponseFuture<Int>(action: { future in future.fail(with: URLError(.timedOut)) }).value
        return try await ResponseFuture<Int>(action: { future in future.succeed(with: 1) }).value
    } catch FutureError.abandoned {
        return 0
    } catch FutureError.waitsForItself {
        return 1
    }
}

// row: `Promise`, `ResponsePromise`, `success`, `failure`, `error`, `thenFailure`
extension PostScreen {
    func load(_ promise: ResponsePromise<Data?, Data?>) async -> Promise<Int, String> {
        promise.success { response in self.show("\(response.statusCode)") }
            .failure { response in self.show("\(response.error)") }
            .error { error in self.show("\(error)") }
            .send()
        do {
            show("\(try await promise.value.statusCode)")
        } catch let error as PromiseFailure<ErrorResponse<Data?>> {
            let httpError: HTTPError? = error.failure.statusCode.httpError
            show(httpError?.localizedDescription ?? "")
        } catch {
            show("\(error)")
        }
        return promise.then { response in response.data?.count ?? 0 }.thenFailure { response in "\(response.error)" }
    }
}

// row: `promise.future { … }`
// deprecated: future
func makeFuture(of promise: Promise<Int, String>) -> ResponseFuture<Int> {
    #if !PEWPEW
        promise.future { _ in URLError(.badURL) }.send()
    #endif
    return promise.future { failure in failure.count }
}

// row: `dispatcher.make`, `makeRequest`, `fullfill`
// deprecated: make, makeRequest, fullfill
func makePromises(_ dispatcher: any Dispatcher, _ request: BasicRequest) {
    let promise = dispatcher.promise(from: request)
    #if !PEWPEW
        dispatcher.make(request).fullfill(promise)
        dispatcher.makeRequest(from: { request }).send()
    #endif
    dispatcher.promise(from: request).fulfill(promise)
    dispatcher.future(from: request).send()
}

// row: `Dispatcher`, `promise(from:)`, `future(from:)`
final class OwnDispatcher: Dispatcher {
    func future(from request: any Request) -> ResponseFuture<Response<Data?>> {
        ResponseFuture(action: { future in future.fail(with: URLError(.badURL)) })
    }
}

func load(_ dispatcher: any Dispatcher, _ request: BasicRequest, _ next: any DataDispatcher, _ urlRequest: URLRequest) {
    dispatcher.promise(from: request).send()
    dispatcher.future(from: request).send()
    next.dataFuture(from: urlRequest).send()
}

// row: `NetworkDispatcher(serverProvider:)`
func send(_ provider: any ServerProvider, _ serializer: RequestSerializer) async throws -> Int {
    let dispatcher = NetworkDispatcher(serverProvider: provider)
    do {
        let response = try await dispatcher.future(from: BasicRequest(method: .get, path: "/")).value
        return response.data == nil ? 0 : 1
    } catch ResponseError.unknown(let cause as URLError) {
        print(cause.code)
        return try await serializer.dataFuture(from: PiuPiu.BasicRequest(method: .get, path: "/")).value.data?.count
            ?? 0
    }
}

// row: `ServerProvider.baseURL`
final class Server: ServerProvider {
    var baseURL: URL { URL(fileURLWithPath: "/") }
}

// row: `baseURL: URL?` and `RequestError.missingURL`, of PewPew 1.2
// refused: final class Home12: ServerProvider { var baseURL: URL? { URL(string: "https://example.com") } }
// refused: func isMissing12(_ error: RequestError) -> Bool { if case .missingURL = error { true } else { false } }
final class Server12: ServerProvider {
    struct NoURL: Error { let text: String }

    let baseURL: URL

    init(_ text: String) throws {
        guard let url = URL(string: text) else { throw NoURL(text: text) }
        baseURL = url
    }
}

// row: `MockDispatcher(…)`, `mockData`, `mockStatusCode`, `mockHeaders`, `delay`, `setMockData`
class FailingMock: MockDispatcher {
    override var mockStatusCode: StatusCode {
        get { .internalServerError }
        set {}
    }
}

#if swift(>=6)
    extension FailingMock: @unchecked Sendable {}
#endif

func makeMock(_ url: URL, _ request: URLRequest) throws -> MockURLRequestDispatcher {
    let mock = MockDispatcher(baseUrl: url, mockStatusCode: .ok)
    mock.mockData = nil
    mock.mockStatusCode = .created
    mock.mockHeaders = ["A": "1"]
    mock.delay = 1
    try mock.setMockData(Post(id: 1, userId: 2))
    let dispatcher: any Dispatcher = mock
    Task { try await dispatcher.future(from: BasicRequest(method: .get, path: "/")).value }
    mock.future(from: BasicRequest(method: .get, path: "/")).response { print($0.statusCode) }.send()
    return MockURLRequestDispatcher(delay: 1) { request in
        try .makeMockJSONResponse(with: request, encodable: Post(id: 1, userId: 2), statusCode: .created)
    }
}

// row: `mockError:`
// deprecated: init
func makeFailingMock(_ url: URL) -> MockDispatcher {
    #if PEWPEW
        MockDispatcher(baseUrl: url, mockStatusCode: .notFound)  // without mockError:
    #else
        MockDispatcher(baseUrl: url, mockStatusCode: .ok, mockError: .notFound(cause: nil))
    #endif
}

// row: `JSONRequest`
// deprecated: JSONRequest
func makePost() throws -> BasicRequest {
    #if !PEWPEW
        print(JSONRequest(method: .post, path: "/posts"))
    #endif
    var request = BasicRequest(method: .post, path: "/posts")
    try request.setJSONBody(Post(id: 1, userId: 2))
    return request
}

// row: `NetworkSerializer`
// deprecated: NetworkSerializer
func serialize(_ dispatcher: NetworkDispatcher, _ request: BasicRequest) async throws -> Data? {
    #if !PEWPEW
        NetworkSerializer(dispatcher: dispatcher).send(
            request, successHandler: { _, _ in }, errorHandler: { print($0) })
    #endif
    return try await dispatcher.future(from: request).value.data
}

// row: `setHTTPBody(mapEncodable:)`, `decodeMapDecodable`
// refused: func set(_ request: inout BasicRequest) throws { try request.setHTTPBody(mapEncodable: 1) }
// refused: func post(in response: Response<Data?>) throws -> Post { try response.decodeMapDecodable(Post.self) }
func setMap(_ request: inout BasicRequest, _ response: Response<Data?>) throws -> Post {
    try request.setHTTPBody(jsonObject: ["id": 1])
    return try response.decode(Post.self)
}

// row: `setJSONBody(encodable:dateEncodingStrategy:)`
func setDates(_ request: inout BasicRequest) throws {
    try request.setJSONBody(encodable: Date(), dateEncodingStrategy: .iso8601)
    try request.setJSONBody(encodable: Date())
}

// row: `Request`, `BasicRequest`, `setHTTPBody`, `ensureJSONContentType`
struct SearchRequest: Request {
    let method = HTTPMethod.get
    let path = "/search"
    let queryItems: [URLQueryItem] = []
    var headers: [String: String] = [:]
    var httpBody: Data?
}

// The app's own types have only their own descriptions.
// refused: extension SearchRequest: CustomStringConvertible {}

func setBodies(_ request: inout BasicRequest, _ next: inout PiuPiu.BasicRequest) -> [any PiuPiu.Request] {
    request.setHTTPBody(string: "{}")
    request.ensureJSONContentType()
    next.setHTTPBody(string: "{}")
    next.ensureJSONContentType()
    return [next]
}

// row: `setJSONBody(jsonObject:)`
func setObject(_ request: inout BasicRequest) throws { try request.setJSONBody(jsonObject: ["a": 1, "b": nil]) }

// row: URLs of requests
@MainActor
func makeURL(_ server: Server) throws -> URL {
    try server.url(
        from: BasicRequest(method: .get, path: "/a%20b", queryItems: [URLQueryItem(name: "sum", value: "1+1")]))
}

// row: `MultiPartRequest`
func upload(_ film: Data, _ dispatcher: any UploadDispatcher, _ urlRequest: URLRequest) {
    var request = MultiPartRequest(method: .post, path: "/films")
    request.setHTTPBody(file: film, fileName: "a.mp4", mimeType: "video/mp4", parameters: ["title": "A"])
    var form = MultipartForm()
    form.append(text: "A", forName: "title")
    dispatcher.uploadFuture(from: urlRequest, withForm: form).send()
}

// row: `response.error`, `makeError(cause:)`
func check(_ response: Response<Data?>) throws -> String {
    if let error = response.error { throw error }
    let cause = StatusCode.notFound.makeError(cause: URLError(.badURL))
    print(cause as Any, response.statusCode.httpError as Any)
    return ResponseError.otherServerError(cause: nil).errorKey
}

// row: `ResponseInterface`, `Response`, `SuccessResponse`, `ErrorResponse`
func copy(_ response: some ResponseInterface, _ error: ResponseError) -> [any ResponseInterface] {
    let plain = Response<Int>(
        data: 1, httpResponse: response.httpResponse, urlRequest: response.urlRequest, statusCode: .ok, error: nil)
    let http = HTTPResponse<Int>(data: 1, urlRequest: response.urlRequest, httpResponse: response.httpResponse)
    print(http.statusCode)
    return [plain, SuccessResponse(data: 1, response: plain), ErrorResponse(data: 1, response: plain, error: error)]
}

// refused: func describe(_ response: some ResponseInterface) -> String { response.description }

// row: `unwrapData()`, `decodeString(encoding:)`, `decode(_:dateDecodingStrategy:)`
func decode(_ response: Response<Data?>) throws -> Post? {
    do {
        print(try response.unwrapData(), try response.decodeString(encoding: .utf8))
        return try response.decode(Post.self, dateDecodingStrategy: .rfc3339)
    } catch SerializationError.unexpectedEmptyResponse {
        return nil
    }
}

// row: `StatusCode`, `RequestError`, `ResponseError`, `SerializationError`, `BaseNetworkError`
func text(of error: Error, _ status: StatusCode) -> String {
    #if !PEWPEW
        if let error = error as? any BaseNetworkError { return error.errorKey }
    #endif
    switch error {
    case ResponseError.notFound: return "not found"
    case RequestError.missingServerProvider, PiuPiu.RequestError.missingServerProvider: return "no server"
    case SerializationError.failedToDecodeResponseData: return "not decoded"
    case let error as ResponseDecodingError: return error.codingPath
    case let error as HTTPError: return error.errorKey
    default: return "\(status)"
    }
}

// row: `debug()`, `printRequest()`, `printResponse()`
func debug(_ response: Response<Data?>) {
    response.debug()
    response.printRequest()
    response.printResponse()
}

// row: `localizedDescription` of NetworkKit's errors, `Bundle.networkKit`
#if !PEWPEW
    let texts = Bundle.networkKit
#endif

func text(of error: RequestError) -> String { error.localizedDescription }

// row: PewPew's errors
func printed(_ error: ResponseError) -> any CustomStringConvertible { error }

#if PEWPEW
    // warned: extension PewPew.RequestError: LocalizedError { public var errorDescription: String? { errorKey } }
    extension PewPew.ResponseError: @retroactive LocalizedError {
        /// The app's own text.
        public var errorDescription: String? { errorKey }
    }
#endif
