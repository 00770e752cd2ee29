import Foundation
import PiuPiu
import PiuPiuTesting
import TestSupport
import Testing

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// Fails in some attempts before it reads the body.
private struct RefusingDispatcher: UploadDispatcher {
    let base: RecordingDispatcher<MockRouteTable>
    let refused: ClosedRange<Int>
    let attempts = Counter()

    func uploadFuture(from urlRequest: URLRequest, with data: Data) -> ResponseFuture<Response<Data?>> {
        uploadFuture(from: urlRequest, with: .data(data))
    }

    func uploadFuture(from urlRequest: URLRequest, with body: TransferBody) -> ResponseFuture<Response<Data?>> {
        refused.contains(attempts.increment())
            ? ResponseFuture(error: TransferError(.cannotConnect)) : base.uploadFuture(from: urlRequest, with: body)
    }
}

@Suite("Bodies that are sent again", .timeLimit(.minutes(10)))
struct RetryBodyTests {
    private let clock = ManualClock()
    private let folder: TemporaryFolder
    private let server = RecordingDispatcher(
        MockRouteTable(script: MockScript([.number(500), .number(502), .text("text")])))

    init() throws {
        folder = try TemporaryFolder()
    }

    private var dispatcher: some UploadDispatcher { server.retrying(.fixed(clock, fraction: 0)) }

    /// Chunks that come once.
    private func stream() -> TransferChunks {
        TransferChunks(
            AsyncStream { continuation in
                for text in ["a", "b", "c"] { continuation.yield(Data(text.utf8)) }
                continuation.finish()
            })
    }

    @Test("R8 BODY: data, a form of data, and a request's own are sent again")
    func repeatable() async throws {
        let put = try request("PUT")
        #expect(await dispatcher.uploadFuture(from: put, with: Data("data".utf8)).statusOrError == "200")
        #expect(server.exchanges.map(\.body.data.text) == ["data", "data", "data"])
        var form = MultipartForm()
        form.append(text: "hello", forName: "greeting")
        let forms = scripted(.number(500), .number(502), .text("text"))
        let policy = RetryPolicy.fixed(clock, fraction: 0)
        #expect(await forms.retrying(policy).uploadFuture(from: put, withForm: form).statusOrError == "200")
        #expect(forms.exchanges.count == 3)
        var own = put
        own.httpBody = Data("own".utf8)
        let bodies = scripted(.number(500), .number(502), .text("text"))
        #expect(await bodies.retrying(policy).dataFuture(from: own).statusOrError == "200")
        #expect(bodies.exchanges.map(\.body.data.text) == ["own", "own", "own"])
    }

    @Test("R8 BODY: chunks that can be made again are sent again, from the first one on")
    func factory() async throws {
        let made = Counter()
        let chunks = TransferChunks(length: 3) { [made] in
            made.increment()
            return stream()
        }
        let mock = MockURLRequestDispatcher { request in
            Response.makeMockResponse(
                with: request, statusCode: request.httpBody == Data("abc".utf8) ? .internalServerError : .badRequest)
        }
        let future = mock.retrying(.fixed(clock, fraction: 0)).uploadFuture(
            from: try request("PUT"), with: .chunks(chunks))
        #expect(await future.statusOrError == "500")
        #expect(made.value == 3)
        let wrapped = mock.retrying(.fixed(clock, fraction: 0)).uploadFuture(
            from: try request("PUT"), withChunks: chunks)
        #expect(await wrapped.statusOrError == "500")
        #expect(made.value == 6)
        #expect(TransferChunks(chunks).length == 3 && TransferChunks(chunks, length: 4).length == 4)
        #expect(TransferChunks(TransferChunks(stream())).rereadFiles == nil)
    }

