import Foundation
import PiuPiu
import PiuPiuTesting
import TestSupport
import Testing

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

@Suite("Errors in recordings", .timeLimit(.minutes(10)))
struct RecordedErrorsTests {
    private let folder: TemporaryFolder

    init() throws {
        folder = try TemporaryFolder()
    }

    private func request() throws -> URLRequest { URLRequest(url: try url("https://example.com/a"), method: .post) }

    @Test(
        "STATUS: an error status behind validation is recorded as the response that it is",
        arguments: RecordedExchange.Kind.allCases)
    func validated(kind: RecordedExchange.Kind) async throws {
        let problem = Data(#"{"title":"none","token":"s3cret"}"#.utf8)
        let headers = ["Content-Type": "application/problem+json", "ETag": "1"]
        let server = MockRouteTable(routes: [MockRoute(.status(.notFound, headers: headers, data: problem))])
        let recorder = RecordingDispatcher(server.validating())
        _ = await kind.text(of: try request(), by: recorder, in: folder).result
        #expect(recorder.exchanges.first?.error is UnacceptableStatusError)
        let recording = try TrafficRecording(data: recorder.recording().data())
        let replayer = ReplayingDispatcher(recording).validating()
        let error = await #expect(throws: UnacceptableStatusError.self) {
            _ = try await kind.text(of: request(), by: replayer, in: folder).value
        }
        #expect(error?.statusCode == .notFound && error?.headers["ETag"] == "1")
        #expect(error?.bodyText == #"{"title":"none","token":"<redacted>"}"#)
    }

    @Test("The body of an error is recorded up to the recorder's limit", arguments: [100_000, 99_999])
    func limit(_ limit: Int) async throws {
        let body = Data(repeating: UInt8(ascii: "a"), count: 100_000)
        let server = MockRouteTable(routes: [MockRoute(.status(.conflict, data: body))])
        let recorder = RecordingDispatcher(server.validating(), bodyLimit: limit)
        _ = await recorder.dataFuture(from: try request()).result
        let replayed = try await ReplayingDispatcher(recorder.recording()).dataFuture(from: request()).value
        #expect(replayed.data == (limit < 100_000 ? nil : body))
    }

    @Test(
        "STATUS: the body of a download that fails is recorded if all of it is known, and explains the error in a replay",
        arguments: [(100, 100, true), (4096, Int.max, true), (100, 99, false), (4097, Int.max, false)])
    func download(size: Int, limit: Int, isRecorded: Bool) async throws {
        let body = String(repeating: "a", count: size), file = try folder.file("file", containing: "old")
        let server = MockRouteTable(routes: [MockRoute(.text(body, status: .notFound))])
        let recorder = RecordingDispatcher(server, bodyLimit: limit)
        _ = await recorder.validating().downloadFuture(from: try request(), to: file).result
        let replayer = ReplayingDispatcher(try TrafficRecording(data: recorder.recording().data())).validating()
        let error = await #expect(throws: UnacceptableStatusError.self) {
            _ = try await replayer.downloadFuture(from: request(), to: file).value
        }
        #expect(error?.body == Data((isRecorded ? body : "").utf8) && file.content == "old")
    }

    @Test("A body that the error has only in part isn't recorded")
    func longBody() async throws {
        let server = MockRouteTable(routes: [MockRoute(.status(.conflict, data: Data(count: 1 << 20 + 1)))])
        let recorder = RecordingDispatcher(server.validating(), bodyLimit: .max)
        _ = await recorder.dataFuture(from: try request()).result
        let recording = try TrafficRecording(data: recorder.recording().data())
        guard case .response(let response) = recording.exchanges.first?.outcome else {
            return #expect(Bool(false), "\(recording)")
        }
        #expect(response.status == .conflict && response.body == .omitted)
        let replayed = try await ReplayingDispatcher(recording).dataFuture(from: request()).makeHTTPResponse().value
        #expect(replayed.statusCode == .conflict && replayed.data == nil)
    }

    @Test(
        "DOWN: a stream that ends with a cancellation of any type is recorded as one that was cancelled",
        arguments: [CancellationError(), URLError(.cancelled), CocoaError(.userCancelled)] as [any Error])
    func cancellations(error: any Error) async throws {
        let chunks = AsyncThrowingStream<Data, any Error> { $0.finish(throwing: error) }
        let recorder = RecordingDispatcher(MockRouteTable(routes: [MockRoute(.chunks(chunks))]))
        let body = try await recorder.streamFuture(from: request()).value.data
        await #expect(throws: (any Error).self) { for try await _ in body {} }
        let exchange = try await recorder.ended(1)[0]
        guard case .cancelled = exchange.outcome else { return #expect(Bool(false), "\(exchange)") }
    }

    @Test("Errors of other types are recorded as the kinds that they stand for")
    func kinds() async throws {
        let errors: [any Error] = [
            URLError(.timedOut), URLError(.cannotFindHost),
            DeadlineExceeded(try request(), limit: .seconds(1), stage: .receiving),
            CircuitOpenError(retryAfter: .seconds(1)), Mishap(),
        ]
        let recorder = RecordingDispatcher(MockRouteTable(script: MockScript(errors.map { .failure($0) })))
        for _ in errors { _ = await recorder.dataFuture(from: try request()).result }
        #expect(
            recorder.recording().exchanges.map(\.outcome) == [
                .failure(.timedOut), .failure(.hostNotFound), .failure(.timedOut), .failure(.other), .failure(.other),
            ])
    }

    @Test(
        "The user and the password of a URL without its scheme or a slash aren't recorded",
        arguments: [
            "admin:s3cret@example.com/api", "admin:s3cret@example.com:8080/api", "admin:/s3@cret@example.com/api",
            "https:/admin:s3cret@example.com/api", "https:///admin:s3cret@example.com/api", "admin:s3cret@?example.com",
        ])
    func misreadUsers(text: String) async throws {
        let recorder = RecordingDispatcher(MockRouteTable(script: MockScript([.failure(Mishap())])))
        _ = await recorder.dataFuture(from: URLRequest(url: try url(text))).result
        let recording = recorder.recording(), data = try recording.data()
        let content = String(decoding: data, as: UTF8.self)
        #expect(content.contains("example.com"))
        for secret in ["admin", "s3", "cret"] { #expect(!content.contains(secret), "\(content)") }
        let stored = try TrafficRecording(data: data).exchanges.map(\.request.url.absoluteString)
        #expect(stored == recording.exchanges.map(\.request.url.absoluteString))
    }
}
