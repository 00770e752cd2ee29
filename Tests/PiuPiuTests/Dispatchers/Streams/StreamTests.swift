import Foundation
import LoopbackServer
import PiuPiu
import PiuPiuTesting
import TestSupport
import Testing

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

@Suite("Streams of response bodies", .timeLimit(.minutes(10)))
struct StreamTests {
    private let server: LoopbackServer
    private let dispatcher = URLRequestDispatcher(configuration: .ephemeral)

    init() throws {
        server = try LoopbackServer.start()
    }

    private func stream(_ path: String, timeout: TimeInterval = 3600) -> ResponseFuture<Response<StreamedBody>> {
        dispatcher.streamFuture(from: server.request(path, timeout: timeout))
    }

    @Test("Chunks are delivered while the server still sends")
    func chunksArriveEarly() async throws {
        let gate = LoopbackGate()
        let parts = ["one", "two", "three"].map { Data($0.utf8) }
        server.handle(
            "GET", "/slow", reply: .chunked(parts) { index in index == 0 ? [] : [.gate(gate)] })
        let response = try await stream("/slow").makeHTTPResponse().value
        #expect(response.statusCode == .ok)
        var iterator = response.data.makeAsyncIterator()
        #expect(try await iterator.next() == parts[0])
        #expect(gate.isOpen == false)
        gate.open()
        var rest = Data()
        while let chunk = try await iterator.next() { rest.append(chunk) }
        #expect(rest == parts[1] + parts[2])
        #expect(try await iterator.next() == nil)
    }

    @Test("A second iterator throws, in whatever form, and the first one gets everything")
    func secondIterator() async throws {
        let body = try await stream("/bytes/100000").value.data
        var iterator = body.makeAsyncIterator(), count = try await iterator.next()?.count ?? 0
        await #expect(throws: StreamedBodyError.alreadyRead) { for try await _ in body {} }
        await #expect(throws: StreamedBodyError.alreadyRead) { for try await _ in body.bytes {} }
        await #expect(throws: StreamedBodyError.alreadyRead) { for try await _ in body.lines {} }
        while let chunk = try await iterator.next() { count += chunk.count }
        #expect(count == 100_000)
        await #expect(throws: StreamedBodyError.alreadyRead) { for try await _ in body.serverSentEvents {} }
    }

    @Test("MEMORY: a reader that is slower than the server gets everything, in order")
    func slowReader() async throws {
        let count = 20_000_000
        // An engine without back-pressure, where the whole body is there before the first chunk is read.
        let dispatcher = URLRequestDispatcher(engine: .urlSession(.ephemeral))
        let body = try await dispatcher.streamFuture(from: server.request("/bytes/\(count)")).value.data
        #if canImport(FoundationNetworking)
            try await server.waitUntilIdle()
        #endif
        var digest = LoopbackDigest()
        var received = 0
        for try await chunk in body {
            chunk.withUnsafeBytes { digest.update($0) }
            received += chunk.count
        }
        #expect(received == count)
        #expect(digest.value == LoopbackPattern.digest(count: count))
    }

    @Test("A loop that ends early cancels the transfer")
    func earlyExit() async throws {
        let response = try await stream("/fault/stall-mid-body").value
        for try await chunk in response.data {
            #expect(!chunk.isEmpty)
            break
        }
        try await server.waitForClosedConnections()
        // The rest can't be read any more, and the error shows that this isn't the end.
        await #expect(throws: StreamedBodyError.alreadyRead) { for try await _ in response.data {} }
    }

    @Test("An upload of a stream that was left early fails, and isn't cancelled")
    func uploadOfTheRest() async throws {
        let body = try await stream("/bytes/300000").value.data
        for try await _ in body { break }
        var request = server.request("/text")
        request.httpMethod = "POST"
        let future = dispatcher.uploadFuture(from: request, withChunks: body)
        let error = await #expect(throws: (any Error).self) { try await future.value }
        #expect(error is StreamedBodyError && future.status == .error, "\(error as Any)")
    }

    /// An engine that reports these events within its start, after a head, and logs the calls to its handle.
    private struct PromptEngine: TransferEngine {
        var length: Int?
        let events: [TransferEvent]
        let calls = Watched<[String]>([])

        struct Handle: TransferHandle {
            let calls: Watched<[String]>
            let onEvent: @Sendable (TransferEvent) -> Void

            func cancel() { calls.withLock { $0.append("cancel") } }
            func pause() { calls.withLock { $0.append("pause") } }
            func resume() { calls.withLock { $0.append("resume") } }
        }

