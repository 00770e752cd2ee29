import ClientSupport
import LoopbackServer
import PiuPiu
import Testing

@Suite("Sendable checked: a service that belongs to no actor", .timeLimit(.minutes(10)))
struct BlogTests {
    private let server: LoopbackServer
    private let blog: Blog

    init() throws {
        server = try LoopbackServer.start()
        blog = Blog(dispatcher: URLRequestDispatcher(), baseURL: server.baseURL)
    }

    @Test("Task groups, joins and sequences of futures, in the background")
    func inBackground() async throws {
        try await useEverything(here: "background")
    }

    @MainActor
    @Test("Task groups, joins and sequences of futures, for a caller on the main actor")
    func onMain() async throws {
        try await useEverything(here: "main")
    }

    nonisolated(nonsending) private func useEverything(here: String) async throws {
        #expect(MainQueue.name == here)
        let (post, author) = try await blog.postWithAuthorInBackground(21)
        #expect(post.id == 21 && author.name == "Alan Turing")
        #expect(try await blog.titles([1, 2, 3]).keys.sorted() == [1, 2, 3])
        #expect(try await blog.names([1, 2]) == ["Ada Lovelace", "Grace Hopper"])
        let (first, second, list) = try await blog.overview()
        #expect(first.id == 1 && second.id == 2 && list.map(\.id) == [1, 2, 3, 4, 5])
        #expect(try await blog.longTitleCount([1, 2, 3]) == 3)
    }

    @Test("BACKGROUND: a transform runs off the main actor, on: .main runs on it")
    func whereTransformsRun() async throws {
        let inBackground = try await blog.post(1).then { _ in MainQueue.name }.value
        let onMain = try await blog.post(1).then(on: .main) { _ in MainQueue.name }.value
        #expect(inBackground == "background" && onMain == "main")
    }

    @Test("DOWN: a cancelled task leaves its await, and the future is cancelled")
    func cancelledTask() async throws {
        server.handle("GET", "/silent/posts/1", reply: .stall)
        let blog = Blog(dispatcher: URLRequestDispatcher(), baseURL: server.url("/silent"))
        let future = blog.post(1), journal = Journal()
        _ = future.onCancellation { journal.write("cancellation") }
        let task = Task { try await future.value }
        try await server.waitForRequests(path: "/silent/posts/1")
        task.cancel()
        await #expect(throws: CancellationError.self) { try await task.value }
        #expect(await journal.lines(1) == ["cancellation"])
    }
}
