import Foundation
import PiuPiu
import PiuPiuTesting
import TestSupport
import Testing

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

@Suite("The mock's uploads, downloads and streams", .timeLimit(.minutes(10)))
struct MockTransferTests {
    private let request: URLRequest
    private let folder: TemporaryFolder

    init() throws {
        var request = URLRequest(url: try url("https://example.com/things"), method: .post)
        request.httpBody = Data("own".utf8)
        self.request = request
        folder = try TemporaryFolder()
    }

    /// Answers with the body that it was sent.
    private func echo(delay: TimeInterval = 0, clock: any Clock<Duration> = ContinuousClock())
        -> MockURLRequestDispatcher
    {
        MockURLRequestDispatcher(delay: delay, clock: clock) { request in
            Response.makeMockResponse(with: request, data: request.httpBody, statusCode: .ok)
        }
    }

    /// Answers with a text and a status.
    private func mock(_ text: String?, _ status: Int = 200) -> MockURLRequestDispatcher {
        MockURLRequestDispatcher { request in
            Response.makeMockResponse(
                with: request, data: text.map { Data($0.utf8) }, statusCode: StatusCode(rawValue: status))
        }
    }

    private func chunks(_ texts: [String], throwing error: Mishap? = nil) -> AsyncThrowingStream<Data, any Error> {
        AsyncThrowingStream { continuation in
            for text in texts { continuation.yield(Data(text.utf8)) }
            continuation.finish(throwing: error)
        }
    }

    // MARK: Bodies

    @Test(
        "As from a network, an empty body is nil, and an answer to HEAD, a 204 and a 304 have none",
        arguments: [("GET", 200, ""), ("HEAD", 200, "text"), ("GET", 204, "text"), ("POST", 304, "text")])
    func noBody(method: String, status: Int, text: String) async throws {
        var request = request
        request.httpMethod = method
        let mock = mock(text, status)
        #expect(try await mock.dataFuture(from: request).value.data == nil)
        #expect(try await mock.uploadFuture(from: request, with: Data("own".utf8)).value.data == nil)
        #expect(await mock.dataFuture(from: request).allUpdates.map(\.progress.bytesReceived) == [0, 0])
        for try await _ in try await mock.streamFuture(from: request).value.data { Issue.record("a chunk") }
    }

    // MARK: Uploads

