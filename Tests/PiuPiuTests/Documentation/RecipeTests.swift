import Foundation
import PiuPiu
import PiuPiuTesting
import TestSupport
import Testing

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// The code of Recipes.md, where what it does isn't obvious.
@Suite("Recipes", .timeLimit(.minutes(10)))
struct RecipeTests {
    private let clock = ManualClock()

    // MARK: - Turn an API's error into a type of your own

    private struct APIError: LocalizedError, Decodable {
        let code: String
        let message: String

        var errorDescription: String? { message }
    }

    private struct APIErrors: DispatcherPolicy {
        func future<Content: Sendable>(of exchange: PendingExchange<Content>) -> ResponseFuture<Response<Content>> {
            exchange.makeFuture().mapError { error in
                guard let refusal = error as? UnacceptableStatusError else { return error }
                return (try? refusal.decode(APIError.self)) ?? error
            }
        }
    }

    @Test(
        "An API's error is that of each kind of exchange, after its retries",
        arguments: RecordedExchange.Kind.allCases)
    func apiError(kind: RecordedExchange.Kind) async throws {
        let body = Data(#"{"code": "quota", "message": "Come back tomorrow."}"#.utf8)
        let server = scripted(.number(503), .status(.tooManyRequests, data: body))
        let policy = RetryPolicy.fixed(SkippingClock())
        let dispatcher = server.retrying(policy).validating().applying(APIErrors())
        let folder = try TemporaryFolder()
        let error = await #expect(throws: APIError.self) {
            try await kind.text(of: request("GET"), by: dispatcher, in: folder).value
        }
        #expect(error?.code == "quota" && error?.localizedDescription == "Come back tomorrow.")
        #expect(server.exchanges.count == 3)
    }

    @Test("What is no error of the API's own stays as it is")
    func otherError() async throws {
        let page = scripted(.status(.notFound, data: Data("<html>".utf8))).validating().applying(APIErrors())
        await #expect(throws: UnacceptableStatusError.self) { try await page.dataFuture(from: request("GET")).value }
        let broken = scripted(.broken(.cannotConnect)).validating().applying(APIErrors())
        await #expect(throws: TransferError.self) { try await broken.dataFuture(from: request("GET")).value }
    }

    // MARK: - Load only what has changed

    private struct SavedPosts: Sendable {
        let posts: [String]
        let entityTag: String?
    }

    private func refreshed(_ saved: SavedPosts, by dispatcher: some DataDispatcher) async throws -> SavedPosts {
        var request = try request("GET")
        request.cachePolicy = .reloadIgnoringLocalCacheData
        request.setValue(saved.entityTag, forHTTPHeaderField: "If-None-Match")
        let response = try await dispatcher.dataFuture(from: request).validated([.ok, .notModified]).value
        if response.status == .notModified { return saved }
        return SavedPosts(posts: try response.decode([String].self), entityTag: response.headers["ETag"])
    }

    @Test("What has not changed is answered by a 304, and what has by new data with a new tag")
    func condition() async throws {
        let current = Locked((tag: "\"1\"", posts: ["first"]))
        let server = RecordingDispatcher(
            MockRouteTable(routes: [
                MockRoute(
                    MockAnswer { request, _ in
                        let (tag, posts) = current.withLock { $0 }
                        let isSame = request.value(forHTTPHeaderField: "If-None-Match") == tag
                        return Response.makeMockResponse(
                            with: request, data: isSame ? nil : try JSONEncoder().encode(posts),
                            statusCode: isSame ? .notModified : .ok, headers: ["ETag": tag])
                    })
            ]))
        let first = try await refreshed(SavedPosts(posts: [], entityTag: nil), by: server)
        #expect(first.posts == ["first"] && first.entityTag == "\"1\"")
        let same = try await refreshed(first, by: server)
        #expect(same.posts == ["first"] && same.entityTag == "\"1\"")
        current.withLock { $0 = ("\"2\"", ["second"]) }
        let second = try await refreshed(same, by: server)
        #expect(second.posts == ["second"] && second.entityTag == "\"2\"")
        #expect(server.exchanges.map { $0.statusCode } == [.ok, .notModified, .ok])
    }

    // MARK: - Limit the time until a stream begins

    @Test("The time limit of a stream's future ends with the head")
    func headOnly() async throws {
        let (chunks, continuation) = AsyncStream.makeStream(of: Data.self)
        let server = scripted(.chunks(chunks))
        let response = try await server.streamFuture(from: request("GET")).validated()
            .timeout(.seconds(5), clock: clock).value
        clock.advance(by: .seconds(60))
        continuation.yield(Data("1\n".utf8))
        continuation.finish()
        var prices: [Int] = []
        for try await price in response.decodedLines(Int.self) { prices.append(price) }
        #expect(prices == [1])
    }

    @Test("A head that comes too late fails the future, and cancels the transfer")
    func lateHead() async throws {
        let table = MockRouteTable(clock: clock, script: MockScript([.status(.ok).after(.seconds(6))]))
        let server = RecordingDispatcher(table)
        let future = server.streamFuture(from: try request("GET")).timeout(.seconds(5), clock: clock)
        let loading = Task { try await future.value }
        await clock.sleepers(until: [.seconds(5), .seconds(6)])
        clock.advance(by: .seconds(5))
        await #expect(throws: FutureError.self) { _ = try await loading.value }
        await clock.noSleepers()
    }

    // MARK: - Use two APIs with different credentials

    @Test("Each of two authenticators changes the requests to its own origin only")
    func twoCredentials() async throws {
        let server = scripted(.status(.ok))
        let shop = Authenticator.bearer(BearerToken("token"), for: try URL(fixture: "https://shop.example.com")) { $0 }
        let maps = Authenticator("key", for: try URL(fixture: "https://maps.example.com")) { request, key in
            request.setValue(key, forHTTPHeaderField: "X-API-Key")
        }
        let dispatcher = server.authenticated(by: shop).authenticated(by: maps).retrying()
        for host in ["shop", "maps", "www"] {
            _ = try await dispatcher.dataFuture(from: request("GET", "https://\(host).example.com/")).value
        }
        let requests = server.exchanges.map(\.urlRequest)
        #expect(requests.map { $0.value(forHTTPHeaderField: "Authorization") } == ["Bearer token", nil, nil])
        #expect(requests.map { $0.value(forHTTPHeaderField: "X-API-Key") } == [nil, "key", nil])
    }
}
