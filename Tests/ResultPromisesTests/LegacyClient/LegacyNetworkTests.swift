import Foundation
import LoopbackServer
import ResultPromises
import Testing

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// A screen that tells when it is released.
private final class FleetingScreen: UsersScreen {
    var onRelease: (() -> Void)?

    deinit { onRelease?() }
}

/// The helpers of URLSession and URLRequest as users of ResultPromises 0.1.3 call them, over a socket.
@MainActor
@Suite("ResultPromises 0.1.3: URLSession and URLRequest", .timeLimit(.minutes(10)))
struct LegacyNetworkTests {
    private let server: LoopbackServer
    private let session = URLSession(configuration: .ephemeral)

    init() throws {
        server = try LoopbackServer.start()
    }

    @Test("The README's chains fill a screen, on main")
    func screen() async {
        for isShort in [false, true] {
            let screen = UsersScreen(session: session), gate = LoopbackGate()
            server.handle("GET", "/held", reply: .json(#"[{"id":1,"name":"A"}]"#).gated(by: gate))
            let path = server.url("/held").absoluteString
            await withCheckedContinuation { continuation in
                screen.finished = { continuation.resume() }
                if isShort { screen.loadObject(path: path) } else { screen.load(path: path) }
                #expect(screen.isRefreshing)
                gate.open()
            }
            #expect(!screen.isRefreshing)
            #expect(screen.users.first?.id == 1)
            #expect(screen.reloads == 1)
            #expect(screen.message == nil)
        }
    }

    @Test("The README's chains show an error, and nothing else")
    func screenWithError() async {
        for path in ["/status/500", "/malformed-json"] {
            let screen = UsersScreen(session: session)
            await withCheckedContinuation { continuation in
                screen.finished = { continuation.resume() }
                screen.loadObject(path: server.url(path).absoluteString)
            }
            #expect(screen.message?.isEmpty == false)
            #expect(screen.reloads == 0)
        }
    }

    @Test("A screen that its handlers hold weakly may be released while its request runs", arguments: [true, false])
    func weakScreen(goes: Bool) async throws {
        let gate = LoopbackGate()
        server.handle("GET", "/late", reply: .text("[]").gated(by: gate))
        var screen: FleetingScreen? = FleetingScreen(session: session)
        weak var weakScreen: FleetingScreen?
        weakScreen = screen
        let (steps, step) = AsyncStream.makeStream(of: String.self)
        let (ends, end) = AsyncStream.makeStream(of: Void.self)
        screen?.onRelease = { end.yield() }
        screen?.loadWeakly(path: server.url("/late").absoluteString) { step.yield($0) }
        try await gate.waitForArrivals(1)
        if goes {
            screen = nil
            // The mapper that has sent the request may not have returned yet: it holds the screen until then.
            _ = await ends.first { _ in true }
        }
        #expect((weakScreen == nil) == goes)
        gate.open()
        #expect(await steps.first { _ in true } == (goes ? "nobody sees 0" : "0 are seen"))
        #expect(screen?.message == nil)
    }

    @Test("The README's chain with a data task by hand")
    func byHand() async {
        let screen = UsersScreen(session: session)
        var steps: [String] = []
        await withCheckedContinuation { continuation in
            screen.loadByHand(path: server.url("/users").absoluteString) { step in
                steps.append(step)
                if steps.count == 2 { continuation.resume() }
            }
        }
        #expect(steps.sorted() == ["model", "some bytes had been received"])
        #expect(screen.users.first?.id == 1)
    }

    @Test("A method is a handler")
    func methods() {
        let screen = UsersScreen(session: session), promise = Promise<User>(), failed = Promise<User>()
        screen.load(from: promise)
        screen.load(from: failed)
        promise.resolve(result: User(id: 1, name: "A"))
        failed.resolve(error: AppError.test)
        #expect(screen.users == [User(id: 1, name: "A")])
        #expect(screen.message == "test")
    }

    @Test("A generic service gets its types from the context")
    func service() async {
        let service = Service(session: session, base: server.baseURL.absoluteString)
        let (one, all): (User?, [User]?) = await withCheckedContinuation { continuation in
            oneAndAll(service)
                .onSuccess { continuation.resume(returning: (Optional($0.0), Optional($0.1))) }
                .onError { _ in continuation.resume(returning: (nil, nil)) }
        }
        #expect(one?.id == 1)
        #expect(all?.first == one)
        #expect(service.requested == ["/users/1"])
    }

    @Test("fetch takes a request, a URL and text; the enums can be switched over")
    func requestables() async {
        let url = server.url("/users/1")
        let sources: [URLRequestable] = [URLRequest(url: url), url, url.absoluteString, url.absoluteString as NSString]
        for source in sources {
            let code: Int = await withCheckedContinuation { continuation in
                session.fetch(from: source)
                    .onSuccess { (data, response) in continuation.resume(returning: response.statusCode) }
                    .onError { _ in continuation.resume(returning: 0) }
            }
            #expect(code == 200)
        }
        var name = ""
        session.fetchData(from: "a b://").onError { error in
            guard let error = error as? NetworkError else { return }
            switch error {
            case .request: name = "request"
            case .network(let inner): name = "network \(String(describing: inner))"
            case .deserialisation(error: let inner): name = "deserialisation \(String(describing: inner))"
            case .missedData: name = "missed data"
            case .http(let code): name = "http \(code)"
            case .other(let inner): name = "other \(inner)"
            }
        }
        #expect(name == "request")
    }

    @Test("requestFor resolves on a queue, with every argument or the path alone")
    func requestFor() async {
        let request: URLRequest? = await withCheckedContinuation { continuation in
            URLRequest.requestFor(
                path: "https://a.com", method: .post, parameters: ["key": ["nested", 1, true] as [Any]],
                headers: ["key": "value"], dispatchQueue: .main
            )
            .onSuccess { continuation.resume(returning: $0) }
            .onError { _ in continuation.resume(returning: nil) }
        }
        #expect(request?.httpMethod == HttpMethod.post.rawValue)
        #expect(request?.allHTTPHeaderFields?["key"] == "value")
        let error: Error? = await withCheckedContinuation { continuation in
            URLRequest.requestFor(path: "")
                .onSuccess { _ in continuation.resume(returning: nil) }
                .onError { continuation.resume(returning: $0) }
        }
        guard let error = error as? RequestsError else {
            Issue.record("no error")
            return
        }
        switch error {
        case .URLGeneration: break
        case .serialization, .toBeDone: Issue.record("\(error)")
        }
    }
}
