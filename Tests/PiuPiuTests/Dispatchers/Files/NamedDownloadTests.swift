import Foundation
import LoopbackServer
import PiuPiu
import PiuPiuTesting
import TestSupport
import Testing

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

@Suite("Downloads that the server names", .timeLimit(.minutes(10)))
struct NamedDownloadTests {
    private let server: LoopbackServer
    private let dispatcher = URLRequestDispatcher(configuration: .ephemeral)
    private let folder: TemporaryFolder

    init() throws {
        server = try LoopbackServer.start()
        folder = try TemporaryFolder()
        server.handle(
            "GET", "/report",
            reply: .chunked(
                [Data("new".utf8)],
                headers: [LoopbackHeader("Content-Disposition", "attachment; filename=\"../a b.txt\"")]))
    }

    private func download(_ path: String, timeout: TimeInterval = 3600) -> ResponseFuture<Response<URL>> {
        dispatcher.downloadFuture(from: server.request(path, timeout: timeout), toFolder: folder.url)
    }

    @Test("FILES: the file has the name that its response suggests, in folders that are made")
    func suggested() async throws {
        let place = folder.file("a/b")
        let response = try await dispatcher.downloadFuture(from: server.request("/report"), toFolder: place).value
        #expect(response.data == place.appending(path: "a b.txt"))
        #expect(response.data.content == "new" && response.status == .ok)
        #expect(try FileManager.default.contentsOfDirectory(atPath: place.path()) == ["a b.txt"])
        #expect(try await download("/bytes/300000").value.data == folder.file("300000"))
        #expect(try Data(contentsOf: folder.file("300000")) == LoopbackPattern.data(count: 300_000))
    }

    @Test("The name may be made of the head and the suggestion, once")
    func named() async throws {
        let calls = Counter(), request = server.request("/report")
        let future = dispatcher.downloadFuture(from: request, toFolder: folder.url) { head, suggested in
            calls.increment()
            return "\(head.status ?? 0) \(suggested)"
        }
        #expect(calls.value == 0)
        #expect(try await future.value.data == folder.file("200 a b.txt"))
        #expect(try await future.value.data.content == "new")
        #expect(calls.value == 1)
        #expect(try folder.names == ["200 a b.txt"])
    }

    @Test("FILES: it replaces an existing file, with no permissions that this hasn't", arguments: [0o600, 0o644])
    func replacement(permissions: Int) async throws {
        let file = try folder.file("a b.txt", containing: "old"), path = file.path(percentEncoded: false)
        try FileManager.default.setAttributes([.posixPermissions: permissions], ofItemAtPath: path)
        #expect(try await download("/report").value.data == file)
        #expect(file.content == "new")
        #expect(try folder.names == ["a b.txt"])
        let attributes = try FileManager.default.attributesOfItem(atPath: path)
        #expect((attributes[.posixPermissions] as? NSNumber)?.intValue == permissions)
    }

    @Test(
        "A name that is none is an error, and nothing is left behind",
        arguments: ["", ".", "..", "a/b", "/", "../a", "a\0b"])
    func badName(name: String) async throws {
        let future = dispatcher.downloadFuture(from: server.request("/report"), toFolder: folder.url) { _, _ in name }
        let error = await #expect(throws: FileTransferError.self) { try await future.value }
        #expect(error?.kind == .cannotCreate)
        #expect(error?.recoverySuggestion?.hasPrefix("Give the file another name") == true)
        #expect(try folder.names.isEmpty)
    }

    @Test("The error of the name fails the future, and nothing is left behind")
    func failedName() async throws {
        let request = server.request("/report")
        let future = dispatcher.downloadFuture(from: request, toFolder: folder.url) { _, _ in throw Mishap(number: 7) }
        await #expect(throws: Mishap(number: 7)) { try await future.value }
        #expect(try folder.names.isEmpty)
    }

    @Test("FILES: a folder of that name stays, and nothing else is left behind")
    func folderOfThatName() async throws {
        try FileManager.default.createDirectory(at: folder.file("a b.txt"), withIntermediateDirectories: false)
        let error = await #expect(throws: FileTransferError.self) { try await download("/report").value }
        #expect(error?.kind == .isFolder && error?.file.lastPathComponent == "a b.txt")
        #expect(try folder.names == ["a b.txt"])
    }

