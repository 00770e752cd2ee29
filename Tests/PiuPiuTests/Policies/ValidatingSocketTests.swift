import Foundation
import LoopbackServer
import PiuPiu
import PiuPiuTesting
import TestSupport
import Testing

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

@Suite("Validating over a real socket", .timeLimit(.minutes(10)))
struct ValidatingSocketTests {
    private let server: LoopbackServer
    private let folder: TemporaryFolder
    private let network = URLRequestDispatcher(configuration: .ephemeral)

    init() throws {
        server = try LoopbackServer.start()
        folder = try TemporaryFolder()
    }

    private func refused<Success>(_ future: ResponseFuture<Success>) async throws -> UnacceptableStatusError {
        try #require(await #expect(throws: UnacceptableStatusError.self) { _ = try await future.value })
    }

    /// A head that announces a long body.
    private func head(_ status: Int, length: Int = 9000) -> LoopbackReply.Step {
        .head(status: status, headers: [LoopbackHeader("Content-Length", "\(length)")])
    }

    private func stream(_ steps: [LoopbackReply.Step], _ policy: ValidationPolicy) -> ResponseFuture<
        Response<StreamedBody>
    > {
        server.handle("GET", "/stream", reply: LoopbackReply(steps: steps))
        return network.applying(policy).streamFuture(from: server.request("/stream"))
    }

    @Test("FILES: a refused download leaves the old file, and its error has the body", arguments: [false, true])
    func download(isResumable: Bool) async throws {
        server.handle("GET", "/missing", reply: .text("There is no film 7.\n", status: 404))
        let file = try folder.file("film", containing: "old")
        let error = try await refused(
            network.validating().downloadFuture(
                from: server.request("/missing"), to: file, isResumable: isResumable))
        #expect(error.statusCode == .notFound && error.bodyText == "There is no film 7.\n")
        #expect(file.content == "old")
        #expect(try folder.names == ["film"])
    }

    @Test("A 503 is retried before it is an error, whichever policy is outside", arguments: [true, false])
    func retried(isOutside: Bool) async throws {
        let retry = RetryPolicy.fixed(SkippingClock())
        let dispatcher: any RequestDispatcher =
            isOutside ? network.retrying(retry).validating() : network.validating().retrying(retry)
        for kind in RecordedExchange.Kind.allCases {
            let count = Counter(), path = "/\(kind)"
            server.handle("*", path) { _ in
                count.increment() < 3 ? .text("no", status: 503) : .text("yes")
            }
            var put = server.request(path)
            put.httpMethod = "PUT"
            #expect(try await kind.text(of: put, by: dispatcher, in: folder).value == "yes")
            #expect(server.requestCount(path: path) == 3)
        }
    }

    @Test("A stream's error has the first part of the body, and the rest is cancelled")
    func streamedBody() async throws {
        // Its time never passes.
        let policy = ValidationPolicy(clock: ManualClock())
        let begun = try await refused(stream([head(500), .body(Data("Sorry.".utf8)), .close], policy))
        #expect(begun.bodyText == "Sorry." && begun.bodyLength == nil)
        #expect(begun.localizedDescription.hasSuffix("500 Internal Server Error: Sorry.…"))
        let whole = try await refused(stream([head(500, length: 6), .body(Data("Sorry.".utf8))], policy))
        #expect(whole.bodyText == "Sorry." && whole.bodyLength == 6)
        let exact = try await refused(stream([head(400, length: 4096), .pattern(count: 4096)], policy))
        #expect(exact.body == LoopbackPattern.data(count: 4096) && exact.bodyLength == 4096)
        // It ends only when the client disconnects.
        let long = try await refused(
            stream([head(404, length: 100_000), .pattern(count: 9000), .stall], policy))
        #expect(long.body == LoopbackPattern.data(count: 4096) && long.bodyLength == nil)
        try await server.waitForClosedConnections()
    }

    @Test("A silent stream delays its error only for the policy's time")
    func slowStream() async throws {
        let clock = ManualClock()
        let policy = ValidationPolicy(clock: clock)
        let stalled = Awaiting(now: stream([head(500), .stall], policy))
        await clock.sleepers()
        clock.advance(by: .milliseconds(999))
        clock.advance(by: .milliseconds(1))
        #expect(await stalled.ending.contains("500 Internal Server Error"))
        try await server.waitForClosedConnections()
        var impatient = policy
        impatient.streamedBodyTime = .zero
        #expect(try await refused(stream([head(500), .stall], impatient)).body == nil)
        try await server.waitForClosedConnections()
    }

    @Test("UP, DOWN: a cancellation ends the wait for the beginning of a stream", arguments: [true, false])
    func cancellation(byTask: Bool) async throws {
        let clock = ManualClock(), future = stream([head(500), .stall], ValidationPolicy(clock: clock))
        let awaiting = Awaiting(now: future)
        await clock.sleepers()
        if byTask { awaiting.cancel() } else { future.cancel() }
        #expect(await awaiting.ending == "cancelled")
        try await server.waitForClosedConnections()
        await clock.noSleepers()
    }
}
