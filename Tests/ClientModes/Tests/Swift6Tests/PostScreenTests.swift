import ClientSupport
import LoopbackServer
import PiuPiu
import Testing

@Suite("Sendable checked: a screen on the main actor", .timeLimit(.minutes(10)))
struct PostScreenTests {
    private let server: LoopbackServer
    private let blog: Blog

    init() throws {
        server = try LoopbackServer.start()
        blog = Blog(dispatcher: URLRequestDispatcher(), baseURL: server.baseURL)
    }

    @MainActor
    @Test("MAIN: callbacks show a post and its author")
    func callbacks() async {
        let screen = PostScreen(blog: blog)
        await screen.finished { screen.load(1) }
        #expect(screen.title.hasSuffix(", by Ada Lovelace"))
        #expect(screen.progressCount >= 6 && screen.message == nil && !screen.isLoading)
    }

    @Test("MAIN: callbacks show them for a caller off the main actor too")
    func callbacksFromBackground() async {
        #expect(!MainQueue.isCurrent)
        let screen = await PostScreen(blog: blog)
        await screen.finished { screen.load(11) }
        #expect(await screen.title.hasSuffix(", by Grace Hopper"))
    }

    @MainActor
    @Test("STATUS: an HTTP error that a transform throws is shown; then(on: .main) writes to the screen")
    func httpError() async {
        let screen = PostScreen(blog: blog)
        await screen.finished { screen.loadChecked(4711) }
        #expect(screen.title.isEmpty && screen.message != nil)
        await screen.finished { screen.loadChecked(2) }
        #expect(screen.title.hasPrefix("about to show 2: "))
    }

    @MainActor
    @Test("AFTER-CANCEL: a screen that is left gets its cancellation and its completion")
    func leaving() async {
        let screen = PostScreen(blog: blog)
        await screen.finished {
            screen.load(1)
            screen.leave()
        }
        #expect(screen.title.isEmpty && screen.message == "cancelled" && !screen.isLoading)
    }

    @MainActor
    @Test("Awaiting shows the same")
    func awaiting() async {
        let screen = PostScreen(blog: blog)
        await screen.reload(1)
        #expect(screen.title.hasSuffix(", by Ada Lovelace"))
        await screen.reload(4711)
        #expect(screen.message != nil)
    }

    @MainActor
    @Test("RELEASE: nothing retains a screen whose callbacks have run")
    func release() async {
        weak var gone: PostScreen?
        do {
            let screen = PostScreen(blog: blog)
            gone = screen
            await screen.finished { screen.load(1) }
        }
        // The caller of the completion ends with this turn of the main actor.
        await withCheckedContinuation { continuation in MainQueue.afterThisTurn { continuation.resume() } }
        #expect(gone == nil)
    }
}
