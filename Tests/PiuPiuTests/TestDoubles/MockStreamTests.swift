import Foundation
import PiuPiu
import PiuPiuTesting
import TestSupport
import Testing

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

@Suite("Streams of the doubles, chunk by chunk", .timeLimit(.minutes(10)))
struct MockStreamTests {
    /// A double of the user's own.
    private struct Ticker: MockDispatcher {
        let chunks: AskedChunks

        func answer(to urlRequest: URLRequest) async throws -> Response<Data?> {
            .makeMockResponse(with: urlRequest, data: Data("all".utf8), statusCode: .ok)
        }

        func streamAnswer(to urlRequest: URLRequest) async throws -> Response<StreamedBody> {
            Response(response: try await answer(to: urlRequest), data: StreamedBody(chunks))
        }
    }

    private let get: URLRequest
    private let folder: TemporaryFolder

    init() throws {
        get = URLRequest(url: try url("https://example.com/prices"))
        folder = try TemporaryFolder()
    }

    private func table(_ answers: MockAnswer...) -> MockRouteTable {
        MockRouteTable(routes: [MockRoute(.get, ["prices"], MockScript(answers)), MockRoute(MockScript(answers))])
    }

    /// Two chunks and an error.
    private func broken(_ error: any Error) -> AskedChunks {
        AskedChunks(9) { if $0 == 3 { throw error } }
    }

    @Test("MEMORY: the head comes before any chunk, and a chunk is asked for when the reader waits for it")
    func pace() async throws {
        let chunks = AskedChunks(2)
        let server = table(.chunks(chunks, status: .accepted, headers: ["X-Place": "here"]))
        let response = try await server.streamFuture(from: get).value
        #expect(response.head.status == 202 && response.head.value(for: "X-Place") == "here")
        #expect(chunks.asked.withLock { $0 } == 0)
        var iterator = response.data.makeAsyncIterator()
        for number in 1...2 {
            #expect(try await iterator.next() == Data("\(number) ".utf8))
            #expect(chunks.asked.withLock { $0 } == number)
        }
        #expect(try await iterator.next() == nil)
    }

    @Test("An error comes after the chunks before it; that of a transfer names the URL, any other is unchanged")
    func failure() async throws {
        let server = table(.chunks(broken(TransferError(.connectionLost))), .chunks(broken(Mishap(number: 1))))
        var read = Data()
        let lost = try await server.streamFuture(from: get).value.data
        let error = await #expect(throws: TransferError.self) { for try await chunk in lost { read += chunk } }
        #expect(error?.kind == .connectionLost && error?.url == get.url && read == Data("1 2 ".utf8))
        let other = try await server.streamFuture(from: get).value.data
        await #expect(throws: Mishap(number: 1)) { for try await _ in other {} }
    }

    @Test("Other futures get the chunks collected", arguments: RecordedExchange.Kind.allCases)
    func collected(kind: RecordedExchange.Kind) async throws {
        let text = kind.text(of: get, by: table(.chunks(AskedChunks(3))), in: folder)
        #expect(try await text.value == "1 2 3 ")
    }

    @Test("FILES: or they get their error, and there is no file", arguments: RecordedExchange.Kind.allCases)
    func collectedFailure(kind: RecordedExchange.Kind) async throws {
        let text = kind.text(of: get, by: table(.chunks(broken(TransferError(.truncated)))), in: folder)
        let error = await #expect(throws: TransferError.self) { _ = try await text.value }
        #expect(error?.kind == .truncated && error?.url == get.url)
        #expect(try folder.names == [])
    }

    @Test(
        "An answer to HEAD, a 204 and a 304 leave the sequence alone",
        arguments: [("HEAD", 200), ("GET", 204), ("GET", 304)])
    func bare(method: String, status: Int) async throws {
        var request = get
        request.httpMethod = method
        let chunks = AskedChunks(3), server = table(.chunks(chunks, status: StatusCode(rawValue: status)))
        #expect(try await server.dataFuture(from: request).value.data == nil)
        for try await _ in try await server.streamFuture(from: request).value.data { Issue.record("a chunk") }
        #expect(chunks.asked.withLock { $0 } == 0)
    }

    @Test("UPDATES: exactly two, the second without a number of bytes")
    func updates() async throws {
        let updates = await table(.chunks(AskedChunks(3))).streamFuture(from: get).allUpdates
        #expect(updates == [TransferUpdate(stage: .started), TransferUpdate(stage: .responded)])
    }

