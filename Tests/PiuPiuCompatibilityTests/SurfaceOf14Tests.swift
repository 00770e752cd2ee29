import Foundation
import PiuPiu
import TestSupport
import Testing

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// An app's own dispatcher, which downloads only to files, and records which.
@available(*, deprecated)
private struct FilesOnly: DownloadDispatcher {
    var inner = mockOf14()
    let journal = Journal()

    func downloadFuture(from urlRequest: URLRequest, to destination: URL) -> ResponseFuture<Response<URL>> {
        journal.lines = [destination.path]
        return inner.downloadFuture(from: urlRequest, to: destination)
    }
}

/// Opens a gate when it is released.
private final class Opener: Sendable {
    private let gate: Gate

    init(_ gate: Gate) { self.gate = gate }

    deinit { gate.open() }
}

/// An app's own dispatcher of files, whose downloads don't notice their cancellation.
private struct DeafFiles: DownloadDispatcher {
    let gate = Gate()
    let place = Box<URL>()
    /// Is open when nothing of a download is left.
    let isOver = Gate()

    func downloadFuture(from urlRequest: URLRequest, to destination: URL) -> ResponseFuture<Response<URL>> {
        ResponseFuture<Response<URL>> {
            await gate.pass()
            try Data("late".utf8).write(to: destination)
            place.value = destination
            return Response(
                data: destination, urlRequest: urlRequest, head: TransferHead(url: destination, status: 200))
        }
        .then { [opener = Opener(isOver)] response in withExtendedLifetime(opener) { response } }
    }
}

/// An app's own dispatcher of files, which answers with a file of its own, as a double in its tests may.
private struct FixtureFiles: DownloadDispatcher {
    let file: URL

    func downloadFuture(from urlRequest: URLRequest, to destination: URL) -> ResponseFuture<Response<URL>> {
        ResponseFuture(
            result: Response(data: file, urlRequest: urlRequest, head: TransferHead(url: file, status: 200)))
    }
}

@Suite("PiuPiu 1.4 to 1.9: the other names", .timeLimit(.minutes(10)))
struct SurfaceOf14Tests {
    @available(*, deprecated)
    private var surface: SurfaceOf14 { SurfaceOf14() }

    private func response(_ statusCode: StatusCode, _ body: String? = nil) throws -> Response<Data?> {
        let url = try #require(URL(string: "https://example.com"))
        return Response.makeMockResponse(
            with: URLRequest(url: url), data: body.map { Data($0.utf8) }, statusCode: statusCode)
    }

    @available(*, deprecated)
    @Test("Every kind of callback under its old name")
    func callbacks() async throws {
        let journal = Journal()
        let future = surface.callbacks(
            success: { journal.lines.append("success \($0)") }, error: { _ in },
            completion: { journal.lines.append("completion") }, cancellation: {},
            progress: { journal.lines.append("at \($0)") }, updated: { _ in })
        await untilDone { done in
            future.completion {
                journal.lines.append("completion")
                done()
            }.send()
        }
        #expect(journal.lines == ["at 1.0", "success 1", "completion"])
        #expect(surface.order() == 2)
    }

