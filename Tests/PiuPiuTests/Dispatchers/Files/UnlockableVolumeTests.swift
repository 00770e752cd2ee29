#if os(Linux)
    import Foundation
    import FoundationNetworking
    import LoopbackServer
    import PiuPiu
    import TestProcess
    import TestSupport
    import Testing

    /// Downloads to volumes whose files can't be locked, as those of some network file systems.
    @Suite("FILES: volumes without locks", .timeLimit(.oneProcessAtATime))
    struct UnlockableVolumeTests {
        private let server: LoopbackServer
        private let folder: TemporaryFolder

        init() throws {
            server = try LoopbackServer.start()
            folder = try TemporaryFolder()
        }

        @Test(
            "FILES, NEVER-HANG: a download ends, leaves one file, and removes no other",
            .oneProcessAtATime, arguments: [ENOLCK, ENOSYS, ENOTSUP], [false, true])
        func noLocks(error: Int32, isResumable: Bool) async throws {
            // It may be the file of another process.
            let other = ".PiuPiu-\(UUID().uuidString).part"
            _ = try folder.file(other, containing: "left")
            let (folder, url) = (folder.url.path, server.url("/text").absoluteString)
            await #expect(processExitsWith: .success) {
                [
                    folder = folder as String, url = url as String, error = error as Int32,
                    isResumable = isResumable as Bool
                ] in
                try #require(test_process_refuse_locks(error))
                let file = URL(filePath: folder).appending(path: "film.bin")
                let request = URLRequest(url: try #require(URL(string: url)))
                _ = try await URLRequestDispatcher(configuration: .ephemeral)
                    .downloadFuture(from: request, to: file, isResumable: isResumable).value
            }
            #expect(try self.folder.names == [other, "film.bin"])
        }

        @Test(
            "FILES, NEVER-HANG: a download whose files are always locked by others fails, and leaves nothing",
            .oneProcessAtATime)
        func alwaysLocked() async throws {
            let (folder, url) = (folder.url.path, server.url("/text").absoluteString)
            await #expect(processExitsWith: .success) { [folder = folder as String, url = url as String] in
                try #require(test_process_refuse_locks(EWOULDBLOCK))
                let file = URL(filePath: folder).appending(path: "film.bin")
                let request = URLRequest(url: try #require(URL(string: url)))
                let error = await #expect(throws: FileTransferError.self) {
                    _ = try await URLRequestDispatcher(configuration: .ephemeral)
                        .downloadFuture(from: request, to: file).value
                }
                try #require(error?.kind == .cannotCreate)
            }
            #expect(try self.folder.names.isEmpty)
        }
    }
#endif