    @Test("The latency comes before the head")
    func latency() async throws {
        let clock = ManualClock(), chunks = AskedChunks(1)
        let script = MockScript([.chunks(chunks).after(.seconds(5))])
        let future = MockRouteTable(clock: clock, script: script).streamFuture(from: get)
        let task = Task { try await future.value.data.reduce(into: Data()) { $0 += $1 } }
        await clock.sleepers()
        #expect(chunks.asked.withLock { $0 } == 0)
        clock.advance(by: .seconds(5))
        #expect(try await task.value == Data("1 ".utf8))
    }

    @Test(
        "DOWN: the cancellation of the reader reaches the sequence, through a recorder as well",
        arguments: [true, false])
    func cancelledReader(isRecorded: Bool) async throws {
        let stuck = StuckChunks(), server = table(.chunks(stuck.chunks())), get = get
        let dispatcher: any StreamDispatcher = isRecorded ? RecordingDispatcher(server) : server
        let reading = Awaiting(running: {
            for try await _ in try await dispatcher.streamFuture(from: get).value.data {}
            return "end"
        })
        await stuck.gate.reached()
        reading.cancel()
        #expect(await reading.ending == "cancelled")
        await stuck.cancelled.opened()
    }

    @Test("UP: so does that of a future that collects the chunks")
    func cancelledFuture() async throws {
        let stuck = StuckChunks(), future = table(.chunks(stuck.chunks())).dataFuture(from: get)
        let task = Task { await future.ending }
        await stuck.gate.reached()
        future.cancel()
        #expect(await task.value == "cancelled")
        await stuck.cancelled.opened()
    }

    @Test("The release of the body releases the sequence of a running answer")
    func release() async throws {
        let population = Population()
        func read() async throws {
            let member = population.member()
            let server = table(.chunks(AskedChunks(9) { _ in withExtendedLifetime(member) {} }))
            for try await _ in try await server.streamFuture(from: get).value.data { break }
        }
        try await read()
        await population.extinct()
    }

    @Test("D2 PROMPT: a deadline ends the body, and the sequence")
    func deadline() async throws {
        let clock = ManualClock(), stuck = StuckChunks()
        let server = table(.chunks(stuck.chunks())).deadline(.seconds(5), clock: clock)
        let body = try await server.streamFuture(from: get).value.data
        let task = Task {
            await #expect(throws: DeadlineExceeded.self) { for try await _ in body {} }
        }
        await stuck.gate.reached()
        clock.advance(by: .seconds(5))
        _ = await task.value
        await stuck.cancelled.opened()
    }

    @Test("An answer that repeats can be read each time, concurrently too, if a closure makes its chunks")
    func repeated() async throws {
        let get = get
        let server = table(
            .chunks(
                TransferChunks {
                    AsyncStream { continuation in
                        continuation.yield(Data("a".utf8))
                        continuation.finish()
                    }
                }))
        for _ in 0..<3 {
            let body = try await server.streamFuture(from: get).value.data
            #expect(try await body.reduce(into: Data()) { $0 += $1 } == Data("a".utf8))
        }
        async let first = server.dataFuture(from: get).value, second = server.dataFuture(from: get).value
        let texts = try await [first.data.text, second.data.text]
        #expect(texts == ["a", "a"])
    }

    /// A stream that can be iterated once, and breaks after a chunk.
    private var once: AsyncThrowingStream<Data, any Error> {
        AsyncThrowingStream { continuation in
            continuation.yield(Data("a".utf8))
            continuation.finish(throwing: TransferError(.connectionLost))
        }
    }

