import Foundation
import PiuPiu
import PiuPiuTesting
import TestSupport
import Testing

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

@Suite("Validating dispatchers", .timeLimit(.minutes(10)))
struct ValidatingTests {
    private let folder: TemporaryFolder
    private let get: URLRequest
    private let clock = SkippingClock()
    /// Its time for the beginning of a stream never passes.
    private let patient = ValidationPolicy(clock: ManualClock())

    init() throws {
        folder = try TemporaryFolder()
        get = try request("GET")
    }

    private func refused<Success>(_ future: ResponseFuture<Success>) async throws -> UnacceptableStatusError {
        try #require(await #expect(throws: UnacceptableStatusError.self) { _ = try await future.value })
    }

    @Test(
        "A status outside 200 to 299 is an error with the body, for each kind",
        arguments: RecordedExchange.Kind.allCases)
    func kinds(kind: RecordedExchange.Kind) async throws {
        for status in [199, 300, 304, 404, 500] {
            let dispatcher = scripted(.text("none", status: StatusCode(rawValue: status))).applying(patient)
            let error = try await refused(kind.text(of: get, by: dispatcher, in: folder))
            #expect(error.statusCode.rawValue == status && error.method == "GET" && error.url == get.url)
            // A 304 has no body.
            let text = status == 304 ? "" : "none"
            #expect(error.bodyText == text && error.bodyLength == Int64(text.utf8.count))
        }
        for status in [200, 204, 299] {
            let dispatcher = scripted(.text("some", status: StatusCode(rawValue: status))).validating()
            _ = try await kind.text(of: get, by: dispatcher, in: folder).value
        }
    }

    @Test("Other statuses, as numbers and as cases", arguments: RecordedExchange.Kind.allCases)
    func statuses(kind: RecordedExchange.Kind) async throws {
        for status in [200, 304] {
            let server = scripted(.number(status))
            _ = try await kind.text(of: get, by: server.validating(200..<400), in: folder).value
            _ = try await kind.text(of: get, by: server.validating([200, 304]), in: folder).value
            _ = try await kind.text(of: get, by: server.validating([.ok, .notModified]), in: folder).value
            _ = try await refused(kind.text(of: get, by: server.validating([.accepted]), in: folder))
            _ = try await refused(kind.text(of: get, by: server.validating([Int]()), in: folder))
        }
    }

    @Test("Dispatchers of every type can be validated")
    func existentials() async throws {
        let server = scripted(.text("none", status: .gone))
        let data: any DataDispatcher = server, upload: any UploadDispatcher = server
        let stream: any StreamDispatcher = server, download: any DownloadDispatcher = server
        let all: any RequestDispatcher = server
        _ = try await refused(data.validating().dataFuture(from: get))
        _ = try await refused(upload.validating().uploadFuture(from: get, with: Data()))
        _ = try await refused(stream.validating().streamFuture(from: get))
        _ = try await refused(download.validating().downloadFuture(from: get, to: folder.file("file")))
        _ = try await refused(all.validating().dataFuture(from: get))
        _ = try await data.validating([.gone]).dataFuture(from: get).value
        _ = try await upload.validating([.gone]).uploadFuture(from: get, with: Data()).value
        _ = try await stream.validating([.gone]).streamFuture(from: get).value
        _ = try await download.validating([.gone]).downloadFuture(from: get, to: folder.file("file")).value
        _ = try await all.validating([.gone]).dataFuture(from: get).value
    }

    @Test(
        "Over a retry: the last attempt is validated, and its error has those before it",
        arguments: RecordedExchange.Kind.allCases)
    func overRetry(kind: RecordedExchange.Kind) async throws {
        let failing = scripted(.number(503), .number(502), .text("no", status: .gatewayTimeout))
        let error = try await refused(
            kind.text(of: get, by: failing.retrying(.fixed(clock)).validating(), in: folder))
        #expect(error.statusCode == .gatewayTimeout && error.earlierAttempts.map(\.statusCode?.rawValue) == [503, 502])
        let passing = scripted(.number(503), .text("yes"))
        let text = kind.text(of: get, by: passing.retrying(.fixed(clock)).validating(), in: folder)
        #expect(try await text.value == "yes" && passing.exchanges.count == 2)
    }