    @Test("A folder that isn't in the file system is an error before anything is sent")
    func noFolder() async throws {
        let place = try URL(fixture: "https://example.com/folder"), request = server.request("/report")
        let error = await #expect(throws: FileTransferError.self) {
            try await dispatcher.downloadFuture(from: request, toFolder: place).value
        }
        #expect(error?.kind == .notFileURL)
        #expect(server.requestCount() == 0)
    }

    @Test("FILES, STATUS: a status that brings no file is a response, and names none", arguments: [404, 500, 204, 304])
    func status(_ status: Int) async throws {
        let file = try folder.file("\(status)", containing: "old"), request = server.request("/status/\(status)")
        let future = dispatcher.downloadFuture(from: request, toFolder: folder.url) { _, _ in throw Mishap(number: 7) }
        let response = try await future.value
        #expect(response.status?.rawValue == status && response.data.content == nil)
        if status != 204 {
            await #expect(throws: UnacceptableStatusError.self) { try await future.validated().value }
        }
        #expect(file.content == "old")
        #expect(try folder.names == ["\(status)"])
    }

    @Test(
        "FILES: a failure leaves nothing behind",
        arguments: ["reset", "reset-mid-body", "truncate", "stall-mid-body"])
    func failure(fault: String) async throws {
        await #expect(throws: TransferError.self) { try await download("/fault/\(fault)", timeout: 1).value }
        #expect(try folder.names.isEmpty)
    }

    @Test("FILES, DOWN: a download that is cancelled while it loads leaves nothing behind")
    func cancelled() async throws {
        let hasBegun = Gate(), members = Population()
        do {
            let member = members.member(), request = server.request("/fault/stall-mid-body")
            let future = dispatcher.downloadFuture(from: request, toFolder: folder.url) { _, suggested in
                _ = member
                return suggested
            }.onUpdate { if $0.stage == .received { hasBegun.open() } }
            let task = Task { try await future.value }
            await hasBegun.opened()
            #expect(try folder.names.count == 1)
            task.cancel()
            await #expect(throws: CancellationError.self) { try await task.value }
        }
        try await server.waitForClosedConnections()
        await members.extinct()
        #expect(try folder.names.isEmpty)
    }

    @Test("FILES, DOWN: a download that is cancelled while it gets its name leaves nothing behind")
    func cancelledWhileNamed() async throws {
        let request = server.request("/report"), members = Population()
        do {
            let member = members.member()
            let future = dispatcher.downloadFuture(from: request, toFolder: folder.url) { _, suggested in
                _ = member
                withUnsafeCurrentTask { $0?.cancel() }
                return suggested
            }
            await #expect(throws: CancellationError.self) { try await future.value }
        }
        await members.extinct()
        #expect(try folder.names.isEmpty)
    }

    @Test("FILES: with a number no download takes the name of another one, or of a file that is there")
    func numbered() async throws {
        _ = try folder.file("a b.txt", containing: "old")
        try FileManager.default.createDirectory(at: folder.file("a b 2.txt"), withIntermediateDirectories: false)
        let files = try await withThrowingTaskGroup { group in
            for _ in 0..<8 {
                let future = dispatcher.downloadFuture(
                    from: server.request("/report"), toFolder: folder.url, existing: .number)
                group.addTask { try await future.value.data }
            }
            return try await group.reduce(into: [URL]()) { $0.append($1) }
        }
        #expect(Set(files.map(\.lastPathComponent)) == Set((3...10).map { "a b \($0).txt" }))
        #expect(files.allSatisfy { $0.content == "new" } && folder.file("a b.txt").content == "old")
        #expect(try folder.names.count == 10)
    }

    @Test(
        "The number stands before the extension",
        arguments: [
            ("report.pdf", "report 2.pdf"), ("a.tar.gz", "a.tar 2.gz"), ("report", "report 2"), (".a", ".a 2"),
            ("Mr. Smith", "Mr. Smith 2"), ("a.", "a 2."),
        ])
    func number(name: String, expected: String) async throws {
        let request = server.request("/report")
        for expected in [name, expected] {
            let future = dispatcher.downloadFuture(from: request, toFolder: folder.url, existing: .number) { _, _ in
                name
            }
            #expect(try await future.value.data == folder.file(expected))
        }
    }

    @Test("FILES: a file that isn't to be replaced stays, and nothing else is left behind")
    func existing() async throws {
        let file = try folder.file("a b.txt", containing: "old"), request = server.request("/report")
        let future = dispatcher.downloadFuture(from: request, toFolder: folder.url, existing: .fail)
        let error = await #expect(throws: FileTransferError.self) { try await future.value }
        #expect(error?.kind == .cannotCreate && error?.file == file)
        #expect((error?.underlyingError as? POSIXError)?.code == .EEXIST)
        #expect(error?.recoverySuggestion?.contains("isn't to be replaced") == true)
        #expect(try file.content == "old" && folder.names == ["a b.txt"])
        try FileManager.default.removeItem(at: file)
        let again = dispatcher.downloadFuture(from: request, toFolder: folder.url, existing: .fail)
        #expect(try await again.value.data.content == "new" && folder.names == ["a b.txt"])
    }

    @Test(
        "FILES, DOWN: neither a failure nor a cancellation keeps a reserved name",
        arguments: [ExistingFile.fail, .number])
    func reserved(existing: ExistingFile) async throws {
        let request = server.request("/report"), members = Population()
        do {
            let member = members.member()
            let future = dispatcher.downloadFuture(
                from: request, toFolder: folder.url, existing: existing
            ) { _, suggested in
                _ = member
                withUnsafeCurrentTask { $0?.cancel() }
                return suggested
            }
            await #expect(throws: CancellationError.self) { try await future.value }
        }
        await members.extinct()
        #expect(try folder.names.isEmpty)
        for name in ["a/b", String(repeating: "a", count: 300)] {
            let future = dispatcher.downloadFuture(from: request, toFolder: folder.url, existing: existing) { _, _ in
                name
            }
            await #expect(throws: FileTransferError.self) { try await future.value }
        }
        #expect(try folder.names.isEmpty)
    }

    @Test("Policies, mocks and recorders see it as the download that it is")
    func others() async throws {
        let request = server.request("/report"), recorder = RecordingDispatcher(dispatcher)
        let future = recorder.validating().retrying().downloadFuture(from: request, toFolder: folder.url)
        #expect(try await future.value.data == folder.file("a b.txt"))
        let mock = MockURLRequestDispatcher { request in
            Response.makeMockResponse(with: request, data: Data("mock".utf8), statusCode: .ok)
        }
        let mocked = try await mock.downloadFuture(from: request, toFolder: folder.url).value
        #expect(mocked.data == folder.file("report") && mocked.data.content == "mock")
        #expect(try folder.names == ["a b.txt", "report"])
    }

    @Test("UPDATES: the progress of the transfer is that of the future")
    func updates() async throws {
        let updates = try await download("/bytes/300000").valueAndUpdates.updates
        #expect(updates.map(\.stage).prefix(2) == [.started, .responded])
        #expect(updates.last?.progress.bytesReceived == 300_000)
    }
}
