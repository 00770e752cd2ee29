import Foundation
import PiuPiu
import PiuPiuTesting
import Synchronization

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

struct Article: Codable, Sendable {
    let id: Int
}

// row: closures of `then`, `map`, `thenResult`, actions, `dataFuture { … }` and mocks capture what they like
@MainActor
final class Screen {
    var count = 0
    func show(_ number: Int) { count += number }

    func load(_ numbers: ResponseFuture<Int>, _ dispatcher: any DataDispatcher, _ url: URL) {
        // refused: _ = numbers.then { number in number + self.count }
        // refused: _ = numbers.map { number in number + self.count }
        // refused: _ = numbers.thenResult { _ in self.count }
        // refused: _ = numbers.then(on: DispatchQueue.main) { number in number + self.count }
        // warned: _ = dispatcher.dataFuture { URLRequest(url: url.appending(path: "\(self.count)")) }
        numbers.then { @Sendable number in number + 1 }.then(on: .main) { number in number + self.count }.map(on: .main)
        { number in number + self.count }.thenResult(on: .main) { try $0.get() + self.count }
            .replace { number in dispatcher.dataFuture { URLRequest(url: url.appending(path: "\(number)")) } }
            .success { _ in self.show(self.count) }
            .send()
    }
}

// row: `.completion(done)`, `.success(show)` with function values
extension Screen {
    func attach(_ future: ResponseFuture<Int>, done: @escaping () -> Void) {
        // warned: future.completion(done).send()
        future.completion { done() }.success { self.show($0) }.send()
    }
}

final class Presenter {
    func show(_ number: Int) {}

    func attach(_ future: ResponseFuture<Int>) {
        // warned: future.success(show).send()
        let show: @MainActor @Sendable (Int) -> Void = { number in print(number) }
        future.success(show).send()
    }
}

// row: a function of yours that calls a `CompletionHandler`, `SuccessHandler` or the like itself
// deprecated: CompletionHandler, SuccessHandler
final class NumberCache {
    // refused: func end(_ done: @escaping ResponseFuture<Int>.CompletionHandler) { done() }
    // refused: func find(_ found: @escaping ResponseFuture<Int>.SuccessHandler) throws { try found(1) }
    @MainActor
    func find(
        _ found: @escaping ResponseFuture<Int>.SuccessHandler, _ done: @escaping ResponseFuture<Int>.CompletionHandler
    ) throws {
        try found(1)
        done()
    }

    func load(_ numbers: ResponseFuture<Int>, done: @escaping @Sendable () -> Void) {
        done()
        numbers.completion { done() }.send()
    }
}

#if swift(<6)
    extension NumberCache {
        func loadAsBefore(_ numbers: ResponseFuture<Int>, done: @escaping () -> Void) {
            done()
            numbers.completion { done() }.send()
        }
    }
#endif

// row: callbacks in a class on no actor, such as a view model, a presenter or a test case, that use `self` or set a captured `var`
@MainActor
final class PostPresenter {
    var lines: [String] = []

    func present(_ posts: ResponseFuture<[String]>) {
        var all: [String] = []
        posts.success {
            all = $0
            self.lines = all
        }.send()
    }
}

// row: `.then(decode)` with a function value
func parse(_ response: Response<Data?>) throws -> Article { try response.decode(Article.self) }

func articles(_ response: ResponseFuture<Response<Data?>>) -> [ResponseFuture<Article>] {
    let decode: @Sendable (Response<Data?>) throws -> Article = { try $0.decode(Article.self) }
    return [response.then(decode), response.then { try parse($0) }]
}

// row: `struct Post: Codable` in a module that is on the main actor by default
nonisolated struct Post: Codable {
    let id: Int
}

func decodePost(_ dispatcher: any DataDispatcher, _ request: URLRequest) async throws -> Post {
    try await dispatcher.dataFuture(from: request).decoded(Post.self).value.data
}

// row: any kind of `Success`
enum Sendables {
    struct Success: Sendable { let id: Int }

    struct OwnDispatcher: DataDispatcher, Sendable {
        let inner: any DataDispatcher

        func dataFuture(from urlRequest: URLRequest) -> ResponseFuture<Response<Data?>> {
            inner.dataFuture(from: urlRequest)
        }
    }

    static func successes() -> ResponseFuture<[Success]> { ResponseFuture(result: [Success(id: 1)]) }

    struct Rendered: @unchecked Sendable { let text: NSAttributedString }

    static func rendered(_ text: ResponseFuture<String>) -> ResponseFuture<Rendered> {
        text.then { Rendered(text: NSAttributedString(string: $0)) }
    }

