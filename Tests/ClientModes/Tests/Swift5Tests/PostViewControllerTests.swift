import ClientSupport
import LoopbackServer
import PiuPiu
import Testing

@Suite("Swift 5: a view controller and a presenter", .timeLimit(.minutes(10)))
struct PostViewControllerTests {
    let server: LoopbackServer
    let client: BlogClient

    init() throws {
        server = try LoopbackServer.start()
        client = BlogClient(dispatcher: URLRequestDispatcher(), baseURL: server.baseURL)
    }

    @MainActor
    @Test("MAIN: callbacks show a post and its author")
    func callbacks() async {
        let controller = PostViewController(client: client)
        await controller.finished { controller.load(1) }
        #expect(controller.title?.hasSuffix(", by Ada Lovelace") == true)
        #expect(controller.progress.count >= 6 && controller.message == nil && !controller.isLoading)
        #expect(client.requestedIDs == [1])
    }

    @Test("MAIN: callbacks show them for a caller off the main actor too")
    func callbacksFromBackground() async {
        #expect(!MainQueue.isCurrent)
        let controller = await PostViewController(client: client)
        await controller.finished { controller.load(11) }
        #expect(await controller.title?.hasSuffix(", by Grace Hopper") == true)
    }

    @available(*, deprecated)
    @MainActor
    @Test("UPDATES, RETAIN: a set of tasks has one for each request, and the weakly held future lives until its end")
    func progress() async {
        let controller = PostViewController(client: client)
        await controller.finished { controller.loadAll([1, 2, 3, 4]) }
        #expect(controller.progress == [0, 0.25, 0.5, 0.75, 1])
        #expect(controller.tasks.count == 4 && controller.title == "4 posts, still here")
    }

    @MainActor
    @Test("MAIN: replace and then(on: .main) write to the screen; an HTTP error that a transform throws is shown")
    func replace() async {
        let controller = PostViewController(client: client)
        await controller.finished { controller.replace(1) }
        #expect(controller.title?.hasSuffix(", by Ada Lovelace") == true && controller.message == nil)
        await controller.finished { controller.replace(4711) }
        #expect(controller.message != nil)
    }

    @MainActor
    @Test("AFTER-CANCEL: a screen that is left gets its cancellation and its completion")
    func leaving() async {
        let controller = PostViewController(client: client)
        await controller.finished {
            controller.load(1)
            controller.loading?.cancel()
        }
        #expect(controller.title == nil && controller.message == "cancelled" && !controller.isLoading)
    }

    @MainActor
    @Test("MAIN: a class without an actor has its callbacks on the main queue, sent from there")
    func presenterOnMain() async {
        let presenter = PostPresenter(client: client)
        await withCheckedContinuation { continuation in
            presenter.present([1, 2, 3]) {
                #expect(MainQueue.isCurrent)
                continuation.resume()
            }
        }
        #expect(presenter.lines.count == 3)
    }

    @Test("MAIN: a class without an actor has its callbacks on the main queue, sent from the background")
    func presenterInBackground() async {
        let presenter = PostPresenter(client: client)
        await withCheckedContinuation { continuation in
            presenter.present([1, 4711]) {
                #expect(MainQueue.isCurrent)
                continuation.resume()
            }
        }
        #expect(presenter.lines.count == 1)
    }
}
