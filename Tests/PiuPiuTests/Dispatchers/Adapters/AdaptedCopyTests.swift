import Foundation
import LoopbackServer
import PiuPiu
import TestSupport
import Testing

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

@Suite("Copies of a dispatcher with adapters and a redirect policy of their own", .timeLimit(.minutes(10)))
struct AdaptedCopyTests {
    private let server: LoopbackServer
    private let log = EventLog()

    init() throws {
        server = try LoopbackServer.start()
    }

    /// Adds its name to a header of the request, and notes that.
    private struct Asking: RequestAdapter {
        let name: String
        let log: EventLog

        func adapt(_ urlRequest: URLRequest) async throws -> URLRequest {
            log("\(name) asks")
            return urlRequest.adding(name)
        }
    }

    /// Notes that it has seen a response.
    private struct Answering: ResponseAdapter {
        let name: String
        let log: EventLog

        func adapt(_ urlResponse: URLResponse, for urlRequest: URLRequest) async throws -> URLResponse {
            log("\(name) answers")
            return urlResponse
        }
    }

    private struct Both: RequestAdapter, ResponseAdapter {
        let name: String
        let log: EventLog

        func adapt(_ urlRequest: URLRequest) async throws -> URLRequest {
            try await Asking(name: name, log: log).adapt(urlRequest)
        }

        func adapt(_ urlResponse: URLResponse, for urlRequest: URLRequest) async throws -> URLResponse {
            try await Answering(name: name, log: log).adapt(urlResponse, for: urlRequest)
        }
    }

    /// The statuses of a data, an upload, a download and a stream future.
    private func statuses(_ dispatcher: URLRequestDispatcher, _ path: String) async throws -> [Int?] {
        let request = server.request(path), folder = try TemporaryFolder()
        return [
            try await dispatcher.dataFuture(from: request).value.head.status,
            try await dispatcher.uploadFuture(from: request, with: Data()).value.head.status,
            try await dispatcher.downloadFuture(from: request, to: folder.file("f")).value.head.status,
            try await dispatcher.streamFuture(from: request).value.head.status,
        ]
    }

    @Test("VALUE: a redirect policy applies to its copy, for each kind, and to futures made after it is set")
    func redirectPolicy() async throws {
        server.handle("GET", "/target", reply: .text("there"))
        server.handle("GET", "/moved", reply: .redirect(302, to: "/target"))
        server.handle("GET", "/app", reply: .redirect(302, to: "myapp://callback?code=1"))
        let following = URLRequestDispatcher(configuration: .ephemeral)
        var copy = following
        let earlier = copy.dataFuture(from: server.request("/moved"))
        copy.redirectPolicy = .never
        guard case .follow = following.redirectPolicy, case .never = copy.redirectPolicy else {
            Issue.record("\(following.redirectPolicy), \(copy.redirectPolicy)")
            return
        }
        #expect(try await earlier.value.head.status == 200)
        #expect(try await statuses(following, "/moved") == [200, 200, 200, 200])
        #expect(try await statuses(copy, "/moved") == [302, 302, 302, 302])
        copy.redirectPolicy = .decide { _, next in next.url?.scheme == "myapp" ? nil : next }
        #expect(try await statuses(copy, "/moved") == [200, 200, 200, 200])
        let answer = try await copy.dataFuture(from: server.request("/app")).value
        #expect(answer.headers["Location"] == "myapp://callback?code=1")
    }

    @Test("VALUE: copies share a connection, and the session ends with the last of them")
    func connection() async throws {
        server.handle("GET", "/target", reply: .text("there"))
        server.handle("GET", "/moved", reply: .redirect(302, to: "/target"))
        var dispatcher: URLRequestDispatcher? = URLRequestDispatcher(configuration: .ephemeral)
        var staying = dispatcher?.adapting(requestAdapter: Asking(name: "a", log: log))
        staying?.redirectPolicy = .never
        #expect(try await dispatcher?.dataFuture(from: server.request("/moved")).value.head.status == 200)
        #expect(try await staying?.dataFuture(from: server.request("/moved")).value.head.status == 302)
        dispatcher = nil
        #expect(try await staying?.dataFuture(from: server.request("/moved")).value.head.status == 302)
        #expect(Set(server.requests.map(\.connection)).count == 1)
        #expect(server.requests.map { $0.header("X-Adapted") } == [nil, nil, "a", "a"])
        staying = nil
        try await server.waitForClosedConnections()
    }

