import Foundation
import LoopbackServer
import PiuPiu
import PiuPiuTesting
import TestSupport
import Testing

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

@Suite("Observing streams", .timeLimit(.minutes(10)))
struct ObservingStreamTests {
    private let server: LoopbackServer
    private let network = URLRequestDispatcher(configuration: .ephemeral)
    private let observed = ObservedEvents()

    init() throws {
        server = try LoopbackServer.start()
    }

    private func open(_ path: String) async throws -> Response<StreamedBody> {
        try await network.observed(by: observed).streamFuture(from: server.request(path)).value
    }

    /// A head and a part of the body, and nothing more.
    private func serveHalf(_ path: String) {
        let head = LoopbackReply.Step.head(status: 200, headers: [LoopbackHeader("Content-Length", "100")])
        server.handle("GET", path, reply: LoopbackReply(steps: [head, .body(Data("part".utf8)), .stall]))
    }

    private let beginning = ["started", "admitted", "head 200"]

    @Test("O1 ONE: a stream ends once its body is read to the end, with its metrics and bytes")
    func read() async throws {
        server.handle("GET", "/a", reply: .text("yes"))
        let response = try await open("/a")
        #expect(observed.words == beginning)
        for try await _ in response.data {}
        #expect(await observed.ended() == beginning + ["finished 200"])
        let summary = try #require(observed.summaries.first)
        #expect(summary.metrics != nil && summary.head?.metrics != nil && summary.bytesReceived == 3)
        _ = response
        observed.check()
    }

    @Test("O1 ONE: so does that of a mock whose chunks come one by one, and it fails with their error")
    func mock() async throws {
        let broken = AskedChunks(9) { if $0 == 2 { throw TransferError(.connectionLost) } }
        let mock = scripted(.chunks(AskedChunks(2)), .chunks(broken)).observed(by: observed)
        let get = try request("GET"), body = try await mock.streamFuture(from: get).value.data
        #expect(observed.words == ["started", "head 200"])
        for try await _ in body {}
        #expect(await observed.ended() == success)
        let lost = try await mock.streamFuture(from: get).value.data
        await #expect(throws: TransferError.self) { for try await _ in lost {} }
        await observed.ended(2)
        #expect(observed.wordsByExchange.last == ["started", "head 200", "failed with connectionLost"])
        observed.check()
    }

    @Test("O1 ONE: a stream released unread is cancelled, and so is one whose loop ends early")
    func dropped() async throws {
        serveHalf("/a")
        var response: Response<StreamedBody>? = try await open("/a")
        #expect(response?.head.status == 200)
        response = nil
        #expect(await observed.ended() == beginning + ["cancelled"])
        let kept = try await open("/a")
        for try await _ in kept.data { break }
        await observed.ended(2)
        #expect(observed.wordsByExchange.last == beginning + ["cancelled"])
        withExtendedLifetime(kept) {}
        observed.check()
    }

    private static let chat = Data("data: 1\n\ndata: [DONE]\n\n".utf8)

    private func check(_ response: Response<StreamedBody>) async throws {
        var numbers: [Int] = []
        for try await number in response.decodedEvents(Int.self, until: "[DONE]") { numbers.append(number) }
        #expect(numbers == [1])
    }

    @Test("O1 ONE: a stream whose loop ends with its last event has finished, if its end comes soon")
    func lastEvent() async throws {
        let chunks = AsyncStream<Data> { continuation in
            continuation.yield(Self.chat)
            continuation.yield(Data(": ping\n\n".utf8))
            continuation.finish()
        }
        let mock = scripted(.status(.ok, data: Self.chat), .chunks(chunks)).observed(by: observed)
        for count in 1...2 {
            let response = try await mock.streamFuture(from: request("GET")).value
            try await check(response)
            await observed.ended(count)
            withExtendedLifetime(response) {}
        }
        #expect(observed.wordsByExchange == [success, success])
        observed.check()
    }

