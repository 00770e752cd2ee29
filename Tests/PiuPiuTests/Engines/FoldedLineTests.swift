#if canImport(FoundationNetworking)
    import Foundation
    import FoundationNetworking
    import LoopbackServer
    import PiuPiu
    import Testing

    /// Obsolete, but still sent: a line that begins with a blank continues the field before it. libcurl passes it on as
    /// it comes.
    @Suite("RFC 9112, 5.2: folded lines of a head, over libcurl", .timeLimit(.minutes(10)))
    struct FoldedLineTests {
        private let server: LoopbackServer
        private let engine = makeStandardEngine(.ephemeral)

        init() throws { server = try LoopbackServer.start() }

        private func answer(
            _ fields: String, status: String = "200 OK", body: Data = Data("hello".utf8)
        ) async throws -> DataSink.Output {
            let head = "HTTP/1.1 \(status)\r\n\(fields)Content-Length: \(body.count)\r\n\r\n"
            server.handle("GET", "/folded", reply: LoopbackReply(steps: [.raw(Data(head.utf8) + body)]))
            return try await engine.load(server.url("/folded"))
        }

        @Test("A line of blanks isn't the end of a head", arguments: [" \r\n", "\t\r\n", " \n", "  \r\n \t \r\n"])
        func blankLine(fold: String) async throws {
            let output = try await answer("X: a\r\n\(fold)Y: b\r\n")
            #expect(output.head.fields.map { "\($0): \($1)" } == ["X: a", "Y: b", "Content-Length: 5"])
            #expect(output.data.text == "hello")
        }

        @Test("The coding of a body may come after one")
        func coding() async throws {
            let text = String(repeating: "hello ", count: 100)
            guard case .body(let coded)? = LoopbackReply.gzip(Data(text.utf8)).steps.last else {
                Issue.record("There is no body")
                return
            }
            let output = try await answer("X: a\r\n \r\nContent-Encoding: gzip\r\n", body: coded)
            #expect(output.data.text == text)
        }

        @Test("So may the target of a redirect, which may be folded itself", arguments: [" ", "\r\n ", "\r\n \r\n\t"])
        func redirect(fold: String) async throws {
            server.handle("GET", "/target", reply: .text("target"))
            let output = try await answer("X: a\r\n \r\nLocation:\(fold)/target\r\n", status: "302 Found")
            #expect(output.data.text == "target")
        }

        @Test("A fold is as good as a space, and blanks around a value don't belong to it")
        func values() async throws {
            let output = try await answer("A: b:\r\n c\r\n \t\r\n\td\r\nE:\r\n \r\n f\r\nG:\r\n \r\n")
            #expect(output.head.values(for: "A") == ["b: c d"])
            #expect(output.head.values(for: "E") == ["f"])
            #expect(output.head.values(for: "G") == [""])
        }

        @Test(
            "A fold in a field that says where the body ends is a bad response: libcurl reads only its first line",
            arguments: [
                "Transfer-Encoding:\r\n chunked\r\n\r\n5\r\nhello\r\n0\r\n\r\n",
                "transfer-encoding: chunked\r\n \r\n\r\n5\r\nhello\r\n0\r\n\r\n",
                "X: a\r\nContent-Length:\r\n 5\r\n\r\nhello", "CONTENT-LENGTH: 5\r\n 0\r\n\r\nhello",
            ])
        func length(fields: String) async throws {
            let answer = Data("HTTP/1.1 200 OK\r\n\(fields)".utf8)
            server.handle("GET", "/length", reply: LoopbackReply(steps: [.raw(answer), .close]))
            let error = await #expect(throws: TransferError.self) { try await engine.load(server.url("/length")) }
            #expect(error?.kind == .badResponse)
        }

        @Test("What looks like the start of such a field is none")
        func otherFields() async throws {
            let output = try await answer("Transfer-Encodings: a\r\n b\r\nX-Content-Length: 1\r\n 2\r\n")
            #expect(output.head.value(for: "X-Content-Length") == "1 2")
            #expect(output.data.text == "hello")
        }
    }
#endif