        func start(
            _ request: TransferRequest, onEvent: @escaping @Sendable (TransferEvent) -> Void
        ) -> any TransferHandle {
            let fields = length.map { [("Content-Length", "\($0)")] } ?? []
            if let url = request.urlRequest.url {
                onEvent(.head(TransferHead(url: url, status: 200, fields: fields), request: request.urlRequest))
            }
            for event in events { onEvent(event) }
            return Handle(calls: calls, onEvent: onEvent)
        }

        func finishTasksAndInvalidate() {}
        func invalidateAndCancel() {}
    }

    @Test("MEMORY: a large chunk that goes to the file pauses the transfer until the file is read")
    func largeChunk() async throws {
        let chunks = [64 << 10, 1 << 20, 1 << 20].map { TransferEvent.body(Data(count: $0)) }
        let engine = PromptEngine(events: chunks), dispatcher = URLRequestDispatcher(engine: engine)
        let body = try await dispatcher.streamFuture(from: server.request("/")).value.data
        var bytes = body.bytes.makeAsyncIterator()
        _ = try await bytes.next()
        await engine.calls.wait { $0 == ["pause"] }
        for _ in 1..<(64 << 10) + 2 << 20 { _ = try await bytes.next() }
        await engine.calls.wait { $0 == ["pause", "resume"] }
    }

    @Test("A body that failed has no metrics, though the transfer was measured")
    func metricsOfFailure() async throws {
        for length in [1, 2] {
            let engine = PromptEngine(length: length, events: [.body(Data("a".utf8)), .finished])
            let future = URLRequestDispatcher(engine: engine).streamFuture(from: server.request("/"))
            let body = try await future.value.data
            var kind: TransferError.Kind?
            do { for try await _ in body {} } catch { kind = (error as? TransferError)?.kind }
            #expect(kind == (length == 1 ? nil : .truncated))
            #expect((body.metrics == nil) == (length == 2))
        }
    }

    @Test("After a loop that ended early the rest isn't there, even if the transfer ends at the same time")
    func endAtTheSameTime() async throws {
        let dispatcher = URLRequestDispatcher(engine: PromptEngine(events: [.body(Data("a".utf8))]))
        for _ in 0..<2_000 {
            let body = try await dispatcher.streamFuture(from: server.request("/")).value.data
            for try await _ in body { break }
            await #expect(throws: StreamedBodyError.alreadyRead) { for try await _ in body {} }
        }
    }

    @Test("DOWN: a cancelled reader gets a CancellationError, and the transfer is cancelled")
    func cancelledReader() async throws {
        let response = try await stream("/fault/stall-mid-body").value
        let hasBegun = Gate()
        let task = Task {
            for try await _ in response.data { hasBegun.open() }
        }
        await hasBegun.opened()
        task.cancel()
        await #expect(throws: CancellationError.self) { try await task.value }
        try await server.waitForClosedConnections()
    }

    @Test("Releasing an unread body cancels its transfer")
    func droppedBody() async throws {
        do { _ = try await stream("/fault/stall-after-head").value.data }
        try await server.waitForClosedConnections()
    }

    @Test("EARLY: a stream that is cancelled before the head sends nothing")
    func early() async throws {
        let future = stream("/text")
        future.cancel()
        await #expect(throws: CancellationError.self) { _ = try await future.value }
        #expect(server.requestCount() == 0)
    }

    @Test(
        "A failure after the head is thrown after the chunks that arrived",
        arguments: [("reset-mid-body", 50), ("truncate", 50), ("stall-mid-body", 50)])
    func failure(fault: String, count: Int) async throws {
        let isSilent = fault == "stall-mid-body"
        var received = 0, hasHead = false
        let error = await #expect(throws: TransferError.self) {
            let response = try await stream("/fault/\(fault)", timeout: isSilent ? 1 : 3600).value
            hasHead = true
            for try await chunk in response.data { received += chunk.count }
        }
        // On a busy machine even the head may take longer than the timeout of the silent fault.
        #expect(hasHead || isSilent)
        #expect(received <= count)
        #expect(error?.url == server.url("/fault/\(fault)"))
    }

    @Test("A failure before the head fails the future", arguments: ["reset", "garbage", "close"])
    func failureBeforeTheHead(fault: String) async throws {
        await #expect(throws: TransferError.self) { _ = try await stream("/fault/\(fault)").value }
    }

    @Test("An empty body, a status and a local file")
    func others() async throws {
        var iterator = try await stream("/empty").value.data.makeAsyncIterator()
        #expect(try await iterator.next() == nil)
        #expect(try await stream("/status/404").makeHTTPResponse().value.statusCode == .notFound)
        let folder = try TemporaryFolder()
        let data = LoopbackPattern.data(count: 3_000_000)
        try data.write(to: folder.file("f"))
        var received = Data()
        for try await chunk in try await dispatcher.streamFuture(from: URLRequest(url: folder.file("f"))).value.data {
            received.append(chunk)
        }
        #expect(received == data)
    }
}