    @Test("After the last event a connection is used again")
    func connection() async throws {
        server.handle("GET", "/chat", reply: .chunked([Self.chat]))
        for count in 1...10 {
            try await check(open("/chat"))
            await observed.ended(count)
        }
        #expect(observed.wordsByExchange.allSatisfy { $0.last == "finished 200" })
        #expect(server.acceptedConnections == 1)
        observed.check()
    }

    @Test("MEMORY, O1 ONE: a stream that goes on after its last event is cancelled after 64 KiB")
    func endless() async throws {
        let count = Counter()
        let chunks = AsyncStream<Data>(unfolding: { count.increment() == 1 ? Self.chat : Data(count: 1 << 10) })
        let mock = scripted(.chunks(chunks)).observed(by: observed)
        try await check(mock.streamFuture(from: request("GET")).value)
        #expect(await observed.ended() == ["started", "head 200", "cancelled"])
        #expect(count.value <= 67)
        observed.check()
    }

    @Test("O1 ONE: a stream that fails, and one whose reader is cancelled")
    func failed() async throws {
        server.handle("GET", "/a", reply: .truncated())
        let truncated = try await open("/a")
        await #expect(throws: TransferError.self) { for try await _ in truncated.data {} }
        #expect(await observed.ended() == beginning + ["failed with truncated"])
        serveHalf("/b")
        let response = try await open("/b"), hasPart = Gate()
        let task = Task { for try await _ in response.data { hasPart.open() } }
        await hasPart.opened()
        task.cancel()
        await #expect(throws: CancellationError.self) { try await task.value }
        await observed.ended(2)
        #expect(observed.wordsByExchange.last == beginning + ["cancelled"])
        observed.check()
    }

    @Test("O3 OFF MAIN: even when a stream is read, dropped or cancelled on the main actor")
    @MainActor
    func onMainActor() async throws {
        server.handle("GET", "/a", reply: .text("yes"))
        serveHalf("/b")
        for try await _ in try await open("/a").data {}
        var dropped: Response<StreamedBody>? = try await open("/b")
        #expect(dropped?.head.status == 200)
        dropped = nil
        server.handle("GET", "/c", reply: .stall)
        let future = network.observed(by: observed).dataFuture(from: server.request("/c"))
        future.success { _ in }.send()
        try await server.waitForRequests(1, path: "/c")
        future.cancel()
        await observed.ended(3)
        observed.check()
    }

    @Test("A recorder inside, and one outside, still see the body", arguments: [true, false])
    func recorder(isInside: Bool) async throws {
        server.handle("GET", "/a", reply: .text("yes"))
        let request = server.request("/a")
        let recorded: [RecordedExchange]
        if isInside {
            let recorder = RecordingDispatcher(network)
            for try await _ in try await recorder.observed(by: observed).streamFuture(from: request).value.data {}
            recorded = recorder.exchanges
        } else {
            let recorder = RecordingDispatcher(network.observed(by: observed))
            for try await _ in try await recorder.streamFuture(from: request).value.data {}
            recorded = recorder.exchanges
        }
        guard case .response(_, let body) = recorded.first?.outcome else {
            Issue.record("no response")
            return
        }
        #expect(body.data == Data("yes".utf8))
        #expect(await observed.ended() == beginning + ["finished 200"])
    }

    @Test("The stream of a failed attempt ends as a cancelled exchange")
    func attempt() async throws {
        let count = Counter(), inside = ObservedEvents()
        server.handle("GET", "/a") { _ in count.increment() == 1 ? .text("no", status: 503) : .text("yes") }
        let dispatcher = network.observed(by: inside).retrying(.fixed(SkippingClock())).observed(by: observed)
        for try await _ in try await dispatcher.streamFuture(from: server.request("/a")).value.data {}
        await observed.ended()
        await inside.ended(2)
        #expect(
            inside.wordsByExchange == [["started", "admitted", "head 503", "cancelled"], beginning + ["finished 200"]])
        #expect(
            observed.words == [
                "started", "admitted", "head 503", "retrying 2", "restarted", "admitted", "head 200", "finished 200",
            ])
    }
}