    @Test("Its closure sees the body of an upload: data, a file, chunks, and the request's own")
    func uploads() async throws {
        let file = try folder.file("f", containing: "file")
        let mock = echo()
        #expect(try await mock.uploadFuture(from: request, with: Data("data".utf8)).value.data.text == "data")
        #expect(try await mock.uploadFuture(from: request, withFile: file).value.data.text == "file")
        #expect(
            try await mock.uploadFuture(from: request, withChunks: chunks(["a", "", "bc"])).value.data.text == "abc")
        #expect(try await mock.uploadFuture(from: request).value.data.text == "own")
        #expect(try await mock.uploadFuture(with: Data("closure".utf8)) { request }.value.data.text == "closure")
    }

    @Test("Its closure sees no body in an upload without one")
    func uploadWithoutBody() async throws {
        var request = request
        request.httpBody = nil
        let mock = MockURLRequestDispatcher { request in
            .makeMockResponse(with: request, statusCode: request.httpBody == nil ? .ok : .conflict)
        }
        #expect(try await mock.uploadFuture(from: request).makeHTTPResponse().value.statusCode == .ok)
        let empty = try await mock.uploadFuture(from: request, with: Data()).makeHTTPResponse().value
        #expect(empty.statusCode == .conflict)
    }

    @Test("A body that can't be read fails the upload, and its closure isn't called")
    func unreadableBodies() async {
        let calls = Counter()
        let mock = MockURLRequestDispatcher { request in
            calls.increment()
            return Response.makeMockResponse(with: request, statusCode: .ok)
        }
        let missing = folder.file("missing")
        let error = await #expect(throws: TransferError.self) {
            _ = try await mock.uploadFuture(from: request, withFile: missing).value
        }
        #expect(error?.kind == .fileNotFound)
        #expect(error?.url == missing)
        await #expect(throws: Mishap(number: 3)) {
            _ = try await mock.uploadFuture(from: request, withChunks: chunks(["a"], throwing: Mishap(number: 3))).value
        }
        #expect(calls.value == 0)
    }

    @Test(
        "Chunks of another length than announced fail the upload, and its closure isn't called",
        arguments: [2, 4, -1, .min] as [Int64])
    func wrongLength(length: Int64) async {
        let calls = Counter()
        let mock = MockURLRequestDispatcher { request in
            calls.increment()
            return Response.makeMockResponse(with: request, statusCode: .ok)
        }
        let error = await #expect(throws: TransferError.self) {
            _ = try await mock.uploadFuture(from: request, withChunks: chunks(["a", "bc"]), length: length).value
        }
        #expect(error?.kind == .unreadableBody && error?.url == request.url)
        #expect(calls.value == 0)
    }

    // MARK: Downloads

    @Test("FILES: its answer goes to the file, creates folders, and replaces an old file")
    func download() async throws {
        let file = folder.file("a/b/f")
        for text in ["first", "second", ""] {
            let response = try await mock(text).downloadFuture(from: request, to: file).value
            #expect(response.data == file)
            #expect(file.content == text)
        }
        _ = try await mock(nil).downloadFuture(from: request, to: file).value
        #expect(file.content == "")
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder.file("a/b").path()) == ["f"])
    }

    @Test("FILES, STATUS: a status that brings no file leaves the old one", arguments: [204, 205, 304, 404, 500])
    func status(_ status: Int) async throws {
        let file = try folder.file("f", containing: "old")
        let response = try await mock("new", status).downloadFuture(from: request, to: file).makeHTTPResponse().value
        #expect(response.statusCode.rawValue == status)
        #expect(file.content == "old")
        #expect(try folder.names == ["f"])
    }

    @Test("FILES: an answer to HEAD leaves the old file, whatever length it announces")
    func headOfDownload() async throws {
        let file = try folder.file("f", containing: "old")
        var request = request
        request.httpMethod = "HEAD"
        let mock = MockURLRequestDispatcher { request in
            .makeMockResponse(
                with: request, data: Data("new".utf8), statusCode: .ok, headers: ["Content-Length": "3"])
        }
        let response = try await mock.downloadFuture(from: request, to: file).makeHTTPResponse().value
        #expect(response.statusCode == .ok)
        #expect(file.content == "old")
        #expect(try folder.names == ["f"])
    }

    @Test("FILES: an error of its closure leaves the old file")
    func failedDownload() async throws {
        let file = try folder.file("f", containing: "old")
        let mock = MockURLRequestDispatcher { _ in throw Mishap(number: 1) }
        await #expect(throws: Mishap(number: 1)) { _ = try await mock.downloadFuture(from: request, to: file).value }
        #expect(file.content == "old")
        #expect(try folder.names == ["f"])
    }

    @Test(
        "FILES: an answer that makes no safe file is an error, and leaves the old file",
        arguments: [
            (206, ["Content-Range": "bytes 0-2/9"], FileAnswerError.partial),
            (200, ["Content-Encoding": "gzip"], .coded("gzip")),
            (200, ["Content-Range": "bytes 0-2/9"], .contradictory),
            (200, ["Content-Length": "2"], .contradictory),
            (200, ["Content-Length": "10"], nil),
        ])
    func unfitDownload(status: Int, headers: [String: String], fault: FileAnswerError?) async throws {
        let file = try folder.file("f", containing: "old")
        let mock = MockURLRequestDispatcher { request in
            .makeMockResponse(
                with: request, data: Data("new".utf8), statusCode: StatusCode(rawValue: status), headers: headers)
        }
        let error = await #expect(throws: TransferError.self) {
            _ = try await mock.downloadFuture(from: request, to: file).value
        }
        #expect(error?.kind == (fault == nil ? .truncated : .badResponse))
        #expect(error?.url == request.url)
        #expect(error?.underlyingError as? FileAnswerError == fault)
        #expect(file.content == "old")
        #expect(try folder.names == ["f"])
    }

    @Test("FILES: a range that was asked for is a file, and so is the body of a request without a URL")
    func fitDownload() async throws {
        var ranged = request
        ranged.setValue("bytes=0-2", forHTTPHeaderField: "Range")
        let mock = MockURLRequestDispatcher { request in
            .makeMockResponse(
                with: request, data: Data("new".utf8), statusCode: .partialContent,
                headers: ["Content-Range": "bytes 0-2/9", "Content-Length": "3"])
        }
        var nowhere = request
        nowhere.url = nil
        for (index, request) in [ranged, nowhere].enumerated() {
            let file = folder.file("\(index)")
            _ = try await mock.downloadFuture(from: request, to: file).value
            #expect(file.content == "new")
        }
    }

    @Test("An impossible destination is a typed error")
    func badDestinations() async throws {
        let obstacle = try folder.file("f", containing: "a file")
        let cases: [(URL, FileTransferError.Kind)] = [
            (try url("http://host/f"), .notFileURL), (folder.url, .isFolder),
            (obstacle.appending(path: "g"), .cannotCreate),
        ]
        for (destination, kind) in cases {
            let error = await #expect(throws: FileTransferError.self) {
                _ = try await mock("text").downloadFuture(from: request, to: destination).value
            }
            #expect(error?.kind == kind)
        }
    }

    // MARK: Streams

    @Test("A stream gives the body, as chunks, lines and events")
    func streams() async throws {
        let text = String(repeating: "data: 0123456789\n\n", count: 5_000)
        let stream = mock(text).streamFuture(from: request)
        var received = Data(), chunkCount = 0
        for try await chunk in try await stream.value.data {
            received.append(chunk)
            chunkCount += 1
        }
        #expect(received == Data(text.utf8))
        #expect(chunkCount > 1)
        var lineCount = 0, eventCount = 0
        for try await line in try await mock(text).streamFuture(from: request).value.data.lines {
            #expect(line == "data: 0123456789")
            lineCount += 1
        }
        for try await event in try await mock(text).streamFuture(from: request).value.data.serverSentEvents {
            #expect(event.data == "0123456789")
            eventCount += 1
        }
        #expect(lineCount == 5_000)
        #expect(eventCount == 5_000)
        for try await _ in try await mock(nil).streamFuture(from: request).value.data { Issue.record("a chunk") }
    }

    // MARK: Updates and delays

    /// Each kind of transfer, as a future of nothing.
    private static let kinds = ["data", "upload of data", "upload of a file", "upload of chunks", "download", "stream"]

    private func transfer(_ kind: String, _ mock: MockURLRequestDispatcher) throws -> ResponseFuture<Void> {
        switch kind {
        case "data": mock.dataFuture(from: request).then { _ in }
        case "upload of data": mock.uploadFuture(from: request, with: Data("own".utf8)).then { _ in }
        case "upload of a file":
            mock.uploadFuture(from: request, withFile: try folder.file("source", containing: "own")).then { _ in }
        case "upload of chunks": mock.uploadFuture(from: request, withChunks: chunks(["o", "wn"])).then { _ in }
        case "download": mock.downloadFuture(from: request, to: folder.file("f")).then { _ in }
        default: mock.streamFuture(from: request).then { _ in }
        }
    }

    @Test("UPDATES: exactly two, whatever the transfer", arguments: kinds)
    func updates(kind: String) async throws {
        let log = EventLog(), hasEnded = Gate()
        try transfer(kind, echo())
            .updated { log("\($0.stage) \($0.progress.bytesReceived) \($0.percentReceived ?? -1)") }
            .completion { hasEnded.open() }
            .send()
        await hasEnded.opened()
        #expect(log.events == ["started 0 -1.0", "received 3 1.0"])
    }

    @Test("The delay lies between the two updates, and is measured by the clock alone", arguments: kinds)
    func delay(kind: String) async throws {
        let clock = ManualClock(), log = EventLog()
        try transfer(kind, echo(delay: 3600, clock: clock))
            .updated { log("\($0.stage)") }
            .completion { log("completion") }
            .send()
        await clock.sleepers()
        #expect(await log.all(1) == ["started"])
        clock.advance(by: .seconds(3599))
        #expect(log.events == ["started"])
        clock.advance(by: .seconds(1))
        #expect(await log.all(3) == ["started", "received", "completion"])
    }

    @Test("UP, DOWN: a cancellation ends the delay, and leaves no file", arguments: kinds, [true, false])
    func cancellation(kind: String, byTask: Bool) async throws {
        let clock = ManualClock(), log = EventLog()
        let future = try transfer(kind, echo(delay: 3600, clock: clock))
            .onUpdate { log("\($0.stage)") }
            .onCompletion { log("completion") }
        let task = Task { try await future.value }
        await clock.sleepers()
        await log.wait(for: 1)
        if byTask { task.cancel() } else { future.cancel() }
        await #expect(throws: CancellationError.self) { try await task.value }
        #expect(future.status == .cancelled)
        #expect(await log.all(2) == ["started", "completion"])
        #expect(try !folder.names.contains { $0 != "source" })
    }

    @Test(
        "D3 NOTHING: after the deadline of the task no answer is asked for", arguments: RecordedExchange.Kind.allCases)
    func deadline(kind: RecordedExchange.Kind) async throws {
        let count = Counter(), clock = ManualClock()
        let mock = MockURLRequestDispatcher { request in
            count.increment()
            return Response.makeMockResponse(with: request, statusCode: .ok)
        }
        let future = kind.text(of: request, by: mock, in: folder)
        let context = PolicyContext(deadline: Deadline(after: .zero, clock: clock))
        await #expect(throws: DeadlineExceeded.self) {
            try await ExchangeLocals.$current.withValue(context.local) { _ = try await future.value }
        }
        #expect(count.value == 0)
    }
}
