// As users write it.
// swift-format-ignore-file: NeverForceUnwrap

import Foundation
import NetworkKit
import Testing

/// Code as users of the module wrote it, compiled in the Swift 5 mode without a change, runs as it did.
@Suite("A client in the Swift 5 mode", .timeLimit(.minutes(10)))
struct LegacyClientTests {
    private func mock(_ statusCode: StatusCode = .ok) -> MockDispatcher {
        return MockDispatcher(baseUrl: URL(string: "https://example.com")!, mockStatusCode: statusCode)
    }

    @Test("A view controller on the main actor touches itself in every callback")
    @MainActor
    func viewController() async throws {
        let dispatcher = mock()
        try dispatcher.setMockData([Post(id: 1, userId: 2, title: "T")])
        let controller = PostsViewController(dispatcher: dispatcher)
        let steps = [controller.load, controller.loadAll, controller.loadHeld, controller.loadWeakly]
        for step in steps {
            await withCheckedContinuation { continuation in
                controller.finish = { continuation.resume() }
                step()
            }
        }
        #expect(controller.shown == ["1 posts", "completion", "T", "held 1", "weak"])
        #expect(controller.postResponseFuture == nil)
        #expect(controller.makeDispatcher().serverProvider === controller)
    }

    @Test("Subclasses of the dispatchers that don't mention Sendable cause no warning and are called")
    @MainActor
    func subclasses() async throws {
        let mock = RecordingMock(baseUrl: URL(string: "https://example.com")!, mockStatusCode: .ok)
        let service = PostService(dispatcher: mock)
        let text = await withCheckedContinuation { continuation in
            service.upload(Post(id: 1, userId: 2, title: "T")) { continuation.resume(returning: $0) }
        }
        #expect(text == "200")
        #expect(mock.paths == ["/posts"])
        let network = TokenDispatcher(serverProvider: mock)
        #expect(network.authorized().headers == ["Authorization": ""])
        network.token = "T"
        #expect(network.authorized().headers == ["Authorization": "T"])
        #expect(network.serverProvider === mock)
    }

    @Test("A service without an actor chains, joins and makes futures of its own")
    @MainActor
    func service() async throws {
        let dispatcher = mock()
        try dispatcher.setMockData(encodable: Post(id: 1, userId: 2, title: "T"))
        let service = PostService(dispatcher: dispatcher)
        let text = await withCheckedContinuation { continuation in
            service.fetch { continuation.resume(returning: $0) }
        }
        #expect(text == "<p>T</p> by 2")
        let status = await withCheckedContinuation { continuation in
            service.upload(Post(id: 1, userId: 2, title: "T")) { continuation.resume(returning: $0) }
        }
        #expect(status == "200")
        dispatcher.mockStatusCode = .conflict
        let failure = await withCheckedContinuation { continuation in
            service.upload(Post(id: 1, userId: 2, title: "T")) { continuation.resume(returning: $0) }
        }
        #expect(failure == "Conflict")
        #expect(service.deprecatedNames().count == 3)
    }

    @Test("Variables that callbacks change and generic helpers work as before")
    @MainActor
    func variables() {
        let service = PostService(dispatcher: RecordingDispatcher())
        var names: [String] = []
        service.albumFuture().then({ $0.name }).response({ names.append($0) }).send()
        service.albumPromise().failure({ names.append("\($0.count)") }).send()
        logged(service.albumFuture().then({ $0.name + "2" }), { names.append($0) }).send()
        service.textPromise().error({ names.append(describe($0)) }).send()
        #expect(names == ["A", "1", "A2", "Unknown"])
        #expect(describe(ResponseError.notFound(cause: nil)) == "not found")
        #expect(Environment().host() == "example.com")
    }

    @Test("The method named await is called as a method, and futures can be awaited beside it")
    func awaiting() async throws {
        let one = ResponseFuture<Int>(action: { $0.succeed(with: 1) })
        let value = try await one.await({ value -> ResponseFuture<String>? in
            value > 0 ? ResponseFuture<String>(action: { $0.succeed(with: "waited for") }) : nil
        }).value
        #expect(value == 1)
        #expect(try await one.await { _ in one }.value == 1)
        let posts = mock()
        try posts.setMockData([Post(id: 1, userId: 2, title: "T")])
        #expect(try await posts.future(from: SearchRequest(queryItems: [])).decodedPosts().value.count == 1)
        let response = try await FailingMock(baseUrl: posts.baseURL, mockStatusCode: .ok)
            .future(from: SearchRequest(queryItems: [])).value
        #expect(response.error?.errorKey == "InternalServerError")
    }

    @Test("Requests are put together as in the examples")
    func requests() throws {
        var request = BasicRequest(method: .post, path: "/users")
        request.setJSONBody(string: "{}", encoding: .utf8)
        let jsonObject: [String: Any?] = ["id": "123", "name": "Kevin Malone"]
        try request.setJSONBody(jsonObject: jsonObject)
        try request.setHTTPBody(jsonObject: jsonObject)
        try request.setJSONBody(encodable: User(id: 1))
        try request.setMapBody(User(id: 1))
        request.httpBody = Data()
        #expect(request.headers == ["Content-Type": "application/json"])
        var form = MultiPartRequest(method: .post, path: "/files")
        form.setHTTPBody(
            file: Data(), fileFieldName: "file", fileName: "a.txt", mimeType: "text/plain", parameters: [:])
        form.setHTTPBody(parameters: ["a": "b"])
        #expect(form.httpBody != nil)
    }
}