    private func chunksUsedUp() throws -> MockError {
        .chunksUsedUp(method: "GET", url: try #require(get.url))
    }

    @Test("A stream that broke isn't an empty 200 for the next attempt: it comes once", arguments: [true, false])
    func brokenOnce(isWrapped: Bool) async throws {
        let answer: MockAnswer = isWrapped ? .chunks(TransferChunks(once)) : .chunks(once)
        let retrying = table(answer).retrying(.fixed(SkippingClock()))
        let error = await #expect(throws: MockError.self) { try await retrying.dataFuture(from: get).value }
        #expect(try error == chunksUsedUp())
        #expect(error?.localizedDescription.contains("TransferChunks(makeChunks:)") == true)
    }

    @Test("Of two requests at a time the second gets an error, also if its answer has another latency")
    func takenOnce() async throws {
        let stuck = StuckChunks(), answer = MockAnswer.chunks(stuck.chunks()), get = get
        let server = MockRouteTable(clock: SkippingClock(), script: MockScript([answer, answer.after(.seconds(1))]))
        let body = try await server.streamFuture(from: get).value.data
        let reading = Awaiting(running: {
            for try await _ in body {}
            return "end"
        })
        await stuck.gate.reached()
        let second = await #expect(throws: MockError.self) { try await server.streamFuture(from: get).value }
        #expect(try second == chunksUsedUp())
        let third = await #expect(throws: MockError.self) { try await server.dataFuture(from: get).value }
        #expect(try third == chunksUsedUp())
        reading.cancel()
        #expect(await reading.ending == "cancelled")
    }

    @Test("A stream may depend on the request: an event source goes on after its last identifier")
    func resumed() async throws {
        let answer = MockAnswer.stream { request, values in
            let identifier = request.value(forHTTPHeaderField: "Last-Event-ID").flatMap { Int($0) }
            let last = identifier ?? values[1].integerValue ?? 0
            let head = Response.makeMockResponse(
                with: request, statusCode: last < 9 ? .ok : .noContent, headers: ["Content-Type": "text/event-stream"])
            let events = AskedChunks(1) { if $0 == 2 { throw TransferError(.connectionLost) } }
            return Response(
                response: head, data: StreamedBody(events.map { _ in Data("id: \(last + 1)\ndata: a\n\n".utf8) }))
        }
        let server = MockRouteTable(routes: [MockRoute(.get, ["prices", .wildcard(type: .integer)], answer)])
        let request = URLRequest(url: try url("https://example.com/prices/6"))
        let source = EventSource(server, from: request, clock: SkippingClock(), generator: FixedGenerator())
        var events: [ServerSentEvent] = []
        for try await event in source { events.append(event) }
        #expect(events.map(\.id) == ["7", "8", "9"])
    }

    @Test("MEMORY: a stream of another dispatcher passes through as it comes")
    func passedOn() async throws {
        let chunks = AskedChunks(2), network = table(.chunks(chunks, status: .accepted))
        let server = table(.stream { request, _ in try await network.streamFuture(from: request).value })
        let response = try await server.streamFuture(from: get).value
        #expect(response.head.status == 202 && chunks.asked.withLock { $0 } == 0)
        #expect(try await response.data.reduce(into: Data()) { $0 += $1 } == Data("1 2 ".utf8))
    }

    @Test("Other futures get it collected", arguments: RecordedExchange.Kind.allCases)
    func collectedHandler(kind: RecordedExchange.Kind) async throws {
        let answer = MockAnswer.stream { request, _ in
            let head = Response.makeMockResponse(with: request, statusCode: .ok)
            return Response(response: head, data: StreamedBody(AskedChunks(3)))
        }
        #expect(try await kind.text(of: get, by: table(answer), in: folder).value == "1 2 3 ")
    }

    @Test("A double of the user's own streams, too, and answers other futures as before")
    func own() async throws {
        let ticker = Ticker(chunks: AskedChunks(2))
        let body = try await ticker.streamFuture(from: get).value.data
        #expect(try await body.reduce(into: Data()) { $0 += $1 } == Data("1 2 ".utf8))
        #expect(try await ticker.dataFuture(from: get).value.data.text == "all")
    }

    @Test("A recorder has what was read of a stream that breaks, and a replay breaks there")
    func recorded() async throws {
        let recorder = RecordingDispatcher(table(.chunks(broken(TransferError(.connectionLost)))))
        let body = try await recorder.streamFuture(from: get).value.data
        await #expect(throws: TransferError.self) { for try await _ in body {} }
        #expect(try await recorder.ended(1)[0].responseData.text == "1 2 ")
        let replayed = try await ReplayingDispatcher(recorder.recording()).streamFuture(from: get).value.data
        var read = Data()
        let error = await #expect(throws: TransferError.self) { for try await chunk in replayed { read += chunk } }
        #expect(error?.kind == .connectionLost && read == Data("1 2 ".utf8))
    }
}