    @Test("ADAPT: more adapters run after those that are there, and only for their copy")
    func order() async throws {
        let first = URLRequestDispatcher(
            configuration: .ephemeral, requestAdapter: Asking(name: "1", log: log),
            responseAdapter: Answering(name: "1", log: log))
        let third = Both(name: "3", log: log)
        let copy = first.adapting(requestAdapter: Asking(name: "2", log: log))
            .adapting(requestAdapter: third, responseAdapter: third)
            .adapting(responseAdapter: Answering(name: "4", log: log))
        let response = try await copy.dataFuture(from: server.request("/echo")).value
        #expect(try Echo(response.data).header("X-Adapted") == "1,2,3")
        #expect(response.urlRequest.value(forHTTPHeaderField: "X-Adapted") == "1,2,3")
        #expect(log.events == ["1 asks", "2 asks", "3 asks", "1 answers", "3 answers", "4 answers"])
        let original = try await first.dataFuture(from: server.request("/echo")).value
        #expect(try Echo(original.data).header("X-Adapted") == "1")
        #expect(log.events.suffix(2) == ["1 asks", "1 answers"] && log.events.count == 8)
    }

    @Test("ADAPT: the adapters of a copy that had none run, for each kind of transfer")
    func allKinds() async throws {
        server.handle("GET", "/a", reply: .text("a"))
        let plain = URLRequestDispatcher(configuration: .ephemeral)
        let both = Both(name: "a", log: log)
        let copy = plain.adapting(requestAdapter: both, responseAdapter: both)
        #expect("\(copy)".hasSuffix("Engine, Both, Both)"))
        #expect(try await statuses(copy, "/a") == [200, 200, 200, 200])
        #expect(log.events == Array(repeating: ["a asks", "a answers"], count: 4).flatMap(\.self))
        #expect(server.requests.map { $0.header("X-Adapted") } == ["a", "a", "a", "a"])
    }

    @Test("ADAPT: the label decides what an adapter that does both adapts, and not its type")
    func labels() async throws {
        let plain = URLRequestDispatcher(configuration: .ephemeral), both = Both(name: "a", log: log)
        let asked = try await plain.adapting(requestAdapter: both).dataFuture(from: server.request("/echo")).value
        #expect(try Echo(asked.data).header("X-Adapted") == "a" && log.events == ["a asks"])
        let answered = try await plain.adapting(responseAdapter: both).dataFuture(from: server.request("/echo")).value
        #expect(try Echo(answered.data).header("X-Adapted") == nil && log.events == ["a asks", "a answers"])
    }

    @Test("ADAPT: over a decorated engine an adapter runs once for each attempt", arguments: [true, false])
    func attempts(isAdaptedFirst: Bool) async throws {
        let count = Counter(), path = "/a"
        server.handle("GET", path) { _ in count.increment() < 3 ? .text("no", status: 503) : .text("yes") }
        let plain = URLRequestDispatcher(configuration: .ephemeral), adapter = Both(name: "a", log: log)
        let dispatcher =
            isAdaptedFirst
            ? plain.adapting(requestAdapter: adapter, responseAdapter: adapter).limited(to: 1).cached(in: HTTPCache())
            : plain.limited(to: 1).cached(in: HTTPCache()).adapting(requestAdapter: adapter, responseAdapter: adapter)
        let future = dispatcher.retrying(.fixed(SkippingClock())).dataFuture(from: server.request(path))
        #expect(try await future.value.data == Data("yes".utf8))
        #expect(log.events == Array(repeating: ["a asks", "a answers"], count: 3).flatMap(\.self))
        #expect(server.requests(path: path).map { $0.header("X-Adapted") } == ["a", "a", "a"])
    }
}

extension URLRequest {
    fileprivate func adding(_ name: String) -> URLRequest {
        var request = self
        request.addValue(name, forHTTPHeaderField: "X-Adapted")
        return request
    }
}