    static func attributed(_ text: ResponseFuture<String>) -> ResponseFuture<AttributedString> {
        text.then { AttributedString($0) }
    }
}

// row: `update(with: URLSessionTask)`, `updated { (task: URLSessionTask) in }`
// deprecated: update, updated
func update(_ future: ResponseFuture<Int>, with task: URLSessionTask) {
    future.updated { (task: URLSessionTask) in print(task.percentTransferred ?? 0) }.send()
    future.update(with: task)
    future.updated { (update: TransferUpdate) in print(update.percentTransferred ?? 0) }.send()
    future.update(with: TransferUpdate(stage: .sent, progress: TransferProgress(bytesSent: 5)))
}

// row: `class MyDispatcher: DataDispatcher`, `weak var dispatcher: DataDispatcher?`
enum Dispatching {
    #if swift(<6)
        class MyDispatcher: DataDispatcher {
            var calls = 0

            func dataFuture(from urlRequest: URLRequest) -> ResponseFuture<Response<Data?>> {
                calls += 1
                return ResponseFuture(error: URLError(.badURL))
            }
        }
    #endif

    struct MyStruct: DataDispatcher, Sendable {
        func dataFuture(from urlRequest: URLRequest) -> ResponseFuture<Response<Data?>> {
            ResponseFuture(error: URLError(.badURL))
        }
    }

    final class Model {
        // refused: weak var dispatcher: DataDispatcher?
        // refused: weak var serializer: RequestSerializer?
        // refused: unowned let sender: URLRequestDispatcher = URLRequestDispatcher()
        let held: any DataDispatcher
        init(dispatcher: any DataDispatcher) { held = dispatcher }
    }
}

// row: adapters, `Request`s and `ServerProvider`s of any kind
struct Path: Request, Sendable {
    let path: String
    func urlRequest(withBaseURL baseURL: URL) throws -> URLRequest { URLRequest(url: baseURL.appending(path: path)) }
}

final class Server: ServerProvider, Sendable {
    let baseURL = URL(string: "https://example.com")
}

struct Token: URLRequestAdapter, Sendable {
    func adapt(urlRequest: URLRequest, with callback: @escaping @Sendable (URLRequest) throws -> Void) throws {
        DispatchQueue.global().async { try? callback(urlRequest) }
    }
}

final class Adapting {
    // refused: weak var adapter: URLRequestAdapter?
    // refused: unowned var responseAdapter: URLResponseAdapter
    let held: any URLRequestAdapter
    init(adapter: any URLRequestAdapter) { held = adapter }
}

// row: a view controller that is a `ServerProvider`
// refused: @MainActor final class Home: ServerProvider { var baseURL: URL? { URL(string: "https://example.com") } }
@MainActor
final class Root: ServerProvider {
    nonisolated var baseURL: URL? { URL(string: "https://example.com") }

    func serializer(_ dispatcher: any DataDispatcher) -> RequestSerializer {
        let serializer = RequestSerializer(dispatcher: dispatcher, serverProvider: self)
        serializer.dataFuture(from: Path(path: "posts")).send()
        return serializer
    }
}

// row: a response type of your own
struct OldResponse: ResponseInterface, Sendable {
    let data: Data?
    let httpResponse: HTTPURLResponse
    let urlRequest: URLRequest

    var urlResponse: URLResponse { httpResponse }
}

func decodeOwn(_ response: OldResponse) throws -> Article { try response.decode(Article.self) }

// row: `extension ResponseError: LocalizedError`, and of `RequestError`
// warned: extension ResponseError: LocalizedError { public var failureReason: String? { errorKey } }
// warned: extension RequestError: LocalizedError { public var failureReason: String? { errorKey } }
func localize(_ texts: [String: String]) -> [String] {
    ErrorLocalization { key, english in texts[key] ?? english }.install()
    return [PiuPiu.ResponseError.noResponse.errorKey, RequestError.missingURL.localizedDescription]
}

// row: `serializer.dispatcher = …`, `serializer.serverProvider = …`
// deprecated: dispatcher, serverProvider
func replace(_ serializer: RequestSerializer, by server: Server, _ dispatcher: any DataDispatcher) -> RequestSerializer
{
    serializer.dispatcher = dispatcher
    serializer.serverProvider = server
    return RequestSerializer(dispatcher: serializer.dispatcher, serverProvider: serializer.serverProvider ?? server)
}

// row: `ResponseFutureSession`
// deprecated: ResponseFutureSession
func makeDispatchers(_ engine: any TransferEngine) -> [URLRequestDispatcher] {
    let session = ResponseFutureSession(configuration: .default)
    print(session)
    return [URLRequestDispatcher(configuration: .ephemeral), URLRequestDispatcher(engine: engine)]
}

