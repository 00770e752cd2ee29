#if canImport(FoundationNetworking)
    import Foundation
    import FoundationNetworking
    import LoopbackServer
    import PiuPiu
    import TestSupport
    import Testing

    @Suite("Content codings over libcurl", .timeLimit(.minutes(10)))
    struct ContentCodingTests {
        private let server: LoopbackServer
        private let dispatcher = URLRequestDispatcher(configuration: .ephemeral)

        init() throws { server = try LoopbackServer.start() }

        @Test(
            "A body with an unknown coding arrives as it is, with its Content-Encoding field",
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

        static let bodies: [(coding: String, body: Data)] = [
            (coding: "gzip", body: CodedText.gzip), ("X-GZIP", CodedText.gzip), ("deflate", CodedText.deflate),
            ("deflate", CodedText.rawDeflate), ("br", CodedText.brotli), ("zstd", CodedText.zstd),
            ("identity, br", CodedText.brotli), ("none", CodedText.text), ("", CodedText.text),
        ].filter { ContentCoding(rawValue: $0.coding)?.isSupported != false }

        @Test("A body is decoded, whatever its coding and its framing", arguments: bodies, [false, true])
        func decoded(of coded: (coding: String, body: Data), isChunked: Bool) async throws {
            let field = LoopbackHeader("Content-Encoding", coded.coding)
            let parts = stride(from: 0, to: coded.body.count, by: 30).map { coded.body.dropFirst($0).prefix(30) }
            server.handle(
                "GET", "/a",
                reply: isChunked
                    ? .chunked(parts.map { Data($0) }, headers: [field])
                    : .response(headers: [field], body: coded.body))
            let request = server.request("/a")
            #expect(try await dispatcher.dataFuture(from: request).value.data == CodedText.text)
            #expect(try await dispatcher.uploadFuture(from: request).value.data == CodedText.text)
            var content = Data()
            for try await part in try await dispatcher.streamFuture(from: request).value.data { content.append(part) }
            #expect(content == CodedText.text)
        }

        @Test(
            "A body that ends too early is truncated, a malformed one a bad response",
            arguments: bodies.filter { $0.body != CodedText.text })
        func faults(of coded: (coding: String, body: Data)) async throws {
            let field = LoopbackHeader("Content-Encoding", coded.coding)
            server.handle("GET", "/cut", reply: .response(headers: [field], body: coded.body.dropLast(9)))
            server.handle("GET", "/bad", reply: .response(headers: [field], body: Data(repeating: 0xFF, count: 99)))
            server.handle("GET", "/none", reply: .response(headers: [field], body: Data()))
            for (path, kind) in [("/cut", TransferError.Kind.truncated), ("/bad", .badResponse)] {
                let error = await #expect(throws: TransferError.self) {
                    _ = try await dispatcher.dataFuture(from: server.request(path)).value
                }
                #expect(error?.kind == kind)
            }
            #expect(try await dispatcher.dataFuture(from: server.request("/none")).value.data?.isEmpty != false)
            var head = server.request("/cut")
            head.httpMethod = "HEAD"
            #expect(try await dispatcher.dataFuture(from: head).value.data == nil)
        }

        @Test("PROMPT: a malformed body is a bad response at once, if its end is decoded after a turn of others, too")
        func faultAfterATurn() async throws {
            // Its content takes several turns; the checksum at its end is wrong.
            var body = CodedText.gzip
            body[body.count - 8] ^= 0xFF
            let (gate, other) = (LoopbackGate(), LoopbackGate())
            server.handle(
                "GET", "/bad", reply: .response(headers: [LoopbackHeader("Content-Encoding", "gzip")], body: body))
            server.handle("GET", "/open", reply: .text("open").gated(by: gate))
            server.handle("GET", "/other", reply: .text("other").gated(by: other))
            // One exchange stays in flight, and there is an idle connection: a new one has timers that hide the fault.
            let open = dispatcher.dataFuture(from: server.request("/open"))
            let closed = dispatcher.dataFuture(from: server.request("/other"))
            open.start()
            closed.start()
            try await gate.waitForArrivals(1)
            try await other.waitForArrivals(1)
            other.open()
            _ = try await closed.value
            let error = await #expect(throws: TransferError.self) {
                _ = try await dispatcher.dataFuture(from: server.request("/bad", timeout: 60)).value
            }
            #expect(error?.kind == .badResponse)
            gate.open()
            #expect(try await open.value.data.text == "open")
        }

        @Test("MEMORY: a reader that is slower than the decoder isn't overrun, and others get their turns")
        func backPressure() async throws {
            server.handle(
                "GET", "/zeros",
                reply: .response(headers: [LoopbackHeader("Content-Encoding", "br")], body: CodedText.brotliOfZeros))
            let body = try await dispatcher.streamFuture(from: server.request("/zeros")).value.data
            var count = 0
            for try await part in body {
                count += part.count
                // The rest is decoded only when it is wanted, so this exchange isn't in the way of another one.
                if count.isMultiple(of: 8 << 20) {
                    _ = try await dispatcher.dataFuture(from: server.request("/bytes/1000")).value
                }
                #expect(part.count <= 1 << 20)
            }
            #expect(count == 64 << 20)
        }

        @Test("A request accepts what can be decoded, or what its caller asks for")
        func accepted() async throws {
            server.handle("GET", "/a", reply: .text("a"))
            var request = server.request("/a")
            _ = try await dispatcher.dataFuture(from: request).value
            request.setValue("foo", forHTTPHeaderField: "accept-encoding")
            _ = try await dispatcher.dataFuture(from: request).value
            let codings = ContentCoding.allCases.filter(\.isSupported).map(\.rawValue).joined(separator: ", ")
            #expect(codings.hasPrefix("deflate, gzip"))
            #expect(server.requests.map { $0.header("Accept-Encoding") } == [codings, "foo"])
        }

        @Test("A part of a coded body can't be decoded: a request for a range accepts none, unless its caller does")
        func acceptedForRanges() async throws {
            server.handle("GET", "/a", reply: .text("a"))
            var request = server.request("/a")
            request.setValue("bytes=0-1", forHTTPHeaderField: "range")
            _ = try await dispatcher.dataFuture(from: request).value
            request.setValue("br", forHTTPHeaderField: "accept-encoding")
            _ = try await dispatcher.dataFuture(from: request).value
            #expect(server.requests.map { $0.header("Accept-Encoding") } == ["identity", "br"])
        }

        @Test("A part of a coded body arrives as it is, as data and as a stream", arguments: [false, true])
        func parts(isChunked: Bool) async throws {
            let whole = CodedText.gzip, middle = whole.count / 2
            for range in [0..<middle, middle..<whole.count] {
                let part = whole.subdata(in: range)
                let fields = [
                    LoopbackHeader("Content-Encoding", "gzip"),
                    LoopbackHeader(
                        "Content-Range", "bytes \(range.lowerBound)-\(range.upperBound - 1)/\(whole.count)"),
                ]
                let framing = LoopbackHeader("Transfer-Encoding", "chunked")
                server.handle(
                    "GET", "/a",
                    reply: isChunked
                        ? LoopbackReply(steps: [
                            .head(status: 206, headers: fields + [framing]), .chunk(part), .lastChunk(trailers: []),
                        ])
                        : .response(206, headers: fields, body: part))
                var request = server.request("/a")
                request.setValue("bytes=\(range.lowerBound)-\(range.upperBound - 1)", forHTTPHeaderField: "Range")
                request.setValue("gzip", forHTTPHeaderField: "Accept-Encoding")
                let response = try await dispatcher.dataFuture(from: request).value
                #expect(response.data == part && response.head.value(for: "Content-Encoding") == "gzip")
                var content = Data()
                for try await bytes in try await dispatcher.streamFuture(from: request).value.data {
                    content.append(bytes)
                }
                #expect(content == part)
            }
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