    @Test("R8 BODY: chunks are sent again as long as none was read")
    func chunks() async throws {
        let put = try request("PUT")
        #expect(await dispatcher.uploadFuture(from: put, with: .chunks(stream())).statusOrError == "500")
        #expect(server.exchanges.count == 1, "the mock has read them")
        let reader = scripted(.text("text")), refusing = RefusingDispatcher(base: reader, refused: 1...2)
        let policy = RetryPolicy.fixed(clock, fraction: 0)
        #expect(await refusing.retrying(policy).uploadFuture(from: put, with: .chunks(stream())).statusOrError == "200")
        #expect(refusing.attempts.value == 3 && reader.exchanges.count == 1)
        let twice = RefusingDispatcher(base: scripted(.number(503), .text("text")), refused: 1...1)
        #expect(await twice.retrying(policy).uploadFuture(from: put, with: .chunks(stream())).statusOrError == "503")
        #expect(twice.attempts.value == 2)
    }

    @Test("R2 IDEMPOTENT: an error of the chunks in one attempt says nothing about the next")
    func failedChunks() async throws {
        let made = Counter(), log = EventLog(), base = scripted(.text("text"))
        let chunks = TransferChunks { [made] in
            let isFirst = made.increment() == 1
            return AskedChunks(1) { _ in if isFirst { throw TransferError(.cannotConnect) } }
        }
        var policy = RetryPolicy.fixed(clock, fraction: 0)
        policy.decision = { _, attempt, isWanted in
            log("\(isWanted)")
            return isWanted || attempt.number == 1
        }
        let dispatcher = RefusingDispatcher(base: base, refused: 2...2).retrying(policy)
        let future = dispatcher.uploadFuture(from: try request("POST"), with: .chunks(chunks))
        #expect(await future.statusOrError == "200")
        #expect(log.events == ["false", "true", "false"])
    }

    @Test("R8 BODY: a request's stream is sent once, as nobody sees whether it was read")
    func requestStream() async throws {
        var put = try request("PUT")
        put.httpBodyStream = InputStream(data: Data("abc".utf8))
        #expect(await server.retrying(.fixed(clock, fraction: 0)).dataFuture(from: put).statusOrError == "500")
        #expect(server.exchanges.count == 1)
    }

    /// What happens to a file while a retry waits.
    private enum Change: CaseIterable {
        case none, size, date, removal
    }

    @Test("R8 BODY: a file is sent again only if its size and date are the same", arguments: [true, false])
    func files(isForm: Bool) async throws {
        for change in Change.allCases {
            let file = try folder.file("\(change)", containing: "text"), server = scripted(.number(500), .text("text"))
            var policy = RetryPolicy.fixed(clock)
            policy.baseDelay = .seconds(2)
            var form = MultipartForm()
            form.append(file: file, forName: "file")
            let dispatcher = server.retrying(policy), put = try request("PUT")
            let future =
                isForm
                ? dispatcher.uploadFuture(from: put, withForm: form)
                : dispatcher.uploadFuture(from: put, withFile: file)
            let ending = Task { await future.statusOrError }
            await clock.sleepers()
            switch change {
            case .none: break
            case .size: try Data("other text".utf8).write(to: file)
            case .date:
                try FileManager.default.setAttributes(
                    [.modificationDate: Date(timeIntervalSince1970: 1_000_000)], ofItemAtPath: file.path())
            case .removal: try FileManager.default.removeItem(at: file)
            }
            clock.advance(by: .seconds(1))
            #expect(await ending.value == (change == .none ? "200" : "500"), "\(change)")
            #expect(server.exchanges.count == (change == .none ? 2 : 1), "\(change)")
            if change != .none { #expect(try await future.value.earlierAttempts.isEmpty) }
            // What isn't sent again costs nothing (rule BUDGET).
            #expect(policy.budget?.tokens(for: try #require(put.url)) == 500, "\(change)")
        }
    }

    @Test("R8 BODY: a file that changed while it was sent isn't sent again, and there is no wait")
    func changedMeanwhile() async throws {
        let file = try folder.file("file", containing: "text")
        let mock = MockURLRequestDispatcher { request in
            try Data("longer text".utf8).write(to: file)
            return Response.makeMockResponse(with: request, statusCode: .serviceUnavailable)
        }
        let policy = RetryPolicy.fixed(clock), put = try request("PUT")
        #expect(await mock.retrying(policy).uploadFuture(from: put, withFile: file).statusOrError == "503")
        #expect(policy.budget?.tokens(for: try url("https://example.com")) == 500)
    }
}
