import Foundation
import PiuPiu
import PiuPiuTesting
import TestSupport
import Testing

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

@Suite("Logs of the whole traffic", .timeLimit(.minutes(10)))
struct TrafficLogTests {
    private let log = EventLog()
    private let folder: TemporaryFolder
    private let post: URLRequest

    init() throws {
        folder = try TemporaryFolder()
        var post = try request("POST", "https://example.com/posts?token=secret")
        post.setValue("Bearer secret", forHTTPHeaderField: "Authorization")
        self.post = post
    }

    private func lines(_ index: Int = 0) throws -> [String] {
        try #require(log.events.count > index)
        return log.events[index].split(separator: "\n").map(String.init)
    }

    @Test("COLD: one text for an exchange at its end: the command for curl, the status, the headers and the body")
    func data() async throws {
        let json = #"{"id":1,"password":"secret"}"#, isOnMainThread = Locked(false), log = log
        let server = scripted(.text(json, status: .created, headers: ["Set-Cookie": "a=secret", "X-A": "b"]))
        let dispatcher = server.logged { text in
            if Thread.isMainThread { isOnMainThread.withLock { $0 = true } }
            log(text)
        }
        var put = post
        put.httpBody = Data(json.utf8)
        let future = dispatcher.dataFuture(from: put)
        #expect(log.events.isEmpty)
        let response = try await future.value
        #expect(log.events.count == 1 && !isOnMainThread.withLock { $0 } && response.data.text == json)
        let text = try #require(log.events.first)
        #expect(text.hasPrefix(put.curl() + "\n") && text.hasSuffix(response.makeResponseMarkdown()))
        #expect(!text.contains("secret") && text.contains("[POST] (201) "))
    }

    @Test("All is written without a redaction, and the name of a dispatcher of every type")
    func types() async throws {
        let server = scripted(.text("text")), get = try request("GET"), log = log
        let write: @Sendable (String) -> Void = { log($0) }
        let all: any RequestDispatcher = server, data: any DataDispatcher = server
        let upload: any UploadDispatcher = server, download: any DownloadDispatcher = server
        let stream: any StreamDispatcher = server
        _ = try await all.logged(redacting: .none, write: write).dataFuture(from: post).value
        _ = try await data.logged(write: write).dataFuture(from: get).value
        _ = try await upload.logged(write: write).uploadFuture(from: get, with: Data()).value
        _ = try await download.logged(write: write).downloadFuture(from: get, to: folder.file("f")).value
        _ = try await stream.logged(write: write).streamFuture(from: get).value
        #expect(log.events.count == 5 && log.events[0].contains("Authorization: Bearer secret"))
        #expect("\(TrafficLogPolicy(bodyLimit: 7))" == "TrafficLogPolicy(7 bytes)")
    }

    @Test("A long body is cut, and of one that is no text the length is written, on both sides")
    func bodies() async throws {
        let bytes = Data([0xFF, 0x00, 0xFE]), log = log
        let server = scripted(.text("öffentlich"), .status(.ok, data: bytes))
        let dispatcher = server.logged(bodyLimit: 6) { log($0) }
        _ = try await dispatcher.uploadFuture(from: post, with: Data("straßen".utf8)).value
        _ = try await dispatcher.uploadFuture(from: post, with: bytes).value
        #expect(try lines().suffix(3).first == "öffen" || lines().contains("öffen"))
        #expect(try lines().contains("straß") && lines().count { $0 == "(The first 6 of 8 bytes.)" } == 1)
        #expect(try lines().contains("(The first 6 of 11 bytes.)"))
        #expect(try lines(1).count { $0 == "(3 bytes that are no text.)" } == 2)
        #expect(!log.events[1].contains("base64"))
    }

    @Test("The data of an upload is in the command; a file and chunks are named")
    func uploads() async throws {
        let server = scripted(.text("text")), log = log, file = folder.file("body.txt")
        try Data("content".utf8).write(to: file)
        let dispatcher = server.logged { log($0) }
        _ = try await dispatcher.uploadFuture(from: post, with: Data("text".utf8)).value
        _ = try await dispatcher.uploadFuture(from: post, with: .file(file)).value
        let chunks = AsyncStream<Data> { continuation in
            continuation.yield(Data("content".utf8))
            continuation.finish()
        }
        _ = try await dispatcher.uploadFuture(from: post, with: .chunks(TransferChunks(chunks))).value
        #expect(log.events[0].contains("--data-raw 'text'"))
        #expect(try lines(1).contains("(The file \(file.path()).)") && !log.events[1].contains("content"))
        #expect(try lines(2).contains("(A stream, which isn't read here.)") && !log.events[2].contains("content"))
    }

