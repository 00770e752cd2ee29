import Foundation
import LoopbackServer
import PiuPiu
import PiuPiuTesting
import TestSupport
import Testing

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

@Suite("The recording dispatcher", .timeLimit(.minutes(10)))
struct RecordingDispatcherTests {
    private let folder: TemporaryFolder

    init() throws {
        folder = try TemporaryFolder()
    }

    private func request(_ path: String, _ method: HTTPMethod = .get, body: String? = nil) throws -> URLRequest {
        var request = URLRequest(url: try url("https://example.com/" + path), method: method)
        request.httpBody = body.map { Data($0.utf8) }
        return request
    }

    /// Answers `text` by default, and knows a few paths.
    private func mock(clock: any Clock<Duration> = ContinuousClock()) -> MockRouteTable {
        MockRouteTable(
            clock: clock,
            routes: [
                MockRoute(nil, ["missing"], .status(.notFound)),
                MockRoute(nil, ["broken"], .failure(TransferError(.connectionLost))),
                MockRoute(nil, ["slow"], .text("slow").after(.seconds(5))),
                MockRoute(.text("text")),
            ])
    }

    @Test("It lists requests in order, with their outcomes")
    func list() async throws {
        let recorder = RecordingDispatcher(mock())
        _ = try await recorder.dataFuture(from: request("a", .post, body: "own")).value
        _ = try await recorder.uploadFuture(from: request("b", .put), with: Data("data".utf8)).value
        _ = try await recorder.dataFuture(from: request("missing")).value
        await #expect(throws: TransferError.self) { _ = try await recorder.dataFuture(from: request("broken")).value }
        let exchanges = recorder.exchanges
        #expect(
            exchanges.map(\.description) == [
                "POST https://example.com/a: 200", "PUT https://example.com/b: 200",
                "GET https://example.com/missing: 404",
                "GET https://example.com/broken: The connection to https://example.com/broken was lost before the "
                    + "response was complete.",
            ])
        #expect(exchanges.map(\.kind) == [.data, .upload, .data, .data])
        #expect(exchanges.map(\.body.data.text) == ["own", "data", nil, nil])
        #expect(exchanges.map(\.responseData.text) == ["text", "text", nil, nil])
        #expect(exchanges[2].body == .none)
        #expect((exchanges[3].error as? TransferError)?.kind == .connectionLost)
        #expect(exchanges[0].urlRequest == (try request("a", .post, body: "own")))
    }

    @Test("Requests that are sent one after the other are listed in this order, whatever they wait for")
    func order() async throws {
        let file = try folder.file("large", containing: String(repeating: "a", count: 500_000))
        for _ in 0..<50 {
            let recorder = RecordingDispatcher(mock()), put = try request("upload", .put)
            recorder.uploadFuture(from: put, withFile: file).send()
            for path in ["a", "b"] { recorder.dataFuture(from: try request(path)).send() }
            try #require(try await recorder.sent(3).map { $0.urlRequest.url?.path() } == ["/upload", "/a", "/b"])
        }
    }

    @Test("A recorded exchange is printed without secrets")
    func description() async throws {
        let recorder = RecordingDispatcher(mock())
        var request = URLRequest(url: try url("https://user:word@example.com/a?token=s3cret"), method: .post)
        request.setValue("Bearer s3cret", forHTTPHeaderField: "Authorization")
        let future = recorder.uploadFuture(from: request, with: Data("password=s3cret".utf8))
        var text = "\(future)"
        _ = await future.result
        dump((recorder.exchanges, String(reflecting: recorder.exchanges)), to: &text)
        #expect(text.contains("(created, POST https://") && text.contains("POST https://example.com/a"))
        #expect(!text.contains("s3cret") && !text.contains("word"))
    }

    @Test("COLD: a future that isn't started records nothing, and one that is awaited twice is sent once")
    func cold() async throws {
        let recorder = RecordingDispatcher(mock())
        let future = recorder.dataFuture(from: try request("a"))
        #expect(recorder.exchanges.isEmpty)
        _ = try await future.value
        _ = try await future.value
        #expect(recorder.exchanges.count == 1)
        let early = recorder.dataFuture(from: try request("a"))
        early.cancel()
        #expect(await early.ending == "cancelled")
        #expect(recorder.exchanges.count == 1, "EARLY")
    }

    @Test("Times are those of the clock")
    func times() async throws {
        let clock = ManualClock()
        clock.advance(by: .seconds(100))
        let recorder = RecordingDispatcher(mock(clock: clock), clock: clock)
        clock.advance(by: .seconds(2))
        let task = recorder.dataFuture(from: try request("slow")).then { $0.data.text }.awaitedInTask()
        await clock.sleepers()
        let running = try #require(recorder.exchanges.first)
        #expect(running.start == .seconds(2))
        #expect(running.duration == nil)
        #expect(running.outcome == nil)
        #expect(running.description == "GET https://example.com/slow: running")
        clock.advance(by: .seconds(5))
        #expect(await task.value == #"value Optional("slow")"#)
        #expect(recorder.exchanges.first?.duration == .seconds(5))
    }

    // MARK: Bodies

    @Test("It keeps bodies of data and small files; larger ones, and those that are read once, are left out")
    func bodies() async throws {
        let recorder = RecordingDispatcher(mock(), bodyLimit: 4)
        let small = try folder.file("small", containing: "1234"), large = try folder.file("large", containing: "12345")
        let request = try request("a", .post)
        let (stream, continuation) = AsyncStream.makeStream(of: Data.self)
        continuation.yield(Data("ch".utf8))
        continuation.finish()
        _ = try await recorder.uploadFuture(from: request, withFile: small).value
        _ = try await recorder.uploadFuture(from: request, withFile: large).value
        _ = try await recorder.uploadFuture(from: request, with: Data("12345".utf8)).value
        _ = try await recorder.uploadFuture(from: request, withChunks: stream).value
        _ = try await recorder.uploadFuture(from: request, with: .none).value
        await #expect(throws: TransferError.self) {
            _ = try await recorder.uploadFuture(from: request, withFile: folder.file("missing")).value
        }
        var streamed = request
        streamed.httpBodyStream = InputStream(data: Data("12".utf8))
        _ = try await recorder.uploadFuture(from: streamed).value
        #expect(
            recorder.exchanges.map(\.body) == [
                .data(Data("1234".utf8)), .omitted, .omitted, .omitted, .none, .none, .omitted,
            ])
        #expect(recorder.exchanges.first?.responseData.text == "text")
        let strict = RecordingDispatcher(mock(), bodyLimit: 3)
        for kind in RecordedExchange.Kind.allCases {
            #expect(try await kind.text(of: request, by: strict, in: folder).value == "text")
        }
        for exchange in try await strict.ended(4) {
            guard case .response(_, body: .omitted) = exchange.outcome else { Issue.record("\(exchange)"); continue }
        }
    }

    @Test("It keeps a small downloaded file, and takes no other for the body of an error or a HEAD, which have none")
    func downloads() async throws {
        let recorder = RecordingDispatcher(mock())
        let file = try folder.file("f", containing: "old")
        _ = try await recorder.downloadFuture(from: request("missing"), to: file).value
        #expect(file.content == "old")
        _ = try await recorder.downloadFuture(from: request("a"), to: file).value
        #expect(file.content == "text")
        _ = try await recorder.downloadFuture(from: request("a", .head), to: file).value
        #expect(file.content == "text")
        let bodies = recorder.exchanges.map { exchange in
            if case .response(_, let body) = exchange.outcome { body } else { RecordedExchange.Body.omitted }
        }
        #expect(bodies == [.none, .data(Data("text".utf8)), .none])
    }

    @Test("It keeps what was read of a stream, once nobody reads on")
    func streams() async throws {
        let table = MockRouteTable(script: MockScript([.text(String(repeating: "0123456789abcdef", count: 4 << 10))]))
        let recorder = RecordingDispatcher(table)
        let whole = try await recorder.streamFuture(from: request("a")).value.data
        #expect(recorder.exchanges[0].outcome == nil, "it isn't read yet")
        var count = 0
        for try await chunk in whole { count += chunk.count }
        #expect(count == 64 << 10)
        #expect(try await recorder.ended(1)[0].responseData?.count == count)
        for try await line in try await recorder.streamFuture(from: request("a")).value.data {
            #expect(line.count == 16 << 10)
            break
        }
        #expect(try await recorder.ended(2)[1].responseData?.count == 16 << 10)
        _ = try await recorder.streamFuture(from: request("a")).value
        #expect(try await recorder.ended(3)[2].statusCode == .ok)
    }

    // MARK: As the wrapped dispatcher's

    @Test("UPDATES: those of the wrapped dispatcher, all of them, in order", arguments: RecordedExchange.Kind.allCases)
    func updates(kind: RecordedExchange.Kind) async throws {
        func events(
            _ dispatcher: some DataDispatcher & DownloadDispatcher & UploadDispatcher & StreamDispatcher, _ url: URL
        ) async throws -> [String] {
            let log = EventLog(), hasEnded = Gate()
            kind.text(of: URLRequest(url: url, method: kind == .upload ? .post : .get), by: dispatcher, in: folder)
                .updated { log("\($0)") }
                .success { log($0 ?? "nothing") }
                .completion { hasEnded.open() }
                .send()
            await hasEnded.opened()
            return log.events
        }
        let server = try LoopbackServer.start()
        defer { server.stop() }
        let network = URLRequestDispatcher(configuration: .ephemeral)
        let url = server.baseURL.appending(path: "users/1")
        let expected = try await events(network, url), recorded = try await events(RecordingDispatcher(network), url)
        #expect(recorded == expected)
        #expect(expected.count >= 3)
        #expect(try await events(RecordingDispatcher(mock()), url) == events(mock(), url))
    }

    @Test(
        "UP, DOWN: a cancellation goes to the wrapped dispatcher, and is recorded",
        arguments: RecordedExchange.Kind.allCases,
        [true, false])
    func cancellation(kind: RecordedExchange.Kind, byTask: Bool) async throws {
        let clock = ManualClock()
        let recorder = RecordingDispatcher(mock(clock: clock))
        let future = kind.text(of: try request("slow"), by: recorder, in: folder)
        let task = Task { try await future.value }
        await clock.sleepers()
        if byTask { task.cancel() } else { future.cancel() }
        await #expect(throws: CancellationError.self) { try await task.value }
        let exchange = try await recorder.ended(1)[0]
        guard case .cancelled = exchange.outcome else { return #expect(Bool(false), "\(exchange)") }
        #expect(exchange.kind == kind)
    }

    @Test("NEVER-HANG: a wrapped dispatcher that drops its future is an error, and is recorded as one")
    func abandoned() async throws {
        struct Forgetful: DataDispatcher {
            func dataFuture(from urlRequest: URLRequest) -> ResponseFuture<Response<Data?>> {
                ResponseFuture<Response<Data?>> { _ in }
            }
        }
        let recorder = RecordingDispatcher(Forgetful())
        await #expect(throws: FutureError.self) { _ = try await recorder.dataFuture(from: request("a")).value }
        #expect(recorder.exchanges.first?.error is FutureError)
    }

    // MARK: Waiting

    @Test("A test waits for requests and for their ends without polling")
    func waiting() async throws {
        let clock = ManualClock(), log = EventLog()
        let recorder = RecordingDispatcher(mock(clock: clock))
        let sent = Task {
            let exchanges = try await recorder.sent(2)
            log("sent \(exchanges.count)")
        }
        let ended = Task {
            let exchanges = try await recorder.ended(2)
            log("ended \(exchanges.count)")
        }
        for _ in 0..<2 { recorder.dataFuture(from: try request("slow")).send() }
        try await sent.value
        await clock.sleepers(2)
        #expect(log.events == ["sent 2"])
        clock.advance(by: .seconds(5))
        try await ended.value
        #expect(log.events == ["sent 2", "ended 2"])
        #expect(try await recorder.sent(1).count == 2, "what is there already")
        #expect(try await recorder.ended(0).count == 2)
        #expect(try await recorder.ended(.min).count == 2)
    }

    @Test("DOWN: a cancellation ends a wait", arguments: [true, false])
    func cancelledWaiting(early: Bool) async throws {
        let recorder = RecordingDispatcher(mock()), gate = Gate()
        let task = Task {
            if early { await gate.pass() }
            try await recorder.sent(1)
        }
        if early { await gate.reached() }
        task.cancel()
        gate.open()
        await #expect(throws: CancellationError.self) { try await task.value }
        _ = try await recorder.dataFuture(from: request("a")).value
        #expect(try await recorder.sent(1).count == 1)
    }

    @Test("Only requests that meet the condition are counted and returned")
    func conditions() async throws {
        let clock = ManualClock(), recorder = RecordingDispatcher(mock(clock: clock))
        let posts = Task { try await recorder.sent(2) { $0.urlRequest.httpMethod == "POST" } }
        let missing = Task { try await recorder.ended(where: { $0.urlRequest.url?.path() == "/missing" }) }
        for method in [HTTPMethod.get, .post, .put, .post, .get] {
            _ = try await recorder.dataFuture(from: request("a", method)).value
        }
        #expect(try await posts.value.map(\.urlRequest.httpMethod) == ["POST", "POST"])
        _ = try await recorder.dataFuture(from: request("missing")).value
        #expect(try await missing.value.map(\.statusCode) == [.notFound])
        let slow = recorder.dataFuture(from: try request("slow"))
        slow.send()
        let sent = try await recorder.sent(where: { $0.urlRequest.url?.path() == "/slow" })
        #expect(sent.count == 1 && sent[0].outcome == nil)
        #expect(try await recorder.ended(where: { $0.urlRequest.httpMethod == "PUT" }).count == 1, "was there already")
        slow.cancel()
    }

    @Test("A wait beyond its limit, by any clock, is an error that lists what was sent", arguments: [true, false])
    func limits(isOwnClock: Bool) async throws {
        let clock = ManualClock()
        let recorder = RecordingDispatcher(mock(), clock: isOwnClock ? clock : ManualClock())
        _ = try await recorder.dataFuture(from: request("a?token=s3cret", .post)).value
        let task = Task {
            try await recorder.sent(2, within: .seconds(3), clock: isOwnClock ? nil : clock)
        }
        let ended = Task {
            try await recorder.ended(within: .seconds(4), clock: isOwnClock ? nil : clock) {
                $0.statusCode == .notFound
            }
        }
        await clock.sleepers(2)
        clock.advance(by: .seconds(3))
        let error = await #expect(throws: ExchangesMissingError.self) { try await task.value }
        #expect(error?.exchanges.count == 1 && error?.count == 1 && error?.expectedCount == 2 && error?.stage == .sent)
        #expect(
            error?.localizedDescription == """
                Only 1 of 2 requests were sent within 3.0 seconds. There were: POST https://example.com/a?…: 200. Check \
                what sends them, or wait longer.
                """)
        clock.advance(by: .seconds(1))
        let late = await #expect(throws: ExchangesMissingError.self) { try await ended.value }
        #expect(late?.stage == .ended && late?.count == 0 && late?.limit == .seconds(4))
        await #expect(throws: ExchangesMissingError.self) { try await recorder.sent(2, within: .zero) }
        // After the sentence of an error there is no second full stop.
        _ = await recorder.dataFuture(from: try request("broken")).ending
        let broken = await #expect(throws: ExchangesMissingError.self) { try await recorder.sent(3, within: .zero) }
        #expect(broken?.localizedDescription.contains("response was complete. Check") == true)
        #expect(try await recorder.sent(2, within: .zero).count == 2, "what is there needs no time")
    }

    @Test("A wait whose condition is met when its limit ends is no error")
    func metAtTheLimit() async throws {
        let clock = ManualClock(), recorder = RecordingDispatcher(mock(), clock: clock), isMet = Box<Bool>()
        _ = try await recorder.dataFuture(from: request("a")).value
        let task = Task { try await recorder.sent(within: .seconds(3)) { _ in isMet.value == true } }
        await clock.sleepers()
        isMet.value = true
        clock.advance(by: .seconds(3))
        #expect(try await task.value.count == 1)
    }

    @Test("A wait that ends within its limit leaves no sleeper behind, and neither does a cancelled one")
    func metLimits() async throws {
        let clock = ManualClock(), recorder = RecordingDispatcher(mock(), clock: clock)
        let met = Task { try await recorder.sent(within: .seconds(3)) }
        let cancelled = Task { try await recorder.sent(9, within: .seconds(3)) }
        await clock.sleepers(2)
        _ = try await recorder.dataFuture(from: request("a")).value
        #expect(try await met.value.count == 1)
        cancelled.cancel()
        await #expect(throws: CancellationError.self) { try await cancelled.value }
        await clock.noSleepers()
    }

    @Test("PROMPT: a clock that ignores cancellations holds nobody up")
    func deafClock() async throws {
        let clock = ManualClock(), recorder = RecordingDispatcher(mock(), clock: DeafClock(manual: clock))
        let met = Task { try await recorder.sent(within: .seconds(3)) }
        // What is there already needs no time, and so no sleeper.
        await clock.sleepers()
        _ = try await recorder.dataFuture(from: request("a")).value
        #expect(try await met.value.count == 1)
        let cancelled = Task { try await recorder.sent(9, within: .seconds(3)) }
        await clock.sleepers(2)
        cancelled.cancel()
        await #expect(throws: CancellationError.self) { try await cancelled.value }
        clock.advance(by: .seconds(3))
    }

    @Test("Nothing is lost when many tasks send at once")
    func concurrency() async throws {
        let recorder = RecordingDispatcher(mock()), copy = recorder
        try await withThrowingTaskGroup(of: Void.self) { group in
            for number in 0..<100 {
                let request = try request("a/\(number)")
                group.addTask { _ = try await copy.dataFuture(from: request).value }
            }
            #expect(try await recorder.ended(100).count == 100)
            try await group.waitForAll()
        }
        #expect(Set(recorder.exchanges.compactMap { $0.urlRequest.url }).count == 100)
    }
}

/// A clock whose sleepers ignore cancellations.
private struct DeafClock: Clock {
    let manual: ManualClock
    var now: ManualClock.Instant { manual.now }
    var minimumResolution: Duration { .zero }

    func sleep(until deadline: ManualClock.Instant, tolerance: Duration?) async throws {
        try await Task { try await manual.sleep(until: deadline, tolerance: tolerance) }.value
    }
}
