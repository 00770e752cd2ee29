import Foundation
import PiuPiu
import PiuPiuTesting
import Synchronization
import Testing

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

@Suite("Sendable checked: test doubles", .timeLimit(.minutes(10)))
struct MockedBlogTests {
    private let routes = MockRouteTable(routes: [
        MockRoute(.get, ["posts", .wildcard(type: .integer)]) { request, values in
            let post = Post(id: values[1].integerValue ?? 0, userId: 7, title: "Made up")
            return try Response.makeMockJSONResponse(with: request, encodable: post, statusCode: .ok)
        },
        MockRoute(
            .get, ["users", .wildcard(type: .integer)],
            MockScript([.failure(TransferError(.timedOut)), .json(User(id: 7, name: "Nobody"))])),
    ])

    @MainActor
    @Test("A screen over a table of routes, whose requests are recorded")
    func screen() async throws {
        let recorder = RecordingDispatcher(routes)
        let screen = PostScreen(blog: blog(recorder))
        await screen.finished { screen.load(3) }
        #expect(screen.title.isEmpty && screen.message != nil)
        await screen.finished { screen.load(3) }
        #expect(screen.title == "Made up, by Nobody")
        let paths = try await recorder.ended(4).map { $0.urlRequest.url?.path() }
        #expect(paths == ["/posts/3", "/users/7", "/posts/3", "/users/7"])
    }

    @Test("An actor over a mock that counts its calls")
    func counting() async throws {
        let calls = Calls()
        let mock = MockURLRequestDispatcher { request in
            calls.increment()
            let post = Post(id: 1, userId: 1, title: "Counted")
            return try Response.makeMockJSONResponse(with: request, encodable: post, statusCode: .ok)
        }
        let library = PostLibrary(blog: blog(mock))
        await library.finished(1)
        try await library.add(1)
        #expect(await library.titles == [1: "Counted"])
        #expect(calls.count == 2)
    }

    @Test("A custom dispatcher")
    func ownDispatcher() async throws {
        #expect(try await blog(Canned(json: #"{"id":9,"userId":1,"title":"Canned"}"#)).post(9).value.title == "Canned")
    }

    private func blog(_ dispatcher: any DataDispatcher) -> Blog {
        Blog(dispatcher: dispatcher, baseURL: URL(string: "https://blog.example") ?? URL(filePath: "/"))
    }
}

/// A counter that any thread may raise.
private final class Calls: Sendable {
    private let number = Mutex(0)

    var count: Int { number.withLock { $0 } }

    func increment() {
        number.withLock { $0 += 1 }
    }
}

/// Answers everything with one text.
private struct Canned: DataDispatcher {
    let json: String

    func dataFuture(from urlRequest: URLRequest) -> ResponseFuture<Response<Data?>> {
        ResponseFuture { Response.makeMockResponse(with: urlRequest, jsonString: json, statusCode: .ok) }
    }
}
