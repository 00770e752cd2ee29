#if os(Linux)
    import Foundation
    import FoundationNetworking
    import PiuPiu
    import Testing

    /// The failures. Success is tested with another server, see Tests/Interoperability.
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
            "A path that is empty, or too long for the system, is an unsupported setting", arguments: [0, 108, 5_000])
        func longPath(count: Int) async throws {
            let path = String(repeating: "a", count: count)
            let error = try #require(try await error(path: path))
            #expect(error.kind == .unsupportedSetting)
            #expect(error.underlyingError as? UnsupportedSettingError == .unixSocketPath(path))
        }

        @Test("A path of 107 bytes isn't too long")
        func longestPath() async throws {
            #expect(try await error(path: "/" + String(repeating: "a", count: 106))?.kind == .cannotConnect)
        }
    }
#endif
