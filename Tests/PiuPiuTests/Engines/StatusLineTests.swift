#if canImport(FoundationNetworking)
    import Foundation
    import FoundationNetworking
    import LoopbackServer
    import PiuPiu
    import Testing

    /// libcurl takes the digits for the status, whatever comes after them, and frames the body by it.
    @Suite("RFC 9112, 4: the status line, over libcurl", .timeLimit(.minutes(10)))
    struct StatusLineTests {
        private let server: LoopbackServer
        private let engine = makeStandardEngine(.ephemeral)

        init() throws { server = try LoopbackServer.start() }

        private func answer(_ bytes: String) {
            server.handle("GET", "/status", reply: LoopbackReply(steps: [.raw(Data(bytes.utf8)), .close]))
        }

        @Test(
            "Whatever touches the status, the lines after it are fields",
            arguments: ["200 OK", "200", "200 ", "200OK", "200\tOK", "200\u{B}OK", "200\rOK"])
        func reason(status: String) async throws {
            let body = String(repeating: "a", count: 404)
            answer("HTTP/1.1 \(status)\r\nContent-Type: text/html\r\nContent-Length: 404\r\n\r\n\(body)")
            let output = try await engine.load(server.url("/status"))
            #expect(output.head.status == 200 && output.head.version == "HTTP/1.1")
            #expect(output.head.fields.map(\.name) == ["Content-Type", "Content-Length"])
            #expect(output.data.text == body)
        }

        @Test("The same for the status of an interim response")
        func interimResponse() async throws {
            answer("HTTP/1.1 103Early\r\nX: 200\r\n\r\nHTTP/1.1 200OK\r\nContent-Length: 5\r\n\r\nhello")
            let output = try await engine.load(server.url("/status"))
            #expect(output.head.status == 200 && output.data.text == "hello")
            #expect(output.head.fields.map { "\($0): \($1)" } == ["Content-Length: 5"])
        }

        private static let badStatuses = ["20 OK", "099 OK", "000", "2 00", "-20", "OK", ""]

        @Test("A status below 100, or none, is a bad response", arguments: badStatuses)
        func badStatus(status: String) async throws {
            answer("HTTP/1.1 \(status)\r\nX: 404\r\nContent-Length: 5\r\n\r\nhello")
            let error = await #expect(throws: TransferError.self) { try await engine.load(server.url("/status")) }
            #expect(error?.kind == .badResponse)
        }

        @Test("If libcurl passes on such a line, no later one is taken for it", arguments: badStatuses)
        func passedOn(status: String) {
            var head = CurlHead(server.url("/status"))
            for line in ["HTTP/1.1 \(status)\r\n", "X: 404\r\n", "\r\n"] {
                let complete = Array(line.utf8).withUnsafeBytes { head.take($0) }
                #expect(complete?.status == nil && head.isInvalid)
            }
        }
    }
#endif
