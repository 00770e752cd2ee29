import Foundation
import LoopbackServer
import PiuPiu
import TestSupport
import Testing

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

@Suite("The request serializer", .timeLimit(.minutes(10)))
struct RequestSerializerTests {
    /// Knows a server, which may move.
    private final class Environment: ServerProvider {
        private let url: Locked<URL?>

        init(_ url: URL?) {
            self.url = Locked(url)
        }

        var baseURL: URL? {
            get { url.withLock { $0 } }
            set { url.withLock { $0 = newValue } }
        }
    }

    private struct PathRequest: Request {
        let path: String

        func urlRequest(withBaseURL baseURL: URL) throws -> URLRequest {
            URLRequest(url: baseURL.appending(path: path), method: .get)
        }
    }

    /// Logs when it is built; may fail.
    private struct ToldRequest: Request {
        let log: EventLog
        var error: Mishap?

        func urlRequest(withBaseURL baseURL: URL) throws -> URLRequest {
            log("built")
            if let error { throw error }
            return URLRequest(url: baseURL, method: .get)
        }
    }

    private struct Post: Decodable, Sendable { let id: Int }

    private let base: URL
    /// Answers with the URL that it was asked for.
    private let mock = MockURLRequestDispatcher { request in
        Response.makeMockResponse(
            with: request, jsonString: request.url?.absoluteString ?? "nothing", statusCode: .ok)
    }

    init() throws {
        base = try url("https://example.com/api")
    }

    private func text(_ future: ResponseFuture<Response<Data?>>) async -> String {
        await future.then { $0.data.text ?? "nothing" }.ending
    }

