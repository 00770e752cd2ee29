import Foundation
import LoopbackServer
import PiuPiu
import ResultPromises
import TestSupport
import Testing

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

private struct User: Decodable, Sendable { let id: Int }

@Suite("URLSession: promises of responses", .timeLimit(.minutes(10)))
struct FetchTests {
    private let server: LoopbackServer
    /// One that goes through a dispatcher on Linux, and one that doesn't.
    private let sessions = [URLSession.shared, URLSession(configuration: .ephemeral)]

    init() throws {
        server = try LoopbackServer.start()
    }

    @Test("fetch gives any status, and starts at once")
    func fetch() async throws {
        for session in sessions {
            let (data, response) = try await session.fetch(from: server.request("/status/404")).value
            #expect(response.statusCode == 404)
            #expect(data.map { String(decoding: $0, as: UTF8.self) } == #"{"status":404}"#)
            let (empty, _) = try await session.fetch(from: server.request("/empty")).value
            #expect(empty?.isEmpty == true)
        }
        #expect(server.requestCount(path: "/status/404") == sessions.count)
    }

    @Test("fetchData and fetchRESTObject give the body and the decoded object")
    func objects() async throws {
        for session in sessions {
            let users: Promise<[User]> = session.fetchRESTObject(from: server.request("/users"))
            #expect(try await users.value.first?.id == 1)
            #expect(try await session.fetchData(from: server.request("/text")).value.isEmpty == false)
        }
    }

    @Test("Each failure has its case")
    func failures() async throws {
        let file = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)
        try Data("text".utf8).write(to: file)
        defer { try? FileManager.default.removeItem(at: file) }
        let refusing = try server.refusingURL()
        var brokenHeader = server.request("/empty")
        brokenHeader.setValue("a\u{1}b", forHTTPHeaderField: "X")
        var brokenStub = brokenHeader
        brokenStub.url = URL(string: "stub://example.com/1")
        for session in sessions {
            #expect(await failure(of: session.fetchData(from: server.request("/status/404"))) == "http 404")
            #expect(await failure(of: session.fetchData(from: server.request("/status/300"))) == "http 300")
            #expect(await failure(of: session.fetchData(from: server.request("/empty"))) == "missed data")
            #expect(await failure(of: session.fetchData(from: server.request("/status/204"))) == "missed data")
            #expect(try await session.fetchData(from: server.request("/status/299")).value.isEmpty == false)
            #expect(await failure(of: session.fetchData(from: "")) == "network InvalidRequestError")
            #expect(await failure(of: session.fetchData(from: "a b://")) == "request")
            #expect(await failure(of: session.fetchData(from: brokenHeader)) == "network InvalidRequestError")
            #expect(await failure(of: session.fetchData(from: brokenStub)) == "network InvalidRequestError")
            #expect(await failure(of: session.fetchData(from: refusing)) == "network URLError")
            let user: Promise<User> = session.fetchRESTObject(from: server.request("/malformed-json"))
            #expect(await failure(of: user) == "deserialisation DecodingError")
        }
        // A bare session reads files on Apple platforms alone.
        #expect(await failure(of: URLSession.shared.fetchData(from: file)) == "missed data")
    }

    @Test("What is printed of an error is its case and the text of the cause, without secrets")
    func printedErrors() throws {
        let url = try #require(URL(string: "https://example.com/?token=hidden"))
        let cause = URLError(.timedOut, userInfo: [NSURLErrorFailingURLErrorKey: url])
        let context = DecodingError.Context(codingPath: [], debugDescription: "hidden")
        let errors: [(NetworkError, String)] = [
            (.network(error: cause), "network: \(cause.localizedDescription)"), (.network(error: nil), "network"),
            (.deserialisation(error: DecodingError.dataCorrupted(context)), "deserialisation: "),
            (.other(error: cause), "other: "), (.request, "request"), (.missedData, "missedData"),
            (.http(code: 404), "http(code: 404)"),
        ]
        for (error, text) in errors {
            var dumped = ""
            dump(error, to: &dumped)
            for shown in ["\(error)", String(reflecting: error), dumped, "\([error])"] {
                #expect(shown.contains(text) && !shown.contains("hidden"))
            }
        }
    }

    @MainActor
    @Test("Handlers attached on main run on main, and mappers run on the session's delegate queue")
    func places() async {
        let queue = OperationQueue.named("delegate"), log = EventLog(), gate = LoopbackGate()
        let session = URLSession(configuration: .ephemeral, delegate: nil, delegateQueue: queue)
        server.handle("GET", "/held", reply: .text("text").gated(by: gate))
        session.fetchData(from: server.request("/held"))
            .then { _ in log("mapper on \(Place.current)") }
            .onSuccess { log("handler on \(Place.current)") }
        gate.open()
        #expect(await log.all(2) == ["mapper on delegate", "handler on main"])
    }

    @Test("An invalidated session cancels what it fetches, as before")
    func invalidated() async throws {
        let session = URLSession(configuration: .ephemeral), gate = LoopbackGate()
        server.handle("GET", "/held") { _ in LoopbackReply.text("t").gated(by: gate) }
        let promise = session.fetchData(from: server.request("/held"))
        try await gate.waitForArrivals()
        session.invalidateAndCancel()
        #expect(await failure(of: promise) == "network URLError")
        gate.open()
    }

    private func failure(of promise: Promise<some Sendable>) async -> String? {
        do {
            _ = try await promise.value
            return nil
        } catch let error as NetworkError {
            return switch error {
            case .request: "request"
            case .network(let inner): "network \(inner.map { "\(type(of: $0))" } ?? "")"
            case .deserialisation(let inner): "deserialisation \(inner.map { "\(type(of: $0))" } ?? "")"
            case .missedData: "missed data"
            case .http(let code): "http \(code)"
            case .other(let inner): "other \(inner)"
            }
        } catch {
            return "\(error)"
        }
    }
}