// row: subclasses of `URLRequestDispatcher`, `ResponseFuture`
enum Wrapping {
    // refused: class Subclass: URLRequestDispatcher {}
    // refused: class NumberFuture: ResponseFuture<Int> {}
    struct LoggingDispatcher: DataDispatcher {
        let inner: URLRequestDispatcher

        func dataFuture(from urlRequest: URLRequest) -> ResponseFuture<Response<Data?>> {
            inner.dataFuture(from: urlRequest).then { response in
                print(response.urlRequest)
                return response
            }
        }
    }
}

// row: a mock that counts calls in a captured `var`
final class Calls: Sendable {
    let count = Mutex(0)
}

func countCalls(_ request: URLRequest) async throws -> Int {
    // refused: var calls = 0; _ = MockURLRequestDispatcher { calls += 1; return try .makeMockResponse(with: $0, statusCode: .ok) }
    let calls = Calls()
    let mock = MockURLRequestDispatcher { request in
        calls.count.withLock { $0 += 1 }
        return Response.makeMockResponse(with: request, statusCode: .ok)
    }
    let recorder = RecordingDispatcher(mock)
    _ = try await recorder.dataFuture(from: request).value
    return max(calls.count.withLock { $0 }, recorder.exchanges.count)
}

// row: `setHTTPBody(string:encoding:)`, `setJSONBody(string:encoding:)`
// deprecated: setHTTPBody, setJSONBody
func setBodies(_ request: inout URLRequest) throws {
    request.setHTTPBody(string: "text", encoding: .ascii)
    request.setJSONBody(string: "{}", encoding: .utf8)
    request.setHTTPBody(string: "text")
    request.setJSONBody(string: "{}")
    try request.setHTTPBody(text: "text", encoding: .ascii)
    try request.setJSONBody(text: "{}", encoding: .utf16)
}

// row: `setJSONBody(data)` with JSON that is encoded already
// deprecated: setJSONBody
func setEncodedBody(_ request: inout URLRequest, _ data: Data) throws {
    try request.setJSONBody(data)
    request.setJSONBody(data: data)
    try request.setJSONBody(encodable: data)
}

// row: an exhaustive `switch` over `HTTPMethod` or `StatusCode`
func describe(_ method: HTTPMethod, _ status: StatusCode) -> String {
    let word =
        switch method {
        case .get: "load"
        case .post, .put, .patch: "store"
        case .delete: "remove"
        default: "talk"
        }
    switch status {
    case .ok, .created: return "\(word): done"
    case .notFound: return "\(word): gone"
    default: return "\(word): \(status.rawValue)"
    }
}

func describe(_ error: ResponseError) -> String {
    switch error {
    case .noResponse: "nothing came"
    default: error.localizedDescription
    }
}

// row: transforms of your own
nonisolated struct FlagTransform: Transform {
    func from(json: Int, codingPath: [any CodingKey]) throws -> Bool { json != 0 }
    func toJSON(_ value: Bool, codingPath: [any CodingKey]) throws -> Int { value ? 1 : 0 }
}

func send(_ transform: some Transform) -> any Sendable { transform }

// row: `transform(value:)`, `transform(json:)`
// deprecated: from, toJSON, transform
struct OldTransform: Transform {
    func transform(json: Int) throws -> Bool { json != 0 }
    func transform(value: Bool) throws -> Int { value ? 1 : 0 }
}

func callTransforms() throws -> [Any] {
    let transform = FlagTransform()
    let json = try transform.transform(value: true), value = try transform.transform(json: 1)
    return [
        json, value, try transform.toJSON(true, codingPath: []), try transform.from(json: 1, codingPath: []),
        try OldTransform().from(json: 1, codingPath: []), try OldTransform().toJSON(true, codingPath: []),
    ]
}

// row: `DateTransform(formatter:codingPath:)`
// deprecated: init
func makeDateTransforms(_ formatter: DateFormatter) -> [DateTransform] {
    [DateTransform(formatter: formatter, codingPath: []), DateTransform(formatter: formatter)]
}

// row: `decodedResponse`, `decodedResponseIfPresent`, `SafeResponse`
// deprecated: decodedResponse, decodedResponseIfPresent, SafeResponse
func decode(_ response: Response<Data?>) throws -> Article? {
    let article: Article = try response.decodedResponse(Article.self).data
    let safe: SafeResponse<Article> = .response(article)
    print(safe, try response.decodedResponseIfPresent(Article.self).data?.id ?? 0)
    let result = Result { try response.decoded(Article.self) }
    print(result)
    return try response.decodedIfPresent(Article.self).data
}

// row: `URL.temporaryDirectory`
func folder() -> URL { URL.temporaryDirectory }