    @Test("It sends the request built from the provider's URL, over a socket")
    func overSocket() async throws {
        let server = try LoopbackServer.start()
        let environment = Environment(server.baseURL)
        let serializer = RequestSerializer(
            dispatcher: URLRequestDispatcher(configuration: .ephemeral), serverProvider: environment)
        #expect(
            try await serializer.dataFuture(from: PathRequest(path: "posts/7")).decoded(Post.self).value.data.id == 7)
        #expect(try await serializer.dataFuture { PathRequest(path: "posts/8") }.decoded(Post.self).value.data.id == 8)
        #expect(server.requests.map(\.path) == ["/posts/7", "/posts/8"])
    }

    @Test("The base URL is read when the future starts")
    func movingServer() async throws {
        let environment = Environment(nil)
        let serializer = RequestSerializer(dispatcher: mock, serverProvider: environment)
        let future = serializer.dataFuture(from: PathRequest(path: "a"))
        environment.baseURL = base
        #expect(await text(future) == "value https://example.com/api/a")
        environment.baseURL = try url("https://example.org")
        #expect(await text(future) == "value https://example.com/api/a", "MEMO")
        #expect(await text(serializer.dataFuture { PathRequest(path: "b") }) == "value https://example.org/b")
    }

    @Test("SYNC-START, COLD, ONCE: the request is built inside send(), on its thread, and once")
    func synchronousStart() async {
        let environment = Environment(base), log = EventLog(), thread = ThreadLocalMark()
        let serializer = RequestSerializer(dispatcher: mock, serverProvider: environment)
        let future = serializer.dataFuture {
            log("closure, on this thread: \(thread.isSet)")
            return ToldRequest(log: log)
        }
        #expect(log.events.isEmpty)
        let events = thread.whileSet {
            future.send()
            return log.events
        }
        #expect(events == ["closure, on this thread: true", "built"])
        future.send()
        _ = await future.ending
        #expect(log.events.count == 2)
    }

    @Test("A released provider is an error when the future starts, and nothing else retains it")
    func missingProvider() async throws {
        var environment: Environment? = Environment(base)
        let serializer = RequestSerializer(dispatcher: mock, serverProvider: try #require(environment))
        let future = serializer.dataFuture(from: PathRequest(path: "a"))
        let started = serializer.dataFuture(from: PathRequest(path: "b"))
        started.send()
        #expect(serializer.serverProvider === environment)
        environment = nil
        #expect(serializer.serverProvider == nil)
        await #expect(throws: RequestError.missingServerProvider) { _ = try await future.value }
        #expect(await text(started) == "value https://example.com/api/b")
    }

    @Test("COLD, VALUE: a base URL is a value, which needs no provider")
    func baseURL() async throws {
        let log = EventLog()
        func makeFuture(_ request: any Request) -> ResponseFuture<Response<Data?>> {
            let serializer = RequestSerializer(dispatcher: mock, baseURL: base)
            #expect(serializer.serverProvider == nil)
            return serializer.dataFuture(from: request)
        }
        let future = makeFuture(ToldRequest(log: log))
        #expect(log.events.isEmpty)
        #expect(await text(future) == "value https://example.com/api")
        #expect(log.events == ["built"])
        #expect(await makeFuture(ToldRequest(log: log, error: Mishap(number: 1))).ending == "error Mishap(number: 1)")
        let serializer = RequestSerializer(dispatcher: mock, baseURL: base)
        #expect(try serializer.urlRequest(from: PathRequest(path: "a")).url == base.appending(path: "a"))
        #expect(await text(serializer.dataFuture { PathRequest(path: "b") }) == "value https://example.com/api/b")
    }

    @Test("Without a base URL there is no URL")
    func missingURL() async {
        let environment = Environment(nil), log = EventLog()
        let serializer = RequestSerializer(dispatcher: mock, serverProvider: environment)
        let future = serializer.dataFuture(from: ToldRequest(log: log))
        await #expect(throws: RequestError.missingURL) { _ = try await future.value }
        #expect(log.events.isEmpty)
    }

    @Test("It builds the requests of other futures when these start")
    func otherFutures() async throws {
        let environment = Environment(nil), log = EventLog()
        let serializer = RequestSerializer(dispatcher: mock, serverProvider: environment)
        let stream = mock.streamFuture { try serializer.urlRequest(from: PathRequest(path: "feed")) }
        environment.baseURL = base
        let response = try await stream.value
        #expect(response.urlRequest.url == base.appending(path: "feed"))
        let upload = mock.uploadFuture(with: .data(Data())) { try serializer.urlRequest(from: PathRequest(path: "a")) }
        #expect(await text(upload) == "value https://example.com/api/a")
        let failing = ToldRequest(log: log, error: Mishap(number: 1))
        #expect(throws: Mishap(number: 1)) { try serializer.urlRequest(from: failing) }
    }

    @Test("A request isn't built without a provider, or without its base URL")
    func unknownServer() throws {
        var environment: Environment? = Environment(nil)
        let log = EventLog()
        let serializer = RequestSerializer(dispatcher: mock, serverProvider: try #require(environment))
        #expect(throws: RequestError.missingURL) { try serializer.urlRequest(from: ToldRequest(log: log)) }
        environment?.baseURL = base
        let built = try serializer.urlRequest(from: PathRequest(path: "a"))
        #expect(built.url == base.appending(path: "a"))
        withExtendedLifetime(environment) {}
        environment = nil
        #expect(throws: RequestError.missingServerProvider) {
            try serializer.urlRequest(from: PathRequest(path: "a"))
        }
        #expect(log.events.isEmpty)
    }

    @Test("What the request, or the closure, throws fails the future; nil cancels it")
    func failures() async {
        let environment = Environment(base), log = EventLog()
        let serializer = RequestSerializer(dispatcher: mock, serverProvider: environment)
        let failing = ToldRequest(log: log, error: Mishap(number: 1))
        #expect(await serializer.dataFuture(from: failing).ending == "error Mishap(number: 1)")
        #expect(await serializer.dataFuture { throw Mishap(number: 2) }.ending == "error Mishap(number: 2)")
        #expect(await serializer.dataFuture { nil }.ending == "cancelled")
        serializer.dataFuture { nil }.cancellation { log("cancellation") }.completion { log("completion") }.send()
        #expect(await log.all(3) == ["built", "cancellation", "completion"])
    }

    @Test("NEVER-HANG, VALUE: a future outlives its serializer")
    func shortLivedSerializer() async {
        let environment = Environment(base)
        func makeFuture() -> ResponseFuture<Response<Data?>> {
            RequestSerializer(dispatcher: mock, serverProvider: environment).dataFuture(from: PathRequest(path: "a"))
        }
        #expect(await text(makeFuture()) == "value https://example.com/api/a")
    }

    @Test("EARLY: cancelled before the start, the future builds nothing")
    func early() async {
        let environment = Environment(base), log = EventLog()
        let future = RequestSerializer(dispatcher: mock, serverProvider: environment)
            .dataFuture(from: ToldRequest(log: log))
        future.cancel()
        future.send()
        #expect(await future.ending == "cancelled")
        #expect(log.events.isEmpty)
    }

    @Test("SENDABLE: tasks share a serializer")
    func tasks() async throws {
        let environment = Environment(base)
        let serializer = RequestSerializer(dispatcher: mock, serverProvider: environment)
        let texts = await withTaskGroup(of: String.self) { group in
            for number in 0..<20 {
                group.addTask { await text(serializer.dataFuture { PathRequest(path: "\(number)") }) }
            }
            return await group.reduce(into: Set<String>()) { $0.insert($1) }
        }
        #expect(texts == Set((0..<20).map { "value https://example.com/api/\($0)" }))
    }
}

/// Tells whether code runs inside a certain closure, on its thread.
private struct ThreadLocalMark: Sendable {
    private let key = "PiuPiuTests.\(UUID().uuidString)"

    var isSet: Bool { Thread.current.threadDictionary[key] != nil }

    func whileSet<Output>(_ body: () -> Output) -> Output {
        Thread.current.threadDictionary[key] = true
        defer { Thread.current.threadDictionary[key] = nil }
        return body()
    }
}
