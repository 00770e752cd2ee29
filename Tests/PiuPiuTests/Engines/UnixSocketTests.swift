#if os(Linux)
    import Foundation
    import FoundationNetworking
    import PiuPiu
    import Testing

    /// The failures, and idle connections. Success is tested with another server, see Tests/Interoperability.
    @Suite("The engine over libcurl: Unix sockets", .timeLimit(.minutes(10)))
    struct UnixSocketTests {
        private func error(path: String) async throws -> TransferError? {
            let engine = try #require(CurlEngine(configuration: .ephemeral, unixSocketPath: path))
            let dispatcher = URLRequestDispatcher(engine: engine)
            let request = URLRequest(url: try url("http://a.socket/"), method: .get)
            return await #expect(throws: TransferError.self) { try await dispatcher.dataFuture(from: request).value }
        }

        @Test("Without a listener there is no connection")
        func nobody() async throws {
            let path = FileManager.default.temporaryDirectory.appending(path: "\(UUID()).socket").path
            #expect(try await error(path: path)?.kind == .cannotConnect)
        }

        @Test(
            "A path that is empty, too long for the system, or would be cut off, is an unsupported setting",
            arguments: ["", String(repeating: "a", count: 108), String(repeating: "a", count: 5_000), "/tmp/a\0b"])
        func invalidPath(path: String) async throws {
            let error = try #require(try await error(path: path))
            #expect(error.kind == .unsupportedSetting)
            #expect(error.underlyingError as? UnsupportedSettingError == .unixSocketPath(path))
        }

        @Test(
            "RFC 9112, 9.2: what arrives on an idle connection is no answer to the next request",
            arguments: ["GET", "POST"])
        func strayAnswer(method: String) async throws {
            let listener = try UnixListener()
            let engine = try #require(CurlEngine(configuration: .ephemeral, unixSocketPath: listener.path))
            var request = URLRequest(url: try url("http://a.socket/"))
            let first = TransferRequest(request), events = Log<TransferEvent>()
            let hasEnded = DispatchSemaphore(value: 0), isThere = DispatchSemaphore(value: 0)
            request.httpMethod = method
            let second = TransferRequest(request)
            _ = engine.start(first) { event in
                guard event.isTerminal else { return }
                hasEnded.signal()
                // The thread of libcurl doesn't see what the server sends now before it starts the next request.
                isThere.wait()
                _ = engine.start(second) { events.append($0) }
            }
            Thread.detachNewThread {
                let connection = listener.connection()
                _ = connection.readHead()
                connection.write("HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nfirst")
                hasEnded.wait()
                connection.write("HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nstray")
                isThere.signal()
                let next = listener.connection()
                _ = next.readHead()
                next.write("HTTP/1.1 200 OK\r\nContent-Length: 6\r\n\r\nsecond")
            }
            let all = await events.untilTheEnd()
            let parts = all.compactMap { if case .body(let data) = $0 { data } else { nil } }
            #expect(String(decoding: parts.joined(), as: UTF8.self) == "second", "\(all)")
        }

        @Test("A path of 107 bytes isn't too long")
        func longestPath() async throws {
            #expect(try await error(path: "/" + String(repeating: "a", count: 106))?.kind == .cannotConnect)
        }
    }
#endif
