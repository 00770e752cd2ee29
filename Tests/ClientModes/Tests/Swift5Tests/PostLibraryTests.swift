import LoopbackServer
import PiuPiu
import Testing

@Suite("Swift 5: a user's own actor", .timeLimit(.minutes(10)))
struct PostLibraryTests {
    let server: LoopbackServer
    let client: BlogClient
    let library = PostLibrary()

    init() throws {
        server = try LoopbackServer.start()
        client = BlogClient(dispatcher: URLRequestDispatcher(), baseURL: server.baseURL)
    }

    @Test("ANY-ACTOR: success, failure and completion run on the actor")
    func callbacks() async {
        await library.finished(client.post(1))
        await library.finished(client.post(4711))
        #expect(await library.titles.keys.sorted() == [1])
        #expect(await library.failureCount == 1)
    }

    @MainActor
    @Test("ANY-ACTOR: callbacks run on it for a caller on the main actor too, a cancellation included")
    func callbacksFromMain() async throws {
        try await library.add(client.post(2))
        await library.finished(client.post(3), cancel: true)
        #expect(await library.titles.keys.sorted() == [2])
        #expect(await library.cancellationCount == 1)
    }
}
