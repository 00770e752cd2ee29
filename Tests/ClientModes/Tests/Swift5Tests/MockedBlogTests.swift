import Foundation
import PiuPiu
import PiuPiuTesting
import Testing

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

@Suite("Swift 5: test doubles", .timeLimit(.minutes(10)))
struct MockedBlogTests {
    let baseURL = URL(string: "https://blog.example") ?? URL(filePath: "/")

    @MainActor
    @Test("A screen over a table of routes, whose requests are recorded")
    func screen() async throws {
        let recorder = RecordingDispatcher(
            MockRouteTable(routes: [
                MockRoute(.get, ["posts", .wildcard(type: .integer)]) { request, values in
                    let post = Post(id: values[1].integerValue ?? 0, userId: 7, title: "Made up")
                    return try Response.makeMockJSONResponse(with: request, encodable: post, statusCode: .ok)
                },
                MockRoute(
                    .get, ["users", .wildcard(type: .integer)],
                    MockScript([.failure(TransferError(.timedOut)), .json(User(id: 7, name: "Nobody"))])),
            ]))
        let controller = PostViewController(client: BlogClient(dispatcher: recorder, baseURL: baseURL))
        await controller.finished { controller.load(3) }
        #expect(controller.title == nil && controller.message != nil)
        await controller.finished { controller.load(3) }
        #expect(controller.title == "Made up, by Nobody")
        let paths = try await recorder.ended(4).map { $0.urlRequest.url?.path() }
        #expect(paths == ["/posts/3", "/users/7", "/posts/3", "/users/7"])
    }

    @Test("A mock whose closure captures an object that isn't Sendable")
    func capturing() async throws {
        class Fixture {
            var title = "Captured"
        }
        let fixture = Fixture()
        let mock = MockURLRequestDispatcher { request in
            let post = Post(id: 1, userId: 1, title: fixture.title)
            return try Response.makeMockJSONResponse(with: request, encodable: post, statusCode: .ok)
        }
        #expect(try await BlogClient(dispatcher: mock, baseURL: baseURL).post(1).value.title == "Captured")
    }

    @Test("A custom dispatcher, a class with state")
    func ownDispatcher() async throws {
        let dispatcher = CountingDispatcher()
        #expect(try await BlogClient(dispatcher: dispatcher, baseURL: baseURL).user(9).value.name == "Canned")
        #expect(dispatcher.count == 1)
    }
}

final class CountingDispatcher: DataDispatcher {
    var count = 0

    func dataFuture(from urlRequest: URLRequest) -> ResponseFuture<Response<Data?>> {
        return ResponseFuture { future in
            self.count += 1
            let json = "{\"id\": 9, \"name\": \"Canned\"}"
            future.succeed(with: Response.makeMockResponse(with: urlRequest, jsonString: json, statusCode: .ok))
        }
    }
}
