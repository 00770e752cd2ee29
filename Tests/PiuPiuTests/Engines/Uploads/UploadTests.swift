import Foundation
import LoopbackServer
import PiuPiu
import TestSupport
import Testing

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

@Suite("Uploads", .timeLimit(.minutes(10)))
struct UploadTests {
    private let server: LoopbackServer
    private let dispatcher = URLRequestDispatcher(configuration: .ephemeral)
    private let folder: TemporaryFolder

    init() throws {
        server = try LoopbackServer.start()
        folder = try TemporaryFolder()
    }

    /// What `/sink` answers.
    private struct Received: Decodable, Equatable {
        let count: Int
        let digest: String

        init(_ data: Data) {
            count = data.count
            digest = LoopbackDigest.hexadecimal(LoopbackDigest.of(data))
        }
    }

    private func post(_ path: String = "/sink") -> URLRequest {
        var request = server.request(path)
        request.httpMethod = "POST"
        return request
    }

    private func received(_ future: ResponseFuture<Response<Data?>>) async throws -> Received {
        try await future.decoded(Received.self).value.data
    }

    /// Empty ones, some that fit into memory, and some that don't.
    private static let sizes = [0, 1, 100_000, (8 << 20) + 1, 20_000_000]

    @Test("MEMORY: bytes, a file and chunks arrive whole, whatever their size", arguments: sizes)
    func wholeBodies(size: Int) async throws {
        let data = LoopbackPattern.data(count: size)
        let expected = Received(data)
        let file = folder.file("f")
        try data.write(to: file)
        let chunks = stride(from: 0, to: size, by: 70_000).map { data[$0..<min($0 + 70_000, size)] }
        #expect(try await received(dispatcher.uploadFuture(from: post(), with: data)) == expected)
        #expect(try await received(dispatcher.uploadFuture(from: post(), withFile: file)) == expected)
        let stream = AsyncStream { continuation in
            for chunk in chunks { continuation.yield(Data(chunk)) }
            continuation.finish()
        }
        #expect(try await received(dispatcher.uploadFuture(from: post(), withChunks: stream)) == expected)
        var request = post()
        request.httpBody = data
        #expect(try await received(dispatcher.uploadFuture(from: request)) == expected)
        #expect(try await received(dispatcher.dataFuture(from: request)) == expected)
        request.httpBodyStream = InputStream(data: data)
        #expect(try await received(dispatcher.uploadFuture(from: request)) == expected)
        guard size > 0 else { return }
        // A stream can be read once.
        let error = await #expect(throws: TransferError.self) {
            _ = try await dispatcher.uploadFuture(from: request).value
        }
        #expect(error?.kind == .unreadableBody)
    }

    @Test("A GET with a body is a typed error, and nothing is sent")
    func get() async throws {
        let url = server.url("/sink")
        await #expect(throws: InvalidRequestError.bodyInGet(url: url)) {
            _ = try await dispatcher.uploadFuture(from: URLRequest(url: url), with: Data("x".utf8)).value
        }
        #expect(server.requestCount() == 0)
    }

    @Test("A body passed to the dispatcher wins over the request's own")
    func bodyWins() async throws {
        var request = post("/echo/body")
        request.httpBody = Data("own".utf8)
        let response = try await dispatcher.uploadFuture(from: request, with: Data("given".utf8)).value
        #expect(response.data.text == "given")
    }

    @Test("UPDATES: each part that is sent is reported, with the length of the body", arguments: [100_000, 20_000_000])
    func updates(size: Int) async throws {
        let file = folder.file("f")
        try LoopbackPattern.data(count: size).write(to: file)
        let updates = try await dispatcher.uploadFuture(from: post(), withFile: file).valueAndUpdates.updates
        let sent = updates.filter { $0.stage == .sent }
        #expect(updates.first?.stage == .started)
        #expect(!sent.isEmpty)
        #expect(sent.map(\.progress.bytesSent) == sent.map(\.progress.bytesSent).sorted())
        #expect(sent.last?.progress.bytesSent == Int64(size))
        #expect(sent.allSatisfy { $0.progress.bytesExpectedToSend == Int64(size) })
        #expect(sent.last?.percentSent == 1)
    }

    #if os(Linux)
        @Test("A file that has content, but reports no size, is an error: its body would be sent as empty")
        func fileWithoutSize() async throws {
            let error = await #expect(throws: TransferError.self) {
                _ = try await dispatcher.uploadFuture(from: post(), withFile: URL(filePath: "/proc/self/status")).value
            }
            #expect(error?.kind == .unreadableBody && error?.url?.path() == "/proc/self/status")
            let empty = try folder.file("empty", containing: "")
            #expect(try await received(dispatcher.uploadFuture(from: post(), withFile: empty)) == Received(Data()))
        }
    #endif

    @Test("Anything but a regular file is an error before anything is sent")
    func noFile() async throws {
        let pipe = folder.file("pipe")
        #expect(mkfifo(pipe.path(), 0o600) == 0)
        for file in [folder.file("missing"), folder.url, pipe] {
            let error = await #expect(throws: TransferError.self) {
                _ = try await dispatcher.uploadFuture(from: post(), withFile: file).value
            }
            #expect(error?.kind == .fileNotFound)
            #expect(error?.url == file)
        }
        #expect(server.requestCount() == 0)
    }

    @Test("An error of the chunks fails the future, and nothing is sent")
    func throwingChunks() async throws {
        let stream = AsyncThrowingStream<Data, any Error> { continuation in
            continuation.yield(Data(count: 20_000_000))
            continuation.finish(throwing: Mishap(number: 7))
        }
        await #expect(throws: Mishap(number: 7)) {
            _ = try await dispatcher.uploadFuture(from: post(), withChunks: stream).value
        }
        #expect(server.requestCount() == 0)
    }

    @Test("DOWN: a cancelled upload of chunks asks for no more of them")
    func cancelledChunks() async throws {
        let isAsked = Gate(), hasEnded = Gate()
        let stream = AsyncStream<Data> {
            isAsked.open()
            try? await hasEnded.passUnlessCancelled()
            hasEnded.open()
            return Task.isCancelled ? nil : Data()
        }
        let future = dispatcher.uploadFuture(from: post(), withChunks: stream)
        let task = Task { try await future.value }
        await isAsked.opened()
        task.cancel()
        await #expect(throws: CancellationError.self) { _ = try await task.value }
        await hasEnded.opened()
        #expect(server.requestCount() == 0)
    }

    @Test("A redirect that keeps the method sends the body again", arguments: [307, 308])
    func redirect(status: Int) async throws {
        let data = LoopbackPattern.data(count: 10_000_000)
        let file = folder.file("f")
        try data.write(to: file)
        let path = "/redirect-to?status=\(status)&url=/sink"
        #expect(try await received(dispatcher.uploadFuture(from: post(path), withFile: file)) == Received(data))
    }

    @Test("A redirect that keeps the method can't send chunks again, unless the engine has collected them")
    func redirectedChunks() async throws {
        let data = LoopbackPattern.data(count: 10_000_000)
        func chunks() -> AsyncStream<Data> {
            AsyncStream { continuation in
                continuation.yield(data)
                continuation.finish()
            }
        }
        let path = "/redirect-to?status=307&url=/sink"
        let collecting = URLRequestDispatcher(engine: .urlSession(.ephemeral))
        #expect(try await received(collecting.uploadFuture(from: post(path), withChunks: chunks())) == Received(data))
        #if canImport(FoundationNetworking)
            let error = await #expect(throws: TransferError.self) {
                _ = try await dispatcher.uploadFuture(from: post(path), withChunks: chunks()).value
            }
            #expect(error?.kind == .unreadableBody)
        #endif
    }

    @Test("A redirect that keeps the method sends chunks again that can be made again, such as those of a form")
    func redirectedForm() async throws {
        let path = "/redirect-to?status=308&url=/sink", data = LoopbackPattern.data(count: 10_000_000)
        let chunks = TransferChunks {
            AsyncStream { continuation in
                continuation.yield(data)
                continuation.finish()
            }
        }
        #expect(try await received(dispatcher.uploadFuture(from: post(path), with: .chunks(chunks))) == Received(data))
        let file = folder.file("f")
        try data.write(to: file)
        var form = MultipartForm()
        form.append(file: file, forName: "file")
        #expect(try await dispatcher.uploadFuture(from: post(path), withForm: form).value.head.status == 200)
    }

    @Test("STATUS: an answer before the end of the body is a response")
    func earlyReply() async throws {
        let response = try await dispatcher.uploadFuture(from: post("/early-reply"), with: Data(count: 100_000))
            .makeHTTPResponse().value
        #expect(response.statusCode.rawValue == 413)
    }

    @Test("A request is made when the upload starts; nil cancels it")
    func closure() async throws {
        let request = post("/echo/body")
        let body = Data("body".utf8)
        let response = try await dispatcher.uploadFuture(with: body) { request }.value
        #expect(response.data.text == "body")
        await #expect(throws: CancellationError.self) {
            _ = try await dispatcher.uploadFuture(with: body) { nil }.value
        }
    }

    private struct DataOnly: UploadDispatcher {
        func uploadFuture(from urlRequest: URLRequest, with data: Data) -> ResponseFuture<Response<Data?>> {
            MockURLRequestDispatcher { Response.makeMockResponse(with: $0, data: data, statusCode: .ok) }
                .dataFuture(from: urlRequest)
        }
    }

    @Test("A dispatcher that can only send data gets the whole of a file")
    func dataOnly() async throws {
        let file = try folder.file("f", containing: "content")
        #expect(try await DataOnly().uploadFuture(from: post(), withFile: file).value.data.text == "content")
    }

    @Test("A dispatcher that can only send data gets no chunks of another length than announced")
    func dataOnlyOfWrongLength() async throws {
        // Four bytes.
        for (length, isRight) in [(3, false), (4, true), (5, false)] as [(Int64, Bool)] {
            let future = DataOnly().uploadFuture(from: post(), withChunks: AskedChunks(2), length: length)
            guard !isRight else {
                #expect(try await future.value.data.text == "1 2 ")
                continue
            }
            let error = await #expect(throws: TransferError.self) { _ = try await future.value }
            #expect(error?.kind == .unreadableBody && error?.url == server.url("/sink"))
        }
    }

    @Test("STATUS: the answer to a HEAD ends with its head, even if the HEAD had a body", arguments: [false, true])
    func headWithBody(inChunks: Bool) async throws {
        server.handle("HEAD", "/file", reply: .response(body: Data(count: 50)))
        var request = server.request("/file")
        request.httpMethod = "HEAD"
        let chunks = AsyncStream { continuation in
            continuation.yield(Data("body".utf8))
            continuation.finish()
        }
        let response = try await dispatcher.uploadFuture(
            from: request, with: inChunks ? .chunks(TransferChunks(chunks)) : .data(Data("body".utf8))
        ).value
        #expect(response.head.status == 200 && response.data == nil)
        #expect(try await dispatcher.dataFuture(from: server.request("/text")).value.head.status == 200)
    }

    @Test("Chunks that are longer than announced are an error, and nothing beyond the length is sent")
    func tooLong() async throws {
        let chunks = AsyncStream { continuation in
            continuation.yield(Data("0123456789GET /smuggled HTTP/1.1\r\nHost: host\r\n\r\n".utf8))
            continuation.finish()
        }
        let error = await #expect(throws: TransferError.self) {
            _ = try await dispatcher.uploadFuture(from: post(), with: .chunks(TransferChunks(chunks, length: 10))).value
        }
        #expect(error?.kind == .unreadableBody && error?.url == server.url("/sink"))
        _ = try await dispatcher.dataFuture(from: server.request("/text")).value
        #expect(server.requestCount(path: "/smuggled") == 0)
    }

    @Test("Chunks that are shorter than announced are an error with the URL of the request")
    func tooShort() async throws {
        let chunks = AsyncStream { continuation in
            continuation.yield(Data("012".utf8))
            continuation.finish()
        }
        let body = TransferBody.chunks(TransferChunks(chunks, length: 10))
        let error = await #expect(throws: TransferError.self) {
            _ = try await dispatcher.uploadFuture(from: post(), with: body).value
        }
        #expect(error?.kind == .unreadableBody && error?.url == server.url("/sink"))
    }

    @Test("Chunks with a negative length are an error with the URL of the request", arguments: [-1, -5, Int64.min])
    func negativeLength(length: Int64) async throws {
        for count in [0, 2] {
            let future = dispatcher.uploadFuture(from: post(), withChunks: AskedChunks(count), length: length)
            let error = await #expect(throws: TransferError.self) { _ = try await future.value }
            #expect(error?.kind == .unreadableBody && error?.url == server.url("/sink"))
        }
    }

    private enum Traits {
        @TaskLocal static var name = "nobody"
    }

    @Test("INHERIT: chunks are made with the task-local values of whoever starts the upload, also after a wait in line")
    func taskLocals() async throws {
        let configuration = URLSessionConfiguration.ephemeral, names = Log<String>(), gate = Gate()
        configuration.httpMaximumConnectionsPerHost = 1
        let dispatcher = URLRequestDispatcher(configuration: configuration)
        let futures = [1, 2].map { number in
            let chunks = AskedChunks(1) { _ in
                names.append(Traits.name)
                if number == 1 { await gate.pass() }
            }
            return dispatcher.uploadFuture(from: post(), with: .chunks(TransferChunks(chunks)))
        }
        Traits.$name.withValue("first") { futures[0].send() }
        await gate.reached()
        let isStarted = Gate()
        Traits.$name.withValue("second") { futures[1].onUpdate { _ in isStarted.open() }.send() }
        await isStarted.opened()
        gate.open()
        for future in futures { #expect(try await future.value.head.status == 200) }
        #expect(names.all == ["first", "first", "second", "second"])
    }

    @Test("INHERIT: chunks that are sent again after a redirect are made with these values too")
    func taskLocalsAfterRedirect() async throws {
        server.handle("POST", "/from", reply: .redirect(307, to: "/sink"))
        let names = Log<String>()
        let chunks = TransferChunks(makeChunks: {
            names.append(Traits.name)
            return AskedChunks(1)
        })
        let response = try await Traits.$name.withValue("caller") {
            try await dispatcher.uploadFuture(from: post("/from"), with: .chunks(chunks)).value
        }
        #expect(response.head.status == 200)
        #expect(names.all == ["caller", "caller"])
    }

    @Test("STATUS: a 417 is a response like any other, and the request isn't sent again", arguments: ["PUT", "POST"])
    func failedExpectation(method: String) async throws {
        // Not with `Connection: close`, after which libcurl itself would give up.
        let reply = LoopbackReply(steps: [
            .raw(Data("HTTP/1.1 417 Expectation Failed\r\nContent-Length: 2\r\n\r\nno".utf8))
        ])
        server.handle(method, "/expecting", body: .ignore) { _ in reply }
        var request = post("/expecting")
        request.httpMethod = method
        request.setValue("100-continue", forHTTPHeaderField: "Expect")
        let response = try await dispatcher.uploadFuture(from: request, with: Data("body".utf8)).value
        #expect(response.head.status == 417 && response.data.text == "no")
        #expect(server.requestCount(path: "/expecting") == 1)
    }
}
