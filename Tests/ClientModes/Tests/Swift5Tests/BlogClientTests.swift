import Foundation
import LoopbackServer
import PiuPiu
import Testing

@Suite("Swift 5: a service, its joins and adapters", .timeLimit(.minutes(10)))
struct BlogClientTests {
    let server: LoopbackServer
    let client: BlogClient

    init() throws {
        server = try LoopbackServer.start()
        client = BlogClient(dispatcher: URLRequestDispatcher(), baseURL: server.baseURL)
    }

    @Test("Joins and task groups, in the background")
    func inBackground() async throws {
        let (post, author) = try await client.postWithAuthor(21).value
        #expect(post.id == 21 && author.name == "Alan Turing")
        #expect(try await client.titles([1, 2, 3]).keys.sorted() == [1, 2, 3])
    }

    @MainActor
    @Test("Joins and task groups, on the main actor")
    func onMain() async throws {
        let (post, user) = try await client.postBesideUser(1, 2).value
        #expect(post.id == 1 && user.id == 2)
        #expect(try await client.posts([3, 1, 2]).fetchResult().map { $0.id } == [3, 1, 2])
        #expect(try await client.titles([1, 2]).count == 2)
    }

    @Test("ADAPT: the adapted request is sent, and what a response adapter throws is the error")
    func adapters() async throws {
        let dispatcher = URLRequestDispatcher(requestAdapter: TokenAdapter(), responseAdapter: AccountGuard())
        let echo = try await dispatcher.dataFuture(from: server.request("/echo")).decoded(Echo.self).value.data
        #expect(echo.headers["Authorization"] == "Bearer token-1")
        await #expect(throws: AccountGuard.Closed.self) {
            try await dispatcher.dataFuture(from: server.request("/status/403")).value
        }
    }
}
