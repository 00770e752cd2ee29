import Foundation
import LoopbackServer
import PiuPiu
import PiuPiuTesting
import TestSupport
import Testing

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

@Suite("Event sources over a real socket", .timeLimit(.minutes(10)))
struct EventSourceSocketTests {
    private let server: LoopbackServer
    private let clock = SkippingClock()

    init() throws {
        server = try LoopbackServer.start()
    }

    /// A dispatcher over each engine.
    static let dispatchers = [
        URLRequestDispatcher(configuration: .ephemeral),
        URLRequestDispatcher(engine: .urlSession(.ephemeral)),
    ]

    private func source(_ dispatcher: URLRequestDispatcher = Self.dispatchers[0], clock: (any Clock<Duration>)? = nil)
        -> EventSource
    {
        EventSource(
            dispatcher, from: server.request("/events", timeout: 3600), clock: clock ?? self.clock,
            generator: FixedGenerator())
    }

    private static let head = LoopbackReply.Step.head(
        status: 200, headers: [LoopbackHeader("Content-Type", "text/event-stream")])

    /// A stream of this text, followed by other steps.
    private static func stream(_ text: String, then steps: LoopbackReply.Step...) -> LoopbackReply {
        LoopbackReply(steps: [head, .body(Data(text.utf8))] + steps)
    }

    /// Answers with these in order, then with 204.
    private func serve(_ replies: LoopbackReply...) {
        let count = Counter()
        server.handle("GET", "/events") { _ in
            let number = count.increment()
            return number <= replies.count ? replies[number - 1] : .response(204)
        }
    }

    private var ids: [String?] { server.requests(path: "/events").map { $0.header("Last-Event-ID") } }

    @Test("After a close, a reset or a truncation it reconnects with the last identifier", arguments: dispatchers)
    func faults(dispatcher: URLRequestDispatcher) async throws {
        serve(
            Self.stream("id: 1\ndata: a\n\nid: 2\ndata: lo", then: .close),
            Self.stream("id: 2\ndata: b\n\n", then: .close),
            .close,
            LoopbackReply(steps: [
                .head(
                    status: 200,
                    headers: [
                        LoopbackHeader("Content-Type", "text/event-stream"), LoopbackHeader("Content-Length", "100"),
                    ]),
                .body(Data("id: 3\ndata: c\n\n".utf8)), .close,
            ]),
            .chunked(
                [Data("id: 4\nda".utf8), Data("ta: d\n\n".utf8)],
                headers: [
                    LoopbackHeader("Content-Type", "text/event-stream; charset=utf-8")
                ]))
        let events = try await source(dispatcher).reduce(into: [String]()) { $0.append($1.data) }
        #expect(events == ["a", "b", "c", "d"])
        // An engine may itself send a request again, as long as there was no answer.
        #expect(ids.reduce(into: [String?]()) { if $0.last != $1 { $0.append($1) } } == [nil, "1", "2", "3", "4"])
        #expect(clock.sleeps.prefix(2) == [.milliseconds(1500), .milliseconds(1500)])
        #expect(server.requests(path: "/events").allSatisfy { $0.header("Accept") == "text/event-stream" })
    }

    @Test("Events arrive while the server still sends, and a reader can be cancelled between them")
    func cancelledReading() async throws {
        serve(Self.stream("data: a\n\n: comment\n\nda", then: .stall))
        let source = source(), hasBegun = Gate()
        let reading = Awaiting(running: {
            for try await event in source where event.data == "a" { hasBegun.open() }
            return "end"
        })
        await hasBegun.opened()
        #expect(server.activeRequests == 1)
        reading.cancel()
        #expect(await reading.ending == "cancelled")
        try await server.waitForClosedConnections()
        #expect(server.requestCount() == 1)
    }

    @Test("DOWN: cancelled before the server answers")
    func cancelledConnecting() async throws {
        serve(.stall)
        let source = source()
        let reading = Awaiting(running: {
            for try await _ in source {}
            return "end"
        })
        try await server.waitForRequests()
        reading.cancel()
        #expect(await reading.ending == "cancelled")
        try await server.waitForClosedConnections()
    }

    @Test("Leaving the loop, or dropping the iterator, closes the connection")
    func left() async throws {
        serve(Self.stream("data: a\n\ndata: b\n\n", then: .stall), Self.stream("data: a\n\n", then: .stall))
        for try await event in source() {
            #expect(event.data == "a")
            break
        }
        try await server.waitForClosedConnections()
        do {
            var iterator = source().makeAsyncIterator()
            #expect(try await iterator.next()?.data == "a")
        }
        try await server.waitForClosedConnections()
        #expect(server.requestCount() == 2)
    }

    @Test("It waits as long as the server asks, with no connection open")
    func waiting() async throws {
        serve(Self.stream("retry: 60000\n\n", then: .close), Self.stream("data: a\n\n", then: .close))
        let manual = ManualClock(), source = source(clock: manual)
        let reading = Awaiting(running: { try await source.reduce("") { $0 + $1.data } })
        await manual.sleepers()
        try await server.waitForClosedConnections()
        manual.advance(by: .seconds(69))
        #expect(server.requestCount() == 1)
        manual.advance(by: .seconds(1))
        await manual.sleepers()
        manual.advance(by: .seconds(70))
        #expect(await reading.ending == "value a")
    }

    @Test("A refused connection is tried again, and adapters see each attempt")
    func refused() async throws {
        let count = Counter(), refusing = try server.refusingURL(), events = server.url("/events")
        serve(Self.stream("data: a\n\n", then: .close))
        let dispatcher = URLRequestDispatcher(
            configuration: .ephemeral,
            requestAdapter: Redirecting { count.increment() < 4 ? refusing : events })
        let source = EventSource(
            dispatcher, from: server.request("/events"), clock: clock, generator: FixedGenerator())
        #expect(try await source.reduce("") { $0 + $1.data } == "a")
        #expect(count.value == 5)
        #expect(clock.sleeps == [.milliseconds(1500), .seconds(3), .seconds(6), .milliseconds(1500)])
    }

    @Test("A page, or another status, is an error and isn't requested again")
    func pages() async throws {
        server.handle("GET", "/events", reply: .text("<html>"))
        let error = await #expect(throws: EventSourceError.self) { for try await _ in source() {} }
        #expect(
            error?.localizedDescription.hasPrefix(
                "The server answered GET \(server.url("/events")) with the content type text/plain") == true)
        server.handle("GET", "/events", reply: .text("no", status: 503))
        await #expect(throws: UnacceptableStatusError.self) { for try await _ in source() {} }
        #expect(server.requestCount() == 2)
        try await server.waitUntilIdle()
    }
}

/// Sends each request to the URL that a test chooses.
private struct Redirecting: RequestAdapter {
    let url: @Sendable () -> URL

    func adapt(_ urlRequest: URLRequest) async throws -> URLRequest {
        var request = urlRequest
        request.url = url()
        return request
    }
}
