import Foundation
import LoopbackServer
import PiuPiu
import TestSupport
import Testing

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

@Suite("The limit of bodies in memory", .timeLimit(.minutes(10)))
struct BodyLimitTests {
    private let server: LoopbackServer

    init() throws {
        server = try LoopbackServer.start()
    }

    private func limited(_ dispatcher: URLRequestDispatcher, to limit: Int = 1000) -> URLRequestDispatcher {
        var dispatcher = dispatcher
        dispatcher.maximumBodySize = limit
        return dispatcher
    }

    private func kind<Success>(_ future: ResponseFuture<Success>) async -> TransferError.Kind? {
        await #expect(throws: TransferError.self) { _ = try await future.value }?.kind
    }

    @Test(
        "A body up to the limit arrives whole, and one byte more is an error",
        arguments: ValidatedTransferTests.dispatchers)
    func limit(dispatcher: URLRequestDispatcher) async throws {
        let limited = limited(dispatcher)
        for path in ["/bytes/1000", "/chunked/10/100", "/bytes/0"] {
            _ = try await limited.dataFuture(from: server.request(path)).value
        }
        for path in ["/bytes/1001", "/chunked/11/91"] {
            let error = await #expect(throws: TransferError.self) {
                _ = try await limited.dataFuture(from: server.request(path)).value
            }
            #expect(error?.kind == .bodyTooLarge)
            #expect(error?.url == server.url(path))
            #expect(
                error?.errorDescription?.hasSuffix("more than 1000 bytes, the limit for a body in memory.")
                    == true)
            #expect(error?.urlError?.code == .dataLengthExceedsMaximum)
        }
        // The connections, and the dispatcher, are still good.
        #expect(try await limited.dataFuture(from: server.request("/text")).value.data?.isEmpty == false)
    }

    @Test("The answer to an upload is limited too", arguments: ValidatedTransferTests.dispatchers)
    func upload(dispatcher: URLRequestDispatcher) async throws {
        var request = server.request("/echo/body")
        request.httpMethod = "POST"
        let limited = limited(dispatcher)
        #expect(
            await kind(limited.uploadFuture(from: request, with: LoopbackPattern.data(count: 1001))) == .bodyTooLarge)
        #expect(try await limited.uploadFuture(from: request, with: Data(count: 1000)).value.data?.count == 1000)
    }

    @Test("A body that announces too much fails before it arrives", arguments: ValidatedTransferTests.dispatchers)
    func announced(dispatcher: URLRequestDispatcher) async throws {
        server.handle(
            "GET", "/stalled",
            reply: LoopbackReply(steps: [
                .head(status: 200, headers: [LoopbackHeader("Content-Length", "1001")]), .pattern(count: 1), .stall,
            ]))
        #expect(await kind(limited(dispatcher).dataFuture(from: server.request("/stalled"))) == .bodyTooLarge)
        try await server.waitForClosedConnections()
    }

    @Test("The answer to HEAD may announce any length", arguments: ValidatedTransferTests.dispatchers)
    func head(dispatcher: URLRequestDispatcher) async throws {
        var request = server.request("/bytes/5000")
        request.httpMethod = "HEAD"
        let response = try await limited(dispatcher).dataFuture(from: request).value
        #expect(response.headers["Content-Length"] == "5000" && response.data == nil)
    }

    @Test("The limit counts decompressed bytes", arguments: ValidatedTransferTests.dispatchers)
    func bomb(dispatcher: URLRequestDispatcher) async throws {
        // 64 KiB of zeros, deflated so that they can be repeated: 64 MiB in 80 KB.
        let zeros = try #require(
            Data(base64Encoded: Self.deflatedZeros))
        var body = Data([0x1F, 0x8B, 8, 0, 0, 0, 0, 0, 0, 0xFF])
        for _ in 0..<1000 { body.append(zeros) }
        server.handle(
            "GET", "/bomb", reply: .response(headers: [LoopbackHeader("Content-Encoding", "gzip")], body: body))
        let limited = limited(dispatcher, to: 1 << 20)
        #expect(await kind(limited.dataFuture(from: server.request("/bomb"))) == .bodyTooLarge)
    }

    @Test("A body fits although it is announced with more bytes, coded", arguments: ValidatedTransferTests.dispatchers)
    func codedLength(dispatcher: URLRequestDispatcher) async throws {
        for count in [1000, 1001] {
            // Stored blocks, with a head and a check at the end.
            server.handle("GET", "/coded/\(count)", reply: .gzip(LoopbackPattern.data(count: count)))
        }
        let limited = limited(dispatcher)
        let response = try await limited.dataFuture(from: server.request("/coded/1000")).value
        #expect(response.data == LoopbackPattern.data(count: 1000))
        #expect(await kind(limited.dataFuture(from: server.request("/coded/1001"))) == .bodyTooLarge)
    }

    @Test("Downloads and streams have no limit", arguments: ValidatedTransferTests.dispatchers)
    func others(dispatcher: URLRequestDispatcher) async throws {
        let folder = try TemporaryFolder()
        let limited = limited(dispatcher)
        let file = folder.file("f")
        _ = try await limited.downloadFuture(from: server.request("/bytes/5000"), to: file).value
        #expect(try Data(contentsOf: file).count == 5000)
        var received = 0
        let body = try await limited.streamFuture(from: server.request("/bytes/5000")).value.data
        for try await chunk in body { received += chunk.count }
        #expect(received == 5000)
        #expect(await kind(limited.dataFuture(from: URLRequest(url: file))) == .bodyTooLarge)
    }

    @Test("VALUE: a limit applies to its copy of the dispatcher, and to futures made after it is set")
    func copies() async throws {
        let dispatcher = URLRequestDispatcher(configuration: .ephemeral)
        #expect(dispatcher.maximumBodySize == 256 << 20)
        var copy = dispatcher
        let earlier = copy.dataFuture(from: server.request("/text"))
        copy.maximumBodySize = 0
        #expect(dispatcher.maximumBodySize == URLRequestDispatcher.standardMaximumBodySize)
        #expect(try await earlier.value.data?.isEmpty == false)
        #expect(await kind(copy.dataFuture(from: server.request("/text"))) == .bodyTooLarge)
        #expect(try await copy.dataFuture(from: server.request("/empty")).value.data == nil)
    }

    @Test("A second head starts the count over")
    func secondHead() throws {
        let sink = DataSink(limit: 3)
        let request = try fixtureRequest()
        let head = TransferHead(url: try url("https://example.com/posts"), status: 200)
        for _ in 0..<2 {
            #expect(sink.receive(.head(head, request: request)) == nil)
            #expect(sink.receive(.body(Data(count: 3))) == nil)
        }
        let outcome = try #require(sink.receive(.body(Data(count: 1))))
        let error = #expect(throws: TransferError.self) { _ = try outcome.get() }
        #expect(error?.kind == .bodyTooLarge)
    }

    private static let deflatedZeros =
        "7MEBAQAAAICQ/q/uCAoAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAABqAAAA//8="
}