    @Test("A download names its file, but not one that it hasn't written; a stream is written before it is read")
    func filesAndStreams() async throws {
        let server = scripted(.text("content"), .text("content"), .text("no", status: .notFound)), log = log
        let dispatcher = server.logged { log($0) }, get = try request("GET"), file = folder.file("f")
        let stream = try await dispatcher.streamFuture(from: get).value
        #expect(try lines().last == "(A stream, which isn't read here.)")
        #expect(String(decoding: try await stream.data.reduce(Data(), +), as: UTF8.self) == "content")
        _ = try await dispatcher.downloadFuture(from: get, to: file).value
        #expect(try lines(1).last == "(The file \(file.path()).)")
        _ = try await dispatcher.downloadFuture(from: get, to: folder.file("g")).value
        #expect(try !lines(2).contains { $0.hasPrefix("(The file") } && lines(2).contains("no"))
        #expect(log.events.count == 3)
    }

    @Test("The body of a download that isn't saved is cut and redacted as others are")
    func unsaved() async throws {
        let log = log, get = try request("GET"), json = #"{"iban":"DE02","error":"größer"}"#
        let refused = MockAnswer.text(json, status: .notFound, headers: ["Content-Type": "application/json"])
        let long = MockAnswer.text(String(repeating: "x", count: 10_000), status: .notFound)
        let server = scripted(refused, refused, refused, long)
        let redaction = HeaderRedaction.secrets.adding(["iban"])
        for limit in [1_000, 0, 27, 10_000] {
            let dispatcher = server.logged(bodyLimit: limit, redacting: redaction) { log($0) }
            _ = try await dispatcher.downloadFuture(from: get, to: folder.file("f")).value
        }
        #expect(log.events.allSatisfy { !$0.contains("DE02") } && log.events[0].contains(#""error":"größer""#))
        #expect(try lines(1).last == "(The first 0 of 34 bytes.)")
        #expect(try lines(2).last == "(The first 26 of 34 bytes.)")
        #expect(try lines(3).last == "(The first 4096 of 10000 bytes.)")
    }

    @Test("An error is written without its secrets, and a cancellation is one line")
    func failures() async throws {
        struct Leak: LocalizedError {
            var errorDescription: String? { "refused token=secret" }
        }
        let log = log, failing = scripted(.failure(Leak()), .broken(.timedOut)).logged { log($0) }
        await #expect(throws: Leak.self) { try await failing.dataFuture(from: post).value }
        await #expect(throws: TransferError.self) { try await failing.dataFuture(from: post).value }
        #expect(try lines().contains("## ERROR") && lines().last?.hasPrefix("refused") == true)
        #expect(log.events.allSatisfy { !$0.contains("secret") && $0.hasPrefix("curl --request 'POST'") })

        let engine = DirectedEngine()
        let future = URLRequestDispatcher(engine: engine).logged { log($0) }.dataFuture(from: post)
        let task = Task { await future.statusOrError }
        await engine.started(1)
        future.cancel()
        #expect(await task.value == "cancelled")
        let cancelled = await log.all(3)[2]
        #expect(cancelled.hasPrefix("POST https://example.com/posts?token=") && cancelled.hasSuffix(" was cancelled"))
        #expect(!cancelled.contains("\n") && !cancelled.contains("secret"))
    }

    @Test("A stream that fails after its head has a second text; one that ends well, or is left, has none")
    func failedStreams() async throws {
        struct Leak: LocalizedError {
            var errorDescription: String? { "refused token=secret" }
        }
        let broken = AskedChunks(9) { if $0 == 2 { throw Leak() } }
        let log = log, wasOnMain = Locked(false)
        let server = scripted(.text("content"), .text("content"), .chunks(broken))
        let dispatcher = server.logged { text in
            if Thread.isMainThread { wasOnMain.withLock { $0 = true } }
            log(text)
        }
        let post = post
        for try await _ in try await dispatcher.streamFuture(from: post).value.data {}
        for try await _ in try await dispatcher.streamFuture(from: post).value.data { break }
        let body = try await dispatcher.streamFuture(from: post).value.data
        #expect(log.events.count == 3)
        let reading = Task { @MainActor in for try await _ in body {} }
        await #expect(throws: Leak.self) { try await reading.value }
        let text = await log.all(4)[3], lines = text.split(separator: "\n")
        #expect(lines[0].hasPrefix("POST https://example.com/posts?token=") && lines[1] == "## ERROR")
        #expect(lines.count == 3 && lines[2].hasPrefix("refused") && !text.contains("secret"))
        #expect(!wasOnMain.withLock { $0 })
    }

    @Test("Inside a retry each attempt is written, around it the last; adapters inside are seen")
    func attempts() async throws {
        let log = log, get = try request("GET")
        for isInside in [true, false] {
            let server = scripted(.number(503), .text("text")).adapting(requestAdapter: .headers(["X-App": "Blog"]))
            let policy = RetryPolicy.fixed(SkippingClock())
            let dispatcher: any DataDispatcher =
                isInside ? server.logged { log($0) }.retrying(policy) : server.retrying(policy).logged { log($0) }
            _ = try await dispatcher.dataFuture(from: get).value
        }
        #expect(log.events.count == 3 && log.events.allSatisfy { $0.contains("--header 'X-App: Blog'") })
        #expect(log.events.map { $0.contains("(503)") } == [true, false, false])
    }
}
