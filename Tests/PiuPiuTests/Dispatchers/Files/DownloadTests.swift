import Foundation
import LoopbackServer
import PiuPiu
import TestSupport
import Testing

#if canImport(Glibc)
    import Glibc
#endif
#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

@Suite("Downloads to files", .timeLimit(.oneProcessAtATime))
struct DownloadTests {
    private let server: LoopbackServer
    private let dispatcher = URLRequestDispatcher(configuration: .ephemeral)
    private let folder: TemporaryFolder

    init() throws {
        server = try LoopbackServer.start()
        folder = try TemporaryFolder()
    }

    private func download(
        _ path: String, to file: URL, timeout: TimeInterval = 3600
    ) -> ResponseFuture<Response<URL>> {
        dispatcher.downloadFuture(from: server.request(path, timeout: timeout), to: file)
    }

    @Test("FILES: the file arrives whole, in folders that are made")
    func wholeFile() async throws {
        let file = folder.file("a/b/c.bin")
        let response = try await download("/bytes/300000", to: file).makeHTTPResponse().value
        #expect(response.data == file)
        #expect(response.statusCode == .ok)
        #expect(try Data(contentsOf: file) == LoopbackPattern.data(count: 300_000))
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder.file("a/b").path()) == ["c.bin"])
    }

    @Test("FILES: a new file takes the place of an old one")
    func replacement() async throws {
        let file = try folder.file("f", containing: "old")
        _ = try await download("/text", to: file).value
        #expect(file.content == "Grüße von 127.0.0.1\n")
        #expect(try folder.names == ["f"])
    }

    @Test(
        "FILES: a new file has the permissions of the old one, and its owner may write it",
        arguments: [0o600, 0o640, 0o400], [true, false])
    func permissions(_ permissions: Int, isResumable: Bool) async throws {
        let file = try folder.file("f", containing: "old"), path = file.path(percentEncoded: false)
        try FileManager.default.setAttributes([.posixPermissions: permissions], ofItemAtPath: path)
        let request = server.request("/text")
        _ = try await dispatcher.downloadFuture(from: request, to: file, isResumable: isResumable).value
        #expect(file.content == "Grüße von 127.0.0.1\n")
        let attributes = try FileManager.default.attributesOfItem(atPath: path)
        #expect((attributes[.posixPermissions] as? NSNumber)?.intValue == permissions | 0o600)
    }

    @Test("FILES: an empty body is an empty file")
    func emptyBody() async throws {
        let file = try folder.file("f", containing: "old")
        _ = try await download("/empty", to: file).value
        #expect(file.content == "")
    }

    @Test(
        "FILES, STATUS: a status that brings no file is a response that leaves the old file",
        arguments: [404, 500, 204, 304])
    func status(_ status: Int) async throws {
        let file = try folder.file("f", containing: "old")
        let response = try await download("/status/\(status)", to: file).makeHTTPResponse().value
        #expect(response.statusCode.rawValue == status)
        #expect(file.content == "old")
        #expect(try folder.names == ["f"])
    }

    @Test("FILES: a HEAD brings no file, and leaves the old one", arguments: [true, false])
    func head(isResumable: Bool) async throws {
        let file = try folder.file("f", containing: "old")
        var request = server.request("/bytes/300000")
        request.httpMethod = "HEAD"
        let response = try await dispatcher.downloadFuture(from: request, to: file, isResumable: isResumable).value
        #expect(response.head.status == 200 && response.head.value(for: "Content-Length") == "300000")
        #expect(file.content == "old")
        #expect(try folder.names == ["f"])
    }

    @Test(
        "FILES: a failure leaves the old file, and nothing else",
        arguments: ["reset", "reset-mid-body", "truncate", "truncate-chunk", "garbage", "stall-mid-body"])
    func failure(_ fault: String) async throws {
        let file = try folder.file("f", containing: "old")
        let failure = await #expect(throws: TransferError.self) {
            _ = try await download("/fault/\(fault)", to: file, timeout: 1).value
        }
        #expect(failure?.url == server.url("/fault/\(fault)"))
        #expect(file.content == "old")
        #expect(try folder.names == ["f"])
    }

    @Test("FILES, DOWN: a cancelled download leaves the old file, and nothing else")
    func cancellation() async throws {
        let file = try folder.file("f", containing: "old")
        let adapters = Population()
        try await cancelMidBody(to: file, adapters)
        try await server.waitForClosedConnections()
        // When the future's work ends, what it retains is released.
        await adapters.extinct()
        #expect(file.content == "old")
        #expect(try folder.names == ["f"])
    }

    private func cancelMidBody(to file: URL, _ adapters: Population) async throws {
        let dispatcher = URLRequestDispatcher(
            configuration: .ephemeral, responseAdapter: CountedAdapter(member: adapters.member()))
        let hasBegun = Gate()
        let future = dispatcher.downloadFuture(
            from: server.request("/fault/stall-mid-body"), to: file
        )
        .onUpdate { if $0.stage == .received { hasBegun.open() } }
        let task = Task { try await future.value }
        await hasBegun.opened()
        #expect(try folder.names.count == 2)
        task.cancel()
        await #expect(throws: CancellationError.self) { _ = try await task.value }
    }

    private struct CountedAdapter: ResponseAdapter {
        let member: Population.Member

        func adapt(_ urlResponse: URLResponse, for urlRequest: URLRequest) async throws -> URLResponse { urlResponse }
    }

    @Test("An impossible destination is an error before anything is sent")
    func badDestinations() async throws {
        let noFile = try #require(URL(string: "http://host/f"))
        for (destination, kind) in [
            (noFile, FileTransferError.Kind.notFileURL), (folder.url, .isFolder),
        ] {
            let error = await #expect(throws: FileTransferError.self) {
                _ = try await download("/text", to: destination).value
            }
            #expect(error?.kind == kind)
        }
        #expect(server.requestCount() == 0)
    }

    @Test("A FIFO at the destination is an error before anything is sent, and stays", arguments: [false, true])
    func fifo(isResumable: Bool) async throws {
        let fifo = folder.file("fifo")
        try #require(mkfifo(fifo.path(percentEncoded: false), 0o600) == 0)
        let future = dispatcher.downloadFuture(from: server.request("/text"), to: fifo, isResumable: isResumable)
        let error = await #expect(throws: FileTransferError.self) { _ = try await future.value }
        #expect(error?.kind == .cannotCreate && error?.file == fifo)
        #expect((error?.underlyingError as? POSIXError)?.code == .EEXIST)
        #expect(server.requestCount() == 0)
        #expect(try folder.names == ["fifo"])
        let status = try #require(FileStatus(following: fifo))
        #expect(!status.isRegular && !status.isFolder)
    }

    @Test("A folder that can't be made is a typed error, and the transfer is given up")
    func unwritable() async throws {
        let obstacle = try folder.file("f", containing: "a file")
        let error = await #expect(throws: FileTransferError.self) {
            _ = try await download("/fault/stall-mid-body", to: obstacle.appending(path: "g")).value
        }
        #expect(error?.kind == .cannotCreate)
        #expect(error?.errorDescription?.contains("g") == true)
        try await server.waitForClosedConnections()
    }

    #if os(Linux)
        @Test("A write that fails is a typed error, and the transfer is given up", .oneProcessAtATime)
        func fullDisk() async {
            await #expect(processExitsWith: .success) {
                try InheritedSockets.close()
                // A limit on the size of files acts like a full disk.
                signal(SIGXFSZ, SIG_IGN)
                var limit = rlimit(rlim_cur: 100_000, rlim_max: 100_000)
                guard setrlimit(__rlimit_resource_t(1), &limit) == 0 else { exit(2) }
                let server = try LoopbackServer.start()
                let folder = try TemporaryFolder()
                let file = try folder.file("f", containing: "old")
                do {
                    _ = try await URLRequestDispatcher().downloadFuture(
                        from: server.request("/bytes/2000000000"), to: file
                    ).value
                    exit(3)
                } catch let error as FileTransferError {
                    try #require(error.kind == .cannotWrite && error.file == file)
                }
                try await server.waitForClosedConnections()
                try #require(file.content == "old")
                try #require(try folder.names == ["f"])
            }
        }
    #endif

    @Test("FILES: a second head starts the file over, and leaves nothing behind", arguments: [200, 401])
    func secondHead(status: Int) async throws {
        struct TwoHeads: TransferEngine {
            struct Handle: TransferHandle { func cancel() {} }
            let status: Int

            func start(
                _ request: TransferRequest, onEvent: @escaping @Sendable (TransferEvent) -> Void
            ) -> any TransferHandle {
                Task {
                    for (status, text) in [(200, "first, and longer"), (status, "second")] {
                        guard let url = request.urlRequest.url,
                            let head = HTTPURLResponse(
                                url: url, statusCode: status, httpVersion: nil, headerFields: nil)
                        else { return }
                        onEvent(.head(TransferHead(head), request: request.urlRequest))
                        onEvent(.body(Data(text.utf8)))
                    }
                    onEvent(.finished)
                }
                return Handle()
            }

            func finishTasksAndInvalidate() {}
            func invalidateAndCancel() {}
        }
        let file = try folder.file("f", containing: "old")
        let dispatcher = URLRequestDispatcher(engine: TwoHeads(status: status))
        _ = try await dispatcher.downloadFuture(from: server.request("/"), to: file).value
        #expect(file.content == (status == 200 ? "second" : "old"))
        #expect(try folder.names == ["f"])
    }

    @Test("UPDATES: one at the start, one for the head, one for each chunk, in order and with the right counts")
    func updates() async throws {
        let updates = try await download("/bytes/300000", to: folder.file("f")).valueAndUpdates.updates
        #expect(updates.map(\.stage).prefix(2) == [.started, .responded])
        #expect(updates.dropFirst(2).allSatisfy { $0.stage == .received })
        #expect(updates.last?.progress.bytesReceived == 300_000)
        #expect(updates.last?.percentRecieved == 1)
        #expect(updates.map(\.progress.bytesReceived) == updates.map(\.progress.bytesReceived).sorted())
    }

    @Test("A request is made when the download starts; nil cancels it")
    func closure() async throws {
        let file = folder.file("f")
        let request = server.request("/text")
        _ = try await dispatcher.downloadFuture(destination: file) { request }.value
        #expect(file.content?.hasPrefix("Grüße") == true)
        await #expect(throws: CancellationError.self) {
            _ = try await dispatcher.downloadFuture(destination: file) { nil }.value
        }
        await #expect(throws: Mishap.self) {
            _ = try await dispatcher.downloadFuture(destination: file) { throw Mishap(number: 1) }.value
        }
    }

    @Test("Local files are downloaded as well")
    func localFile() async throws {
        let source = try folder.file("source", containing: "local")
        let response = try await dispatcher.downloadFuture(from: URLRequest(url: source), to: folder.file("f")).value
        #expect(response.data.content == "local")
    }

    #if os(Linux)
        @Test("A local file that has content, but reports no size, is downloaded as well")
        func localFileWithoutSize() async throws {
            let source = URLRequest(url: URL(filePath: "/proc/self/status"))
            let response = try await dispatcher.downloadFuture(from: source, to: folder.file("f")).value
            #expect(response.data.content?.hasPrefix("Name:") == true)
        }
    #endif

    @Test("Two downloads to one place don't mix")
    func twoAtOnce() async throws {
        let file = folder.file("f")
        async let first = download("/bytes/2000000", to: file).value
        async let second = download("/bytes/1000000", to: file).value
        _ = try await (first, second)
        let data = try Data(contentsOf: file)
        #expect(data == LoopbackPattern.data(count: data.count))
        #expect([1_000_000, 2_000_000].contains(data.count))
        #expect(try folder.names == ["f"])
    }
}
