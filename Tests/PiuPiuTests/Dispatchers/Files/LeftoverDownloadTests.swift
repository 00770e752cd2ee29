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

/// What is left of a download that ended when all, or most, of it had arrived.
@Suite("FILES: leftovers, and how the next download continues", .timeLimit(.oneProcessAtATime))
struct LeftoverDownloadTests {
    private static let size = 300_000

    private let server: LoopbackServer
    private let folder: TemporaryFolder
    private let file: URL

    init() throws {
        server = try LoopbackServer.start()
        folder = try TemporaryFolder()
        file = try folder.file("film.bin", containing: "old")
    }

    private struct Unhappy: Error, ResponseAdapter {
        func adapt(_ urlResponse: URLResponse, for urlRequest: URLRequest) async throws -> URLResponse { throw self }
    }

    private func download() -> ResponseFuture<Response<URL>> {
        FileFaultTests.Engine.standard.dispatcher
            .downloadFuture(from: server.request("/file"), to: file, isResumable: true)
    }

    /// A download that fails after its last byte.
    private func leave(_ engine: FileFaultTests.Engine) async {
        await #expect(throws: Unhappy.self) {
            _ = try await engine.dispatcher(Unhappy())
                .downloadFuture(from: server.request("/file"), to: file, isResumable: true).value
        }
    }

    @Test(
        "Of a complete leftover only the last byte is requested, as long as the file is the same",
        arguments: FileFaultTests.Engine.allCases, [true, false])
    func wholeLeftover(engine: FileFaultTests.Engine, isLengthKnown: Bool) async throws {
        server.handle("GET", "/file") { request in
            guard !isLengthKnown else { return .ranged(count: Self.size, for: request) }
            let headers = [LoopbackHeader("ETag", "\"v1\""), LoopbackHeader("Transfer-Encoding", "chunked")]
            return LoopbackReply(steps: [
                .head(status: 200, headers: headers), .patternChunk(count: Self.size), .lastChunk(trailers: []),
            ])
        }
        await leave(engine)
        #expect(try folder.names == [".film.bin.part", ".film.bin.part.json", "film.bin"])
        server.handle("GET", "/file") { .ranged(count: Self.size, for: $0) }
        let response = try await engine.dispatcher
            .downloadFuture(from: server.request("/file"), to: file, isResumable: true).makeHTTPResponse().value
        #expect(response.statusCode == .partialContent)
        #expect(server.requests.map { $0.header("Range") } == [nil, "bytes=\(Self.size - 1)-"])
        #expect(try Data(contentsOf: file) == LoopbackPattern.data(count: Self.size))
        #expect(try folder.names == ["film.bin"])
        // Another file of the same length is loaded from its beginning.
        await leave(engine)
        server.handle("GET", "/file") { .ranged(count: Self.size, for: $0, validator: .entityTag("v2")) }
        _ = try await engine.dispatcher
            .downloadFuture(from: server.request("/file"), to: file, isResumable: true).validated().value
        #expect(server.requests.map { $0.header("If-Range") } == [nil, "\"v1\"", nil, "\"v1\""])
        #expect(try Data(contentsOf: file) == LoopbackPattern.data(count: Self.size))
        #expect(try folder.names == ["film.bin"])
    }

    /// Waits at a gate, whatever is cancelled.
    private struct Deaf: ResponseAdapter {
        let gate: Gate
        let member: Population.Member

        func adapt(_ urlResponse: URLResponse, for urlRequest: URLRequest) async throws -> URLResponse {
            await gate.pass()
            return urlResponse
        }
    }

    /// A download that is cancelled after its last byte, during the work of an adapter.
    private func cancelInAdapter(at gate: Gate, _ adapters: Population) async throws {
        let future = FileFaultTests.Engine.standard.dispatcher(Deaf(gate: gate, member: adapters.member()))
            .downloadFuture(from: server.request("/file"), to: file, isResumable: true)
        let task = Task { try await future.value }
        await gate.reached()
        task.cancel()
        await #expect(throws: CancellationError.self) { _ = try await task.value }
    }

    @Test("A download that is cancelled during the work of an adapter leaves its file to the next one at once")
    func cancelledInAdapter() async throws {
        let gate = Gate(), adapters = Population()
        defer { gate.open() }
        server.handle("GET", "/file") { .ranged(count: Self.size, for: $0) }
        try await cancelInAdapter(at: gate, adapters)
        _ = try await download().value
        #expect(server.requests.map { $0.header("Range") } == [nil, "bytes=\(Self.size - 1)-"])
        gate.open()
        // What the adapter returns after all changes nothing.
        await adapters.extinct()
        #expect(try Data(contentsOf: file) == LoopbackPattern.data(count: Self.size))
        #expect(try folder.names == ["film.bin"])
    }

    @Test("FILES: the file of another download, which has taken the place of a removed one, isn't moved")
    func removedMeanwhile() async throws {
        let gate = LoopbackGate(), part = folder.file(".film.bin.part"), half = Gate()
        server.handle("GET", "/file") { _ in
            LoopbackReply(steps: [
                .head(status: 200, headers: [LoopbackHeader("Content-Length", "200000")]),
                .patternRange(0..<100_000), .gate(gate), .patternRange(100_000..<200_000),
            ])
        }
        let future = download().onUpdate { update in
            if update.progress.bytesReceived == 100_000 { half.open() }
        }
        future.send()
        await half.opened()
        try FileManager.default.removeItem(at: part)
        try Data("a part of another one".utf8).write(to: part)
        gate.open()
        let error = await #expect(throws: FileTransferError.self) { _ = try await future.value }
        #expect(error?.kind == .cannotMove)
        #expect(file.content == "old")
        #expect(part.content == "a part of another one")
    }

    @Test("A resumed download that ends before its first byte leaves the leftover to the next one")
    func emptyCut() async throws {
        let count = Counter()
        let headers = [LoopbackHeader("ETag", "\"v1\""), LoopbackHeader("Transfer-Encoding", "chunked")]
        server.handle("GET", "/file") { request in
            switch count.increment() {
            case 1:
                LoopbackReply(steps: [.head(status: 200, headers: headers), .patternChunk(count: 100_000), .close])
            case 2: .ranged(count: Self.size, for: request, cut: 0)
            default: .ranged(count: Self.size, for: request)
            }
        }
        for _ in 0..<2 { await #expect(throws: TransferError.self) { _ = try await download().value } }
        _ = try await download().value
        #expect(server.requests.map { $0.header("Range") } == [nil, "bytes=99999-", "bytes=99998-"])
        #expect(try Data(contentsOf: file) == LoopbackPattern.data(count: Self.size))
    }

    #if os(Linux)
        @Test("The error of a folder in which nothing can be made names the destination", arguments: [false, true])
        func readOnlyFolder(isResumable: Bool) async throws {
            server.handle("GET", "/file") { .ranged(count: 10, for: $0) }
            let place = URL(filePath: "/proc/PiuPiu.bin")
            let future = FileFaultTests.Engine.standard.dispatcher
                .downloadFuture(from: server.request("/file"), to: place, isResumable: isResumable)
            let error = await #expect(throws: FileTransferError.self) { _ = try await future.value }
            #expect(error?.kind == .cannotCreate)
            if !isResumable { #expect(error?.file == place) }
        }
    #endif

    @Test("A resumed download may be interrupted again: the next one continues after both")
    func twoCuts() async throws {
        let cuts = Locked([100_000, 100_000])
        server.handle("GET", "/file") { request in
            .ranged(count: Self.size, for: request, cut: cuts.withLock { $0.popLast() })
        }
        for _ in 0..<2 { await #expect(throws: TransferError.self) { _ = try await download().value } }
        _ = try await download().value
        #expect(server.requests.map { $0.header("Range") } == [nil, "bytes=100000-", "bytes=200000-"])
        #expect(try Data(contentsOf: file) == LoopbackPattern.data(count: Self.size))
    }

    @Test("A complete file of another download removes the leftover of its destination, and no other")
    func removal() async throws {
        server.handle("GET", "/file") { .ranged(count: Self.size, for: $0) }
        await leave(.standard)
        _ = try folder.file(".other.bin.part", containing: "other")
        _ = try folder.file(".other.bin.part.json", containing: "other")
        #expect(try folder.names.contains(".film.bin.part.json"))
        let dispatcher = FileFaultTests.Engine.standard.dispatcher
        _ = try await dispatcher.downloadFuture(from: server.request("/text"), to: file).value
        #expect(try folder.names == [".other.bin.part", ".other.bin.part.json", "film.bin"])
        // A file of that name alone may be anybody's.
        _ = try folder.file(".film.bin.part", containing: "mine")
        _ = try await dispatcher.downloadFuture(from: server.request("/text"), to: file).value
        #expect(try folder.names.contains(".film.bin.part"))
    }

    @Test("A complete file of another download leaves the file of a running one alone")
    func running() async throws {
        let gate = LoopbackGate(), hasBegun = Gate(), dispatcher = FileFaultTests.Engine.standard.dispatcher
        let headers = [LoopbackHeader("Content-Length", "1000"), LoopbackHeader("ETag", "\"v1\"")]
        server.handle(
            "GET", "/file",
            reply: LoopbackReply(steps: [
                .head(status: 200, headers: headers), .patternRange(0..<500), .gate(gate), .patternRange(500..<1000),
            ]))
        let future = dispatcher.downloadFuture(from: server.request("/file"), to: file, isResumable: true)
            .onUpdate { if $0.progress.bytesReceived == 500 { hasBegun.open() } }
        async let response = future.value
        await hasBegun.opened()
        _ = try await dispatcher.downloadFuture(from: server.request("/text"), to: file).value
        #expect(try folder.names == [".film.bin.part", ".film.bin.part.json", "film.bin"])
        gate.open()
        _ = try await response
        #expect(try Data(contentsOf: file).count == 1000 && folder.names == ["film.bin"])
    }

    @Test("A file whose name has no room for a suffix can't be resumed")
    func longName() async throws {
        let file = folder.file(String(repeating: "f", count: 250))
        _ = try await FileFaultTests.Engine.standard.dispatcher
            .downloadFuture(from: server.request("/text"), to: file, isResumable: true).value
        #expect(file.content?.hasPrefix("Grüße") == true)
    }

    @Test("The file of a running download is locked, so that no other process takes it for a leftover")
    func lock() async throws {
        let gate = LoopbackGate()
        server.handle(
            "GET", "/file",
            reply: LoopbackReply(steps: [
                .head(status: 200, headers: [LoopbackHeader("Content-Length", "1000")]), .patternRange(0..<500),
                .gate(gate), .patternRange(500..<1000),
            ]))
        let hasBegun = Gate()
        let future = FileFaultTests.Engine.standard.dispatcher
            .downloadFuture(from: server.request("/file"), to: file)
            .onUpdate { if $0.progress.bytesReceived == 500 { hasBegun.open() } }
        async let response = future.value
        await hasBegun.opened()
        let name = try #require(try folder.names.first { $0.hasPrefix(".PiuPiu-") })
        let handle = try FileHandle(forUpdating: folder.file(name))
        #expect(flock(handle.fileDescriptor, LOCK_EX | LOCK_NB) != 0)
        try handle.close()
        gate.open()
        _ = try await response
        #expect(try folder.names == ["film.bin"])
    }

    /// What somebody else may put in the place of a file of ours.
    enum Planted: CaseIterable, Sendable {
        case link, hardLink, fifo

        func plant(_ place: URL, target: URL) throws {
            switch self {
            case .link: try FileManager.default.createSymbolicLink(at: place, withDestinationURL: target)
            case .hardLink: try FileManager.default.linkItem(at: target, to: place)
            case .fifo: try #require(mkfifo(place.path(percentEncoded: false), 0o600) == 0)
            }
        }
    }

    @Test(
        "FILES: a link in the place of a leftover is neither followed nor written, and a FIFO blocks nobody",
        arguments: Planted.allCases, [".film.bin.part", ".film.bin.part.json"])
    func planted(planted: Planted, name: String) async throws {
        let other = try folder.file("other", containing: "precious")
        try planted.plant(folder.file(name), target: other)
        server.handle("GET", "/file") { .ranged(count: Self.size, for: $0, cut: 1000) }
        let error = await #expect(throws: FileTransferError.self) {
            _ = try await FileFaultTests.Engine.standard.dispatcher
                .downloadFuture(from: server.request("/file"), to: file, isResumable: true).value
        }
        #expect(error?.kind == .cannotCreate && error?.file.lastPathComponent == name)
        #expect(other.content == "precious")
        #expect(file.content == "old")
        #expect(try folder.names == [name, "film.bin", "other"])
        #expect(server.requests.isEmpty)
    }

    /// Gives a file or a folder to another user.
    private func giveAway(_ place: URL) throws {
        try #require(chown(place.path(percentEncoded: false), 1, 1) == 0)
    }

    @Test(
        "FILES: a file of somebody else in the place of a leftover is left alone", .enabled(if: geteuid() == 0),
        arguments: [".film.bin.part", ".film.bin.part.json"])
    func fileOfSomebodyElse(name: String) async throws {
        let planted = try folder.file(name, containing: "precious")
        try giveAway(planted)
        let error = await #expect(throws: FileTransferError.self) { _ = try await download().value }
        #expect(error?.kind == .cannotCreate && error?.file.lastPathComponent == name)
        #expect(planted.content == "precious" && file.content == "old" && server.requests.isEmpty)
    }

    @Test("A leftover is continued if it belongs to the owner of the folder", .enabled(if: geteuid() == 0))
    func leftoverOfFolderOwner() async throws {
        server.handle("GET", "/file") { .ranged(count: Self.size, for: $0) }
        await leave(.standard)
        for place in [folder.url, folder.file(".film.bin.part"), folder.file(".film.bin.part.json")] {
            try giveAway(place)
        }
        _ = try await download().value
        #expect(server.requests.map { $0.header("Range") } == [nil, "bytes=\(Self.size - 1)-"])
        #expect(try folder.names == ["film.bin"])
    }

    @Test(
        "FILES: a link or a FIFO with the name of a leftover is left alone", arguments: Planted.allCases)
    func plantedAmongLeftovers(planted: Planted) async throws {
        let other = try folder.file("other", containing: "precious")
        let name = ".PiuPiu-\(UUID().uuidString).part"
        try planted.plant(folder.file(name), target: other)
        _ = try await FileFaultTests.Engine.standard.dispatcher
            .downloadFuture(from: server.request("/text"), to: file).value
        #expect(try folder.names == [name, "film.bin", "other"])
        #expect(other.content == "precious")
    }

    @Test("A folder is swept again after many others, as not all of them are remembered")
    func manyFolders() async throws {
        let load = { (place: URL) in
            _ = try await FileFaultTests.Engine.standard.dispatcher
                .downloadFuture(from: server.request("/text"), to: place).value
        }
        try await load(file)
        let name = ".PiuPiu-\(UUID().uuidString).part"
        _ = try folder.file(name, containing: "left")
        for number in 0..<256 {
            let other = folder.url.appending(path: "\(number)", directoryHint: .isDirectory)
            try FileManager.default.createDirectory(at: other, withIntermediateDirectories: false)
            try await load(other.appending(path: "text", directoryHint: .notDirectory))
        }
        try await load(file)
        #expect(try !folder.names.contains(name))
    }

    #if os(Linux)
        @Test("A killed process leaves what its record says, and the next one continues after that", .oneProcessAtATime)
        func killedAndResumed() async throws {
            let size = 20_000_000
            server.handle("GET", "/film") { request in
                let whole = LoopbackReply.ranged(count: size, for: request)
                guard request.header("Range") == nil else { return whole }
                // The download doesn't wait for the callback that kills its process, so it must not end by itself.
                return LoopbackReply(steps: whole.steps.prefix(1) + [.patternRange(0..<13_000_000), .stall])
            }
            let (path, url) = (folder.url.path, server.url("/film").absoluteString)
            await #expect(processExitsWith: .signal(SIGKILL)) {
                [path = path as String, url = url as String] in
                _ = try await FileFaultTests.Engine.standard.dispatcher.downloadFuture(
                    from: ClientProcess.request("", of: url), to: URL(filePath: path).appending(path: "film.bin"),
                    isResumable: true
                ).onUpdate { if $0.progress.bytesReceived > 12_000_000 { kill(getpid(), SIGKILL) } }.valueAndUpdates
            }
            #expect(file.content == "old")
            _ = try await FileFaultTests.Engine.standard.dispatcher
                .downloadFuture(from: server.request("/film"), to: file, isResumable: true).value
            let range = try #require(server.requests.last?.header("Range")?.dropFirst("bytes=".count).dropLast())
            #expect(try #require(Int(range)) >= 8 << 20)
            #expect(try Data(contentsOf: file) == LoopbackPattern.data(count: size))
            #expect(try folder.names == ["film.bin"])
        }
    #endif
}
