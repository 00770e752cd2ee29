#if canImport(FoundationNetworking)
    import Foundation
    import FoundationNetworking
    import LoopbackServer
    import PiuPiu
    import Testing

    @Suite("Content codings that libcurl doesn't know", .timeLimit(.minutes(10)))
    struct ForeignCodingTests {
        private let server: LoopbackServer
        private let dispatcher = URLRequestDispatcher(configuration: .ephemeral)

        init() throws { server = try LoopbackServer.start() }

        @Test(
            "A body arrives as it is, with its Content-Encoding field",
            arguments: ["foo", "compress", "gzip, foo", "FOO"], [false, true])
        func foreign(coding: String, isChunked: Bool) async throws {
            let field = LoopbackHeader("Content-Encoding", coding)
            server.handle(
                "GET", "/a",
                reply: isChunked
                    ? .chunked([Data("as ".utf8), Data("it is".utf8)], headers: [field])
                    : .response(headers: [field], body: Data("as it is".utf8)))
            let response = try await dispatcher.dataFuture(from: server.request("/a")).value
            #expect(response.data.text == "as it is")
            #expect(response.head.value(for: "Content-Encoding") == coding)
        }

        @Test("FILES: a download refuses such a body, as nobody could tell what the file contains")
        func download() async throws {
            let folder = try TemporaryFolder()
            server.handle(
                "GET", "/a",
                reply: .response(headers: [LoopbackHeader("Content-Encoding", "foo")], body: Data("as it is".utf8)))
            let future = dispatcher.downloadFuture(from: server.request("/a"), to: folder.file("file"))
            let error = await #expect(throws: TransferError.self) { _ = try await future.value }
            #expect(error?.kind == .badResponse)
            #expect(try folder.names.isEmpty)
        }
    }
#endif