    @Test(
        "Under a retry: an error is retried like its status, and the last one has the history",
        arguments: RecordedExchange.Kind.allCases)
    func underRetry(kind: RecordedExchange.Kind) async throws {
        let passing = scripted(.number(503, headers: ["Retry-After": "7"]), .number(500), .text("yes"))
        let text = kind.text(of: get, by: passing.validating().retrying(.fixed(clock)), in: folder)
        #expect(try await text.value == "yes" && passing.exchanges.count == 3)
        // By `Retry-After`, and by the back-off.
        #expect(clock.sleeps == [.milliseconds(7350), .milliseconds(50)])
        let failing = scripted(.number(503), .number(502), .text("no", status: .gatewayTimeout))
        let error = try await refused(
            kind.text(of: get, by: failing.applying(patient).retrying(.fixed(clock)), in: folder))
        #expect(error.statusCode == .gatewayTimeout && error.bodyText == "no")
        #expect(error.earlierAttempts.map(\.statusCode?.rawValue) == [503, 502])
        #expect(error.earlierAttempts.allSatisfy { $0.error is UnacceptableStatusError && $0.head != nil })
        #expect(error.earlierAttempts.map { "\($0)".prefix(14) } == ["attempt 1: 503", "attempt 2: 502"])
    }

    @Test("Under a retry: an error isn't retried if its status isn't", arguments: [404, 501, 505])
    func notRetried(status: Int) async throws {
        let server = scripted(.number(status))
        _ = try await refused(server.validating().retrying(.fixed(clock)).dataFuture(from: get))
        #expect(server.exchanges.count == 1)
        let post = scripted(.number(503))
        _ = try await refused(post.validating().retrying(.fixed(clock)).dataFuture(from: request("POST")))
        #expect(post.exchanges.count == 1)
    }

    @Test("R6 BUDGET: a working server's status gives tokens back, even as an error")
    func budget() async throws {
        let policy = RetryPolicy.fixed(clock), url = try #require(get.url)
        let server = scripted(.number(503), .number(404), .number(404)).validating().retrying(policy)
        _ = try await refused(server.dataFuture(from: get))
        #expect(policy.budget?.tokens(for: url) == 500)
        let failing = scripted(.number(503)).validating().retrying(policy)
        _ = try await refused(failing.dataFuture(from: get))
        #expect(policy.budget?.tokens(for: url) == 472)
    }

    @Test("COLD, updates: nothing is sent before the start, and the steps are those of the exchange")
    func cold() async throws {
        let server = scripted(.text("text")), future = server.validating().dataFuture(from: get)
        #expect(server.exchanges.isEmpty)
        #expect(await future.allUpdates.map(\.stage) == [.started, .received])
        let stream = server.validating().streamFuture(from: get)
        #expect(server.exchanges.count == 1)
        #expect(await stream.allUpdates.map(\.stage).first == .started)
    }

    @Test("A response without HTTP passes")
    func withoutHTTP() async throws {
        let local = URLRequest(url: try #require(URL(string: "data:text/plain,text")))
        let network = URLRequestDispatcher().validating([Int]())
        #expect(try await network.dataFuture(from: local).value.data.text == "text")
        #expect(try await network.streamFuture(from: local).value.data.reduce(into: Data()) { $0 += $1 }.count == 4)
    }

    @Test("The text of a policy names the statuses")
    func description() {
        #expect("\(ValidationPolicy())" == "ValidationPolicy(200..<300)")
        #expect("\(ValidationPolicy([204, 200]))" == "ValidationPolicy([204, 200])")
    }
}