    @available(*, deprecated)
    @Test("nonFailing and thenError, in both forms")
    func errorsAsValues() async throws {
        #expect(try await surface.nonFailing().value.success == 1)
        #expect(try await surface.nestedNonFailing().value.failure == nil)
        #expect(try await surface.text().value == "1")
        guard case .response(1) = try await surface.safe().value else { return #expect(Bool(false)) }
        let failed: (success: Int?, failure: Error?) = try await ResponseFuture<Int>(error: Mishap()).nonFailing().value
        #expect(failed.success == nil && failed.failure is Mishap)
    }

    @available(*, deprecated)
    @Test("ONCE thenError is called once, also if it throws")
    func thenErrorOnce() async {
        let journal = Journal()
        let future = ResponseFuture<Int>(result: 1).thenError { (value: Int?, error: Error?) -> Int in
            journal.lines.append("\(value ?? 0) \(error == nil)")
            throw Mishap()
        }
        await #expect(throws: Mishap.self) { try await future.value }
        #expect(journal.lines == ["1 true"])
    }

    @available(*, deprecated)
    @Test("UP nonFailing and fulfill(with:) forward a cancellation", arguments: [true, false])
    func cancellation(isFulfilled: Bool) async {
        let cancelled = ResponseFuture<Int> { $0.cancel() }
        if isFulfilled {
            let future = ResponseFuture<Int> { $0.fulfill(with: cancelled) }
            await #expect(throws: CancellationError.self) { try await future.value }
        } else {
            let future: ResponseFuture<(success: Int?, failure: Error?)> = cancelled.nonFailing()
            await #expect(throws: CancellationError.self) { try await future.value }
        }
    }

    @available(*, deprecated)
    @Test("fulfill(with:) and fulfill(by:) settle the receiver with the argument's outcome")
    func fulfill() async throws {
        let one = ResponseFuture<Int>(result: 1)
        #expect(try await ResponseFuture<Int> { $0.fulfill(with: one) }.value == 1)
        #expect(try await ResponseFuture<Int> { $0.fulfill(by: one) }.value == 1)
    }

    @available(*, deprecated)
    @Test(
        "Each status has its old error, whose key matches its name",
        arguments: [
            (400, "badRequest"), (401, "unauthorized"), (403, "forbidden"), (404, "notFound"), (409, "conflict"),
            (422, "unprocessableEntity"), (500, "internalServerError"), (503, "serviceUnavailable"),
            (418, "otherClientError"), (502, "otherServerError"), (600, "unknown"), (0, "unknown"),
        ])
    func errors(code: Int, name: String) throws {
        let error = try #require(StatusCode(rawValue: code).error)
        #expect("\(error)" == name)
        #expect(error.errorKey.lowercased() == name.lowercased() && error.errorKey != name)
        #expect(error.errorDescription?.contains(name) == true)
        #expect(surface.name(of: error) != "new")
        #expect(surface.name(of: error as Error) == (code == 404 ? "caught" : surface.name(of: error)))
        if code > 0 { #expect(try response(StatusCode(rawValue: code)).error == error) }
    }

    @available(*, deprecated)
    @Test("A status from 100 to 399 has none", arguments: [100, 200, 204, 304, 399])
    func noError(code: Int) throws {
        #expect(StatusCode(rawValue: code).error == nil)
        #expect(try response(StatusCode(rawValue: code)).error == nil)
        #expect(try response(StatusCode(rawValue: code)).httpError == nil)
    }

    @available(*, deprecated)
    @Test("Responses in the shape of 1.4, and one that did not come over HTTP")
    func responses() throws {
        #expect(try surface.responses(response(.notFound, "[]")).count == 2)
        let url = URL(fileURLWithPath: "/a")
        let head = URLResponse(url: url, mimeType: nil, expectedContentLength: 0, textEncodingName: nil)
        let file = Response<Data?>(data: nil, urlRequest: URLRequest(url: url), urlResponse: head)
        #expect(file.statusCode == .other(0) && file.httpResponse.statusCode == 0)
        #expect(file.error == .unknown && file.httpError == nil)
        #expect(SuccessResponse(data: 1, response: file).error == .unknown)
        var created = try response(.created, "[]").urlRequest
        created.setValue("1", forHTTPHeaderField: "X-Number")
        let source = Response.makeMockResponse(with: created, statusCode: .created)
        let copy = SuccessResponse(data: 1, response: source)
        #expect(copy.data == 1 && copy.statusCode == .created && copy.urlRequest == created)
    }

    @Test("decode reads dates as numbers, as in 1.11, and as RFC 3339 texts, as in 1.4")
    func dates() throws {
        let date = Date(timeIntervalSinceReferenceDate: 7)
        #expect(try response(.ok, "[7]").decode([Date].self) == [date])
        #expect(try response(.ok, #"["2001-01-01T00:00:07Z"]"#).decode([Date].self) == [date])
        let error = try #require(throws: ResponseDecodingError.self) {
            try response(.ok, #"["soon"]"#).decode([Date].self)
        }
        #expect(error.codingPath == "[0]")
        #expect(throws: ResponseDecodingError.self) { try response(.ok, "[true]").decode([Date].self) }
    }

    @available(*, deprecated)
    @Test("Today's errors are found as those of 1.4")
    func serializationErrors() throws {
        let broken = #expect(throws: ResponseDecodingError.self) { try response(.ok, "{").decode([Int].self) }
        guard case .failedToDecodeResponseData(let cause?) = try SerializationError(#require(broken)) else {
            return #expect(Bool(false))
        }
        #expect(cause is DecodingError)
        #expect(SerializationError(ResponseError.unexpectedEmptyResponse)?.errorKey == "EmptyResponse")
        #expect(
            SerializationError(ResponseError.failedToDecodeDataToString(encoding: .utf8))?.errorKey == "InvalidObject")
        #expect(SerializationError(Mishap()) == nil)
    }

    @available(*, deprecated)
    @Test("No text of an error of 1.4 shows a secret of the body")
    func errorWithoutSecrets() {
        enum Key: String, CodingKey { case token }
        let cause = DecodingError.dataCorrupted(
            DecodingError.Context(codingPath: [Key.token], debugDescription: "hidden is no number"))
        let error = SerializationError.failedToDecodeResponseData(cause: cause)
        var dumped = ""
        dump(error, to: &dumped)
        for text in ["\(error)", String(reflecting: error), "\([error])", error.localizedDescription, dumped] {
            #expect(!text.contains("hidden"), "\(text)")
        }
        #expect("\(error)" == "InvalidObject: wrong data at token: <redacted>")
        #expect("\(SerializationError.failedToDecodeResponseData(cause: nil))" == "InvalidObject")
        #expect("\(SerializationError.unexpectedEmptyResponse)" == "EmptyResponse")
    }

    @available(*, deprecated)
    @Test("A download to memory by a dispatcher that knows only files leaves no file behind")
    func fileDownload() async throws {
        let dispatcher = FilesOnly()
        let request = URLRequest(url: try #require(URL(string: "https://example.com/posts/1")))
        let data = try #require(try await dispatcher.downloadFuture(from: request).value)
        #expect(try JSONDecoder().decode(Post.self, from: data).id == 1)
        let path = try #require(dispatcher.journal.lines.first)
        #expect(!FileManager.default.fileExists(atPath: path))
    }

    @available(*, deprecated)
    @Test("A download to memory leaves a file alone that a dispatcher gives in place of the temporary one")
    func fixtureDownload() async throws {
        let folder = try TemporaryFolder(), file = try folder.file("fixture", containing: "text")
        let request = URLRequest(url: try #require(URL(string: "https://example.com")))
        #expect(try await FixtureFiles(file: file).downloadFuture(from: request).value == Data("text".utf8))
        #expect(file.content == "text")
        withExtendedLifetime(folder) {}
    }

    @available(*, deprecated)
    @Test("A download to memory that is cancelled leaves no file behind, also if the file is written after that")
    func cancelledFileDownload() async throws {
        let dispatcher = DeafFiles()
        let future = dispatcher.downloadFuture(from: URLRequest(url: try #require(URL(string: "https://example.com"))))
        future.send()
        await dispatcher.gate.reached()
        future.cancel()
        dispatcher.gate.open()
        await dispatcher.isOver.opened()
        let file = try #require(dispatcher.place.value)
        #expect(!FileManager.default.fileExists(atPath: file.path))
    }

    @available(*, deprecated)
    @Test("A download of nothing is nil, also by a dispatcher that knows only files")
    func emptyDownload() async throws {
        let empty = MockURLRequestDispatcher { request in
            Response.makeMockResponse(with: request, data: Data(), statusCode: .ok)
        }
        let request = URLRequest(url: try #require(URL(string: "https://example.com")))
        #expect(try await FilesOnly(inner: empty).downloadFuture(from: request).value == nil)
        let missing = MockURLRequestDispatcher { request in
            Response.makeMockResponse(with: request, data: Data("none".utf8), statusCode: .notFound)
        }
        #expect(try await FilesOnly(inner: missing).downloadFuture(from: request).value == nil)
    }

    @available(*, deprecated)
    @Test("EARLY nil from the closures of transfers cancels")
    func noRequest() async {
        let download: ResponseFuture<Data?> = mockOf14().downloadFuture(from: { nil })
        await #expect(throws: CancellationError.self) { try await download.value }
        await #expect(throws: CancellationError.self) { try await mockOf14().uploadFuture(from: { nil }).value }
    }

    @available(*, deprecated)
    @Test("Uploads under their old names send the bytes, or the body of the request")
    func uploads() async throws {
        let echo = MockURLRequestDispatcher { request in
            Response.makeMockResponse(with: request, data: request.httpBody, statusCode: .ok)
        }
        var request = URLRequest(url: try #require(URL(string: "https://example.com")), method: .post)
        request.setHTTPBody(string: "of the request")
        let bytes = Data("bytes".utf8), bodyRequest = request
        #expect(try await echo.uploadFuture(from: request, data: bytes).decodedString().value.data == "bytes")
        #expect(
            try await echo.uploadFuture(from: { bodyRequest }).decodedString().value.data == "of the request")
    }

    @available(*, deprecated)
    @Test("A session that an app overrides")
    func session() async throws {
        let session = LoggingSession(configuration: .ephemeral)
        let request = URLRequest(url: try #require(URL(string: "data:,a")))
        #expect(try await session.dataFuture(from: request).decodedString().value.data == "a")
        #expect(session.requests.count == 1)
        let task = URLSession.shared.dataTask(with: request)
        #expect(try await session.dataFuture(from: task).decodedString().value.data == "a")
        #expect(task.state == .suspended)
        task.cancel()
    }
}
