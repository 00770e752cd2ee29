#if canImport(FoundationNetworking)
    import Foundation
    import FoundationNetworking
    import LoopbackServer
    import PiuPiu
    import Testing

    @Suite("Large heads over libcurl", .timeLimit(.minutes(10)))
    struct LargeHeadTests {
        private let server: LoopbackServer
        private let engine = makeStandardEngine(.ephemeral)

        init() throws { server = try LoopbackServer.start() }

        @Test(
            "A head may be large, but not without an end, and neither may those of interim responses",
            arguments: [false, true])
        func largeHeads(isInterim: Bool) async throws {
            func answer(_ count: Int) async throws -> Int? {
                let field = "X-Field: \(String(repeating: "a", count: 989))\r\n"
                let fields = Data(String(repeating: field, count: count).utf8)
                let end = "HTTP/1.1 200 OK\r\nContent-Length: 0\r\n"
                let pieces =
                    isInterim
                    ? [Data("HTTP/1.1 103 Hints\r\n".utf8), fields, Data("\r\n\(end)".utf8)] : [Data(end.utf8), fields]
                let steps = (pieces + [Data("\r\n".utf8)]).map { LoopbackReply.Step.raw($0) }
                server.handle("GET", "/large", reply: LoopbackReply(steps: steps))
                return try await engine.load(server.url("/large")).head.status
            }
            #expect(try await answer(200) == 200)
            let error = await #expect(throws: TransferError.self) { try await answer(270) }
            #expect(error?.kind == .badResponse)
        }

        @Test("A line of a head that is longer than libcurl takes is a bad response")
        func longLine() async throws {
            server.handle("GET", "/long", reply: .hugeHeader(size: 150_000))
            let error = await #expect(throws: TransferError.self) { try await engine.load(server.url("/long")) }
            #expect(error?.kind == .badResponse)
        }

        @Test("A request whose head is longer than libcurl takes isn't sent, which is no bad response")
        func longRequest() async throws {
            let large = ["X-Large": String(repeating: "a", count: 1_100_000)]
            let error = await #expect(throws: TransferError.self) {
                try await engine.load(server.url("/echo"), headers: large)
            }
            #expect(error?.kind == .other)
            #expect(server.requestCount() == 0)
        }
    }
#endif