@Suite("Bytes, lines and events of a streamed body", .timeLimit(.minutes(10)))
struct StreamedTextTests {
    private let server: LoopbackServer
    private let dispatcher = URLRequestDispatcher(configuration: .ephemeral)

    init() throws {
        server = try LoopbackServer.start()
    }

    private func body(_ chunks: [String]) async throws -> StreamedBody {
        server.handle("GET", "/chunks", reply: .chunked(chunks.map { Data($0.utf8) }))
        return try await dispatcher.streamFuture(from: server.request("/chunks")).value.data
    }

    private func all<Elements: AsyncSequence & Sendable>(_ elements: Elements) async throws -> [Elements.Element] {
        var all: [Elements.Element] = []
        for try await element in elements { all.append(element) }
        return all
    }

    @Test func bytes() async throws {
        let bytes = try await all(body(["ab", "c", "dé"]).bytes)
        #expect(bytes == Array("abcdé".utf8))
    }

    @Test func lines() async throws {
        let lines = try await all(body(["one\r", "\ntw", "o\n\nthree"]).lines)
        #expect(lines == ["one", "two", "three"])
    }

    @Test("JSON Lines end with LF or CRLF, and with nothing else that ends a line of other texts")
    func jsonLines() async throws {
        let text = "a\u{2028}b\u{85}c\u{0B}", chunks = ["\"\(text)", "\"\r", "\n\n7\n\"\(text)\""]
        let lines = try await all(body(chunks).jsonLines)
        #expect(lines == ["\"\(text)\"", "7", "\"\(text)\""])
        await #expect(throws: StreamLimitError.lineTooLong(limit: 5)) {
            _ = try await all(body(["12345\r\n123456\n"]).jsonLines(limit: 5))
        }
    }

    @Test func events() async throws {
        let events = try await all(
            body(["data: 1\n", "\nevent: e\nid: 7\nda", "ta: 2\n\n", "data: lost"]).serverSentEvents)
        #expect(events.map(\.data) == ["1", "2"])
        #expect(events.map(\.event) == ["message", "e"])
        #expect(events.last?.id == "7")
    }

    @Test("DOWN: a cancelled reader gets no more lines or events of a chunk that is there", arguments: [true, false])
    func cancelledReader(isEvents: Bool) async throws {
        let text = "data: 1\n\ndata: 2\n\ndata: 3\n\n"
        let mock = MockURLRequestDispatcher { request in
            Response.makeMockResponse(with: request, data: Data(text.utf8), statusCode: .ok)
        }
        let request = server.request("/"), count = Counter()
        let task = Task {
            let body = try await mock.streamFuture(from: request).value.data
            func seen() {
                count.increment()
                withUnsafeCurrentTask { $0?.cancel() }
            }
            if isEvents {
                for try await _ in body.serverSentEvents { seen() }
            } else {
                for try await _ in body.lines { seen() }
            }
        }
        await #expect(throws: CancellationError.self) { try await task.value }
        #expect(count.value == 1)
    }

    @Test("A line that is too long is an error, after those before it, and the transfer is cancelled")
    func limit() async throws {
        let endless = LoopbackReply.chunked(
            [Data("short\n".utf8), Data(String(repeating: "x", count: 100).utf8)]).steps.dropLast()
        server.handle("GET", "/endless", reply: LoopbackReply(steps: endless + [.stall]))
        let request = server.request("/endless")
        var seen: [String] = []
        let response = try await dispatcher.streamFuture(from: request).value
        await #expect(throws: StreamLimitError.lineTooLong(limit: 50)) {
            for try await line in response.data.lines(limit: 50) { seen.append(line) }
        }
        #expect(seen == ["short"])
        try await server.waitForClosedConnections()
    }

    @Test("Events are delivered as they arrive, and leaving the loop closes the connection")
    func liveEvents() async throws {
        let gate = LoopbackGate()
        server.handle(
            "GET", "/live",
            reply: .chunked(["data: 1\n\n", "data: 2\n\n"].map { Data($0.utf8) }) { $0 == 0 ? [] : [.gate(gate)] })
        let request = server.request("/live")
        for try await event in try await dispatcher.streamFuture(from: request).value.data.serverSentEvents {
            #expect(event.data == "1")
            break
        }
        try await server.waitForClosedConnections()
        #expect(!gate.isOpen)
    }
}
