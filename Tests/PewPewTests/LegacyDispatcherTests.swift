import Foundation
import LoopbackServer
import PewPew
import TestSupport
import Testing

import protocol PiuPiu.DataDispatcher
import enum PiuPiu.InvalidRequestError
import struct PiuPiu.MockURLRequestDispatcher
import struct PiuPiu.Response
import class PiuPiu.ResponseFuture

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// A dispatcher whose requests have no answer. It writes down each that is sent, and each that is cancelled.
private struct Unanswering: DataDispatcher {
    let log: EventLog
    /// Ends the requests that are left.
    let end: Gate

    func dataFuture(from urlRequest: URLRequest) -> ResponseFuture<Response<Data?>> {
        ResponseFuture { [log, end] (future: ResponseFuture<Response<Data?>>) in
            log("sent")
            _ = future.onCancellation { log("cancelled") }
            Task {
                await end.pass()
                future.cancel()
            }
        }
    }
}

@Suite("The legacy dispatchers", .timeLimit(.minutes(10)))
struct LegacyDispatcherTests {
    private final class Provider: ServerProvider {
        let baseURL: URL

        init(_ baseURL: URL) { self.baseURL = baseURL }
    }

    private struct Post: Codable, Sendable, Equatable { var id = 1 }

    private let log = EventLog()
    private let request = BasicRequest(method: .get, path: "/posts")

    private func mock(_ statusCode: StatusCode = .ok) throws -> MockDispatcher {
        MockDispatcher(baseUrl: try #require(URL(string: "https://example.com")), mockStatusCode: statusCode)
    }

    // MARK: The mock

    @Test("The mock delivers on the main actor, never inside send(), with or without a delay")
    func mockDelivery() async throws {
        let dispatcher = try mock()
        try dispatcher.setMockData(Post())
        for delay in [0, 0.01] {
            dispatcher.delay = delay
            dispatcher.future(from: request)
                .response { [log] in log("\(try $0.decode(Post.self).id) on main: \(MainQueue.isCurrent)") }
                .completion { [log] in log("completion") }
                .send()
            await log.wait(for: delay == 0 ? 2 : 4)
        }
        #expect(log.events == ["1 on main: true", "completion", "1 on main: true", "completion"])
        await MainActor.run {
            dispatcher.future(from: request).completion { [log] in log("late") }.send()
            #expect(log.events.count == 4)
        }
        await log.wait(for: 5)
    }

    @Test("The mock's status decides the error, and its data, headers and URL are in the response")
    func mockResponse() async throws {
        let dispatcher = try mock(.notFound)
        dispatcher.mockHeaders = ["X-A": "b"]
        dispatcher.setMockData(jsonString: "[]", encoding: .utf8)
        let response = try await dispatcher.future(from: request).value
        guard case .notFound(cause: nil)? = response.error else {
            Issue.record("\(String(describing: response.error))")
            return
        }
        #expect(response.statusCode == .notFound)
        #expect(response.httpResponse.value(forHTTPHeaderField: "x-a") == "b")
        #expect(try response.decodeString() == "[]")
        #expect(response.urlRequest.url?.absoluteString == "https://example.com/posts")
        dispatcher.setMockData(jsonString: "a\u{200B}", encoding: .windowsCP1250)
        #expect(dispatcher.mockData == nil)
        try dispatcher.setMockData(jsonObject: ["a": nil])
        dispatcher.mockStatusCode = .created
        let created = try await dispatcher.future(from: request).value
        #expect(created.error == nil)
        #expect(try created.decodeString() == #"{"a":null}"#)
    }

    @Test("A weak reference is nil if never sent, not nil while the delay runs, and nil at the end")
    @MainActor
    func weakReference() async throws {
        let dispatcher = try mock()
        let unsent = Weak(dispatcher.future(from: request).completion {})
        #expect(unsent.object == nil)
        dispatcher.delay = 0.01
        let sent = Weak(dispatcher.future(from: request).completion { [log] in log("completion") }.send())
        #expect(sent.object != nil)
        await log.wait(for: 1)
        await MainActor.run {}
        await released { sent.object == nil }
    }

    /// Lets the main actor end the turn in which the completion ran.
    @MainActor
    private func released(_ isReleased: () -> Bool) async {
        for _ in 0..<1000 where !isReleased() {
            await withCheckedContinuation { continuation in DispatchQueue.main.async { continuation.resume() } }
        }
        #expect(isReleased())
    }

    @Test("A path without a slash is an invalid URL, of the mock too, and the text names the slash")
    func invalidURL() async throws {
        let dispatcher = try mock()
        let error = await #expect(throws: RequestError.self) {
            try await dispatcher.future(from: BasicRequest(method: .get, path: "posts")).value
        }
        guard case .invalidURL(let cause)? = error else {
            Issue.record("\(String(describing: error))")
            return
        }
        #expect(cause.localizedDescription.hasSuffix("and begin the path with one slash."))
    }

