import ClientSupport
import LoopbackServer
import PiuPiu
import Testing

@Suite("Swift 6, main actor by default: a user's own actor", .timeLimit(.minutes(10)))
struct PostLibraryTests {
    private let server: LoopbackServer
    private let library: PostLibrary

    init() throws {
        server = try LoopbackServer.start()
        library = PostLibrary(blog: Blog(dispatcher: URLRequestDispatcher(), baseURL: server.baseURL))
    }

    @concurrent
    @Test("ANY-ACTOR: success, failure and completion run on the actor")
    func callbacks() async {
        await library.finished(1)
        await library.finished(4711)
        #expect(await library.titles.keys.sorted() == [1])
        #expect(await library.failureCount == 1)
    }

    @Test("ANY-ACTOR: callbacks run on it for a caller on the main actor too, a cancellation included")
    func callbacksFromMain() async {
        await library.finished(2)
        await library.finished(3, cancel: true)
        #expect(await library.titles.keys.sorted() == [2])
        #expect(await library.cancellationCount == 1)
    }

    @concurrent
    @Test("An actor awaits futures")
    func awaiting() async throws {
        try await library.add(5)
        #expect(await library.titles.keys.sorted() == [5])
    }
}
