import Foundation
import LoopbackServer
import PiuPiu
import TestSupport
import Testing

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

@Suite("Futures of requests for a server", .timeLimit(.minutes(10)))
struct BaseURLFormTests {
    /// Logs when it is built; may fail.
    private struct ToldRequest: Request {
        let log: EventLog
        var error: Mishap?

        func urlRequest(withBaseURL baseURL: URL) throws -> URLRequest {
            log("built")
            if let error { throw error }
            return URLRequest(url: baseURL.appending(path: "posts"), method: .put)
        }
    }

    /// Only what a dispatcher has to implement.
    private struct PlainDispatcher: RequestDispatcher {
        let mock: MockURLRequestDispatcher

        func dataFuture(from urlRequest: URLRequest) -> ResponseFuture<Response<Data?>> {
            mock.dataFuture(from: urlRequest)
        }

        func uploadFuture(from urlRequest: URLRequest, with data: Data) -> ResponseFuture<Response<Data?>> {
            mock.uploadFuture(from: urlRequest, with: data)
        }

        func downloadFuture(from urlRequest: URLRequest, to destination: URL) -> ResponseFuture<Response<URL>> {
            mock.downloadFuture(from: urlRequest, to: destination)
        }

        func streamFuture(from urlRequest: URLRequest) -> ResponseFuture<Response<StreamedBody>> {
            mock.streamFuture(from: urlRequest)
        }
    }

    /// A form, as a future of the URL that was asked for.
    private typealias Form =
        @Sendable (any RequestDispatcher, any Request, URL, _ file: URL) -> ResponseFuture<String>

    private static func address(_ response: any ResponseInterface) -> String {
        "\(response.urlRequest.httpMethod ?? "") \(response.urlRequest.url?.absoluteString ?? "")"
    }

    private static let forms: [Form] = [
        { dispatcher, request, base, _ in dispatcher.dataFuture(from: request, at: base).then { address($0) } },
        { dispatcher, request, base, _ in
            dispatcher.uploadFuture(from: request, at: base, with: Data("a".utf8)).then { address($0) }
        },
        { dispatcher, request, base, _ in
            dispatcher.uploadFuture(from: request, at: base, with: .data(Data("a".utf8))).then { address($0) }
        },
        { dispatcher, request, base, file in
            dispatcher.downloadFuture(from: request, at: base, to: file).then { address($0) }
        },
        { dispatcher, request, base, file in
            dispatcher.downloadFuture(from: request, at: base, to: file, isResumable: true).then { address($0) }
        },
        { dispatcher, request, base, _ in dispatcher.streamFuture(from: request, at: base).then { address($0) } },
        { dispatcher, request, base, _ in
            dispatcher.uploadFuture(from: request, at: base, withForm: MultipartForm()).then { address($0) }
        },
        { dispatcher, request, base, _ in
            dispatcher.uploadFuture(from: request, at: base, withFile: URL(filePath: #filePath)).then { address($0) }
        },
        { dispatcher, request, base, _ in
            let chunks = AsyncStream<Data> { $0.finish() }
            return dispatcher.uploadFuture(from: request, at: base, withChunks: chunks, length: 0).then { address($0) }
        },
        { dispatcher, request, base, file in
            dispatcher.downloadFuture(from: request, at: base, toFolder: file) { _, suggested in "7 \(suggested)" }
                .then { address($0) }
        },
        { dispatcher, request, base, file in
            dispatcher.downloadFuture(toFolder: file) { try request.urlRequest(withBaseURL: base) }
                .then { address($0) }
        },
    ]

    private let base: URL
    private let mock = MockURLRequestDispatcher { request in
        Response.makeMockResponse(with: request, jsonString: "{}", statusCode: .ok)
    }

    init() throws {
        base = try url("https://example.com/api")
    }

    @Test(
        "COLD, ONCE: the request is built when the future is started, over mocks, policies and plain dispatchers",
        arguments: forms.indices)
    func built(index: Int) async throws {
        let form = Self.forms[index], file = URL.temporaryDirectory.appending(path: UUID().uuidString)
        defer { try? FileManager.default.removeItem(at: file) }
        let dispatchers: [any RequestDispatcher] = [
            mock, mock.retrying().validating(), PlainDispatcher(mock: mock), PlainDispatcher(mock: mock).retrying(),
        ]
        for dispatcher in dispatchers {
            let log = EventLog()
            let future = form(dispatcher, ToldRequest(log: log), base, file)
            #expect(log.events.isEmpty)
            #expect(await future.ending == "value PUT https://example.com/api/posts")
            #expect(await future.ending == "value PUT https://example.com/api/posts")
            #expect(log.events == ["built"])
        }
    }

    @Test("The request is built inside send(), and its error fails the future", arguments: forms.indices)
    func failing(index: Int) async throws {
        let log = EventLog(), file = URL.temporaryDirectory.appending(path: UUID().uuidString)
        let future = Self.forms[index](mock, ToldRequest(log: log, error: Mishap(number: 1)), base, file)
        future.send()
        #expect(log.events == ["built"])
        #expect(await future.ending == "error Mishap(number: 1)")
    }

    @Test("EARLY: cancelled before the start, the future builds nothing", arguments: forms.indices)
    func early(index: Int) async throws {
        let log = EventLog(), file = URL.temporaryDirectory.appending(path: UUID().uuidString)
        let future = Self.forms[index](mock, ToldRequest(log: log), base, file)
        future.cancel()
        future.send()
        #expect(await future.ending == "cancelled")
        #expect(log.events.isEmpty)
    }

    @Test("The request for the first page is built at the call, whose error is that of the request")
    func pages() async throws {
        let log = EventLog()
        let pages = try mock.pages(from: ToldRequest(log: log), at: base)
        #expect(log.events == ["built"])
        for try await page in pages { #expect(Self.address(page) == "PUT https://example.com/api/posts") }
        #expect(log.events == ["built"])
        #expect(throws: Mishap(number: 1)) {
            try mock.pages(from: ToldRequest(log: log, error: Mishap(number: 1)), at: base)
        }
    }

    @Test("Segments and bodies arrive as they were given, over a socket")
    func overSocket() async throws {
        let server = try LoopbackServer.start()
        let network: any RequestDispatcher = URLRequestDispatcher(configuration: .ephemeral)
        let request = try BasicRequest(method: .get, pathSegments: ["posts", "a/b 100%"])
        _ = await network.dataFuture(from: request, at: server.baseURL).ending
        let upload = BasicRequest(method: .put, path: "echo", form: ["not": "sent"])
        _ = await network.uploadFuture(from: upload, at: server.baseURL, with: Data("body".utf8)).ending
        #expect(server.requests.map(\.path) == ["/posts/a%2Fb%20100%25", "/echo"])
        #expect(server.requests.last?.body == Data("body".utf8))
    }
}