    @Test(
        "A header that can't be sent is an error, of the mock too, and nothing is sent without it",
        arguments: ["Bearer a\nb", "a\r\nX-B: c", "a\0"])
    func unsendableHeader(value: String) async throws {
        let sent = MockURLRequestDispatcher { [log] request in
            log("sent")
            return .makeMockResponse(with: request, statusCode: .ok)
        }
        let mock = try mock(), provider = Provider(mock.baseURL)
        let network = NetworkDispatcher(serverProvider: provider, dispatcher: sent)
        let request = BasicRequest(method: .get, path: "/posts", headers: ["Authorization": value])
        await #expect(throws: InvalidRequestError.self) { try await network.future(from: request).value }
        await #expect(throws: InvalidRequestError.self) { try await mock.future(from: request).value }
        await #expect(throws: InvalidRequestError.self) { try await provider.urlRequest(from: request) }
        #expect(log.events.isEmpty)
    }

    // MARK: Every dispatcher

    @Test("promise(from:) splits responses by their error")
    func promise() async throws {
        for statusCode in [StatusCode.ok, .notFound] {
            let dispatcher = try mock(statusCode)
            dispatcher.promise(from: request)
                .success { [log] in log("success \($0.statusCode.rawValue)") }
                .failure { [log] in log("failure \($0.statusCode.rawValue) \($0.error.errorKey)") }
                .completion { [log] in log("completion") }
                .send()
            await log.wait(for: statusCode == .ok ? 2 : 4)
        }
        #expect(log.events == ["success 200", "completion", "failure 404 NotFound", "completion"])
        let failure = await #expect(throws: PromiseFailure<ErrorResponse<Data?>>.self) {
            try await mock(.notFound).promise(from: request).value
        }
        #expect(failure?.failure.statusCode == .notFound)
        #expect(failure?.underlyingError is ResponseError)
    }

    @Test("An error thrown while the request is made is delivered, also from a closure that only throws")
    func closures() async throws {
        let dispatcher = try mock()
        dispatcher.promise(from: { throw Mishap(number: 1) }).error { [log] in log("\($0)") }.send()
        dispatcher.future(from: { throw Mishap(number: 2) }).error { [log] in log("\($0)") }.send()
        dispatcher.future(from: {
            var request = BasicRequest(method: .post, path: "/posts")
            try request.setJSONBody(Post())
            return request
        }).response { [log] in log($0.urlRequest.httpMethod ?? "") }.send()
        #expect(await log.all(3) == ["Mishap(number: 1)", "Mishap(number: 2)", "POST"])
    }

    // MARK: The network

    @Test("A network dispatcher delivers responses of every status on the main actor")
    func network() async throws {
        let server = try LoopbackServer.start(routes: .none)
        defer { server.stop() }
        server.handle("POST", "/ok", reply: .json("{\"id\":1}"))
        let provider = Provider(server.baseURL)
        let dispatcher = NetworkDispatcher(serverProvider: provider)
        var request = BasicRequest(method: .post, path: "/ok", queryItems: [URLQueryItem(name: "q", value: "a+b")])
        try request.setJSONBody(encodable: Post())
        dispatcher.future(from: request)
            .response { [log] in log("\(try $0.decode(Post.self).id) on main: \(MainQueue.isCurrent)") }
            .completion { [log] in log("completion") }
            .send()
        #expect(await log.all(2) == ["1 on main: true", "completion"])
        let recorded = try #require(server.requests(path: "/ok").first)
        #expect(recorded.method == "POST")
        #expect(recorded.query == "q=a%2Bb")
        #expect(recorded.header("Content-Type") == "application/json")
        #expect(String(bytes: recorded.body, encoding: .utf8) == "{\"id\":1}")

        let missing = try await dispatcher.future(from: BasicRequest(method: .get, path: "/missing")).value
        #expect(missing.statusCode == .notFound)
        #expect(missing.error?.errorKey == "NotFound")
    }

    @Test("ADAPT: the response names the request that was sent")
    func adaptedRequest() async throws {
        let mock = MockURLRequestDispatcher { request in
            var adapted = request
            adapted.setValue("b", forHTTPHeaderField: "X-A")
            return .makeMockResponse(with: adapted, statusCode: .ok)
        }
        let provider = Provider(try #require(URL(string: "https://example.com")))
        let response = try await NetworkDispatcher(serverProvider: provider, dispatcher: mock)
            .future(from: request).value
        #expect(response.urlRequest.value(forHTTPHeaderField: "X-A") == "b")
        withExtendedLifetime(provider) {}
    }

    @Test("ADAPT: after a redirect the response names the last request")
    func redirectedRequest() async throws {
        let server = try LoopbackServer.start(routes: .none)
        defer { server.stop() }
        server.handle("GET", "/posts", reply: .redirect(to: "/moved"))
        server.handle("GET", "/moved", reply: .json("[]"))
        let provider = Provider(server.baseURL)
        let response = try await NetworkDispatcher(serverProvider: provider).future(from: request).value
        #expect(response.urlRequest.url?.path() == "/moved")
        withExtendedLifetime(provider) {}
    }

    @Test("Without a response the error is unknown, with the URLError as its cause")
    func noResponse() async throws {
        let server = try LoopbackServer.start(routes: .none)
        defer { server.stop() }
        let provider = Provider(try server.refusingURL())
        let error = await #expect(throws: ResponseError.self) {
            try await NetworkDispatcher(serverProvider: provider).future(from: request).value
        }
        guard case .unknown(let cause)? = error else {
            Issue.record("\(String(describing: error))")
            return
        }
        #expect(cause is URLError)
    }

    @Test("The provider is held weakly: after its release, the error is missingServerProvider")
    func providerGone() async throws {
        let dispatcher: NetworkDispatcher
        do {
            let provider = Provider(try #require(URL(string: "https://example.com")))
            dispatcher = NetworkDispatcher(serverProvider: provider)
            #expect(dispatcher.serverProvider === provider)
        }
        #expect(dispatcher.serverProvider == nil)
        let error = await #expect(throws: RequestError.self) { try await dispatcher.future(from: request).value }
        guard case .missingServerProvider? = error else {
            Issue.record("\(String(describing: error))")
            return
        }
    }

    @Test("An unsent future retains its dispatcher")
    func futureHoldsDispatcher() throws {
        let provider = Provider(try #require(URL(string: "https://example.com")))
        var dispatcher: NetworkDispatcher? = NetworkDispatcher(serverProvider: provider)
        let held = Weak(dispatcher)
        var future = dispatcher?.future(from: request)
        dispatcher = nil
        #expect(held.object != nil)
        future = nil
        #expect(held.object == nil)
        #expect(future == nil)
    }

    @Test("UP: a request that was cancelled before the main actor sent it isn't sent for the next run of its future")
    func cancelledBeforeSent() async throws {
        let end = Gate(), isCancelled = Gate()
        defer { end.open() }
        let provider = Provider(try #require(URL(string: "https://example.com")))
        let parent = NetworkDispatcher(serverProvider: provider, dispatcher: Unanswering(log: log, end: end))
            .future(from: BasicRequest(method: .post, path: "/posts"))
        let first = parent.then { $0 }.piuPiuFuture().onCompletion { isCancelled.open() }
        let second = parent.then { $0 }.piuPiuFuture()
        await MainQueue.blocked {
            first.send()
            first.cancel()
            await isCancelled.opened()
            #expect(parent.status == .error)
            second.send()
        }
        // What was enqueued on the main queue comes first.
        await withCheckedContinuation { continuation in DispatchQueue.main.async { continuation.resume() } }
        #expect(log.events == ["sent"])
        second.cancel()
        #expect(await log.all(2) == ["sent", "cancelled"])
        withExtendedLifetime(provider) {}
    }

    @Test("DOWN: cancelling the awaiting task cancels the request")
    func networkCancellation() async throws {
        let server = try LoopbackServer.start(routes: .none)
        defer { server.stop() }
        server.handle("GET", "/posts", reply: LoopbackReply(steps: [.stall]))
        let provider = Provider(server.baseURL)
        let future = NetworkDispatcher(serverProvider: provider).promise(from: request)
        let task = Task { try await future.value }
        try await server.waitForRequests(path: "/posts")
        task.cancel()
        await #expect(throws: CancellationError.self) { try await task.value }
        try await server.waitUntilIdle()
    }
}
