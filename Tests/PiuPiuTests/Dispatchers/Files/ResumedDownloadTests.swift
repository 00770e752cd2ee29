import Foundation
import LoopbackServer
import PiuPiu
import TestSupport
import Testing

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

@Suite("Downloads that are resumed", .timeLimit(.oneProcessAtATime))
struct ResumedDownloadTests {
    private static let size = 300_000
    private static let cut = 100_000

    private let server: LoopbackServer
    private let dispatcher = URLRequestDispatcher(configuration: .ephemeral)
    private let folder: TemporaryFolder
    private let file: URL

    init() throws {
        server = try LoopbackServer.start()
        folder = try TemporaryFolder()
        file = try folder.file("film.bin", containing: "old")
    }

    /// Serves the file at `/file`, the first time cut off, and the second time as `later` says.
    private func serve(
        _ validator: LoopbackValidator, later: LoopbackValidator? = nil, isResumable: Bool = true
    ) {
        let isFirst = Locked(true)
        server.handle("GET", "/file") { request in
            let first = isFirst.withLock { isFirst in
                defer { isFirst = false }
                return isFirst
            }
            return .ranged(
                count: Self.size, for: request, validator: first ? validator : later ?? validator,
                cut: first ? Self.cut : nil, isResumable: isResumable)
        }
    }

    private func download() -> ResponseFuture<Response<URL>> {
        dispatcher.downloadFuture(from: server.request("/file"), to: file, isResumable: true)
    }

    /// A download that is cut off, which leaves the old file and what has arrived.
    private func interrupted() async throws {
        let error = await #expect(throws: TransferError.self) { _ = try await download().value }
        #expect(error?.kind == .truncated)
        #expect(file.content == "old")
    }

    private func expectWholeFile() throws {
        #expect(try Data(contentsOf: file) == LoopbackPattern.data(count: Self.size))
        #expect(try folder.names == ["film.bin"])
    }

    private var ranges: [String?] { server.requests(path: "/file").map { $0.header("Range") } }

    @Test(
        "What is missing is asked for by a range, as long as the file is the same",
        arguments: [
            LoopbackValidator.entityTag("v1"), .lastModified("Sat, 01 Jan 2000 00:00:00 GMT"),
        ])
    func resumption(validator: LoopbackValidator) async throws {
        serve(validator)
        try await interrupted()
        #expect(try folder.names == [".film.bin.part", ".film.bin.part.json", "film.bin"])
        let (response, updates) = try await download().makeHTTPResponse().valueAndUpdates
        #expect(response.statusCode == .partialContent)
        try expectWholeFile()
        #expect(ranges == [nil, "bytes=\(Self.cut)-"])
        // The progress is that of the whole file.
        let head = updates.first { $0.stage == .responded }
        #expect(head?.progress.bytesReceived == Int64(Self.cut))
        #expect(updates.last?.progress.bytesReceived == Int64(Self.size))
        #expect(updates.last?.percentRecieved == 1)
    }

    @Test("A file that has changed is loaded from its beginning")
    func changedFile() async throws {
        serve(.entityTag("v1"), later: .entityTag("v2"))
        try await interrupted()
        let response = try await download().makeHTTPResponse().value
        #expect(response.statusCode == .ok)
        try expectWholeFile()
        #expect(server.requests(path: "/file").last?.header("If-Range") == "\"v1\"")
    }

    @Test(
        "Nothing is kept that can't be resumed safely",
        arguments: [
            LoopbackValidator.none, .entityTag("v1", isWeak: true),
        ])
    func noSafeValidator(validator: LoopbackValidator) async throws {
        serve(validator)
        try await interrupted()
        #expect(try folder.names == ["film.bin"])
        _ = try await download().value
        try expectWholeFile()
        #expect(ranges == [nil, nil])
    }

    @Test("A server that ignores ranges sends the whole file")
    func ignoredRange() async throws {
        serve(.entityTag("v1"), isResumable: false)
        try await interrupted()
        _ = try await download().value
        try expectWholeFile()
    }

    @Test(
        "What doesn't fit the file of the server is loaded anew",
        arguments: [
            (416, [:]), (206, ["Content-Range": "bytes 5-9/10"]), (206, [:]),
            (206, ["Content-Range": "bytes 100000-299999/300000", "ETag": "\"v3\""]),
            // A server may send less than was asked for; that would be half a file.
            (206, ["Content-Range": "bytes 100000-100004/300000"]), (206, ["Content-Range": "bytes 100000-100004/*"]),
            (206, ["Content-Range": "bytes 100000-"]),
            // The lengths contradict each other, for the rest or for the whole.
            (206, ["Content-Range": "bytes 100000-299999/300000", "ETag": "\"v1\""]),
            (200, ["Content-Range": "bytes 100000-299999/300000"]), (206, ["Content-Encoding": "gzip"]),
        ] as [(Int, [String: String])])
    func staleLeftover(status: Int, headers: [String: String]) async throws {
        serve(.entityTag("v1"))
        try await interrupted()
        server.handle("GET", "/file") { request in
            guard request.header("Range") != nil else {
                return .response(body: LoopbackPattern.data(count: Self.size))
            }
            return .response(
                status, headers: headers.map { LoopbackHeader($0.key, $0.value) }, body: Data(count: 5))
        }
        let response = try await download().makeHTTPResponse().value
        #expect(response.statusCode == .ok)
        try expectWholeFile()
    }

    @Test("A failure that is no answer to the range keeps what is there for another time")
    func failureInBetween() async throws {
        serve(.entityTag("v1"))
        try await interrupted()
        server.handle("GET", "/file", reply: .text("busy", status: 503))
        #expect(try await download().makeHTTPResponse().value.statusCode == .serviceUnavailable)
        server.handle("GET", "/file", reply: .reset)
        await #expect(throws: TransferError.self) { _ = try await download().value }
        server.handle("GET", "/file") { .ranged(count: Self.size, for: $0, validator: .entityTag("v1"), cut: nil) }
        _ = try await download().value
        try expectWholeFile()
        #expect(ranges.last == "bytes=\(Self.cut)-")
    }

    #if os(Linux)
        /// Copies of this process's descriptors of a file, such as a process has that is being started.
        private func copiedDescriptors(of name: String) -> [FileHandle] {
            let path = folder.file(name).resolvingSymlinksInPath().path
            let originals = (3..<min(getdtablesize(), 65_536)).filter { descriptor in
                path == (try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/fd/\(descriptor)"))
            }
            return originals.map { FileHandle(fileDescriptor: fcntl($0, F_DUPFD_CLOEXEC, 0), closeOnDealloc: true) }
        }

        @Test("FILES: a process that is started meanwhile, and has the descriptor, doesn't hold the leftover back")
        func copiedDescriptor() async throws {
            serve(.entityTag("v1"))
            try await interrupted()
            let copies = Locked<[FileHandle]>([])
            server.handle("GET", "/file") { _ in
                copies.withLock { $0 = copiedDescriptors(of: ".film.bin.part") }
                return .text("busy", status: 503)
            }
            #expect(try await download().makeHTTPResponse().value.statusCode == .serviceUnavailable)
            #expect(copies.withLock { $0.count } == 1)
            server.handle("GET", "/file") { .ranged(count: Self.size, for: $0, validator: .entityTag("v1"), cut: nil) }
            _ = try await download().value
            try expectWholeFile()
            #expect(ranges.last == "bytes=\(Self.cut)-")
            try copies.withLock { copies in for copy in copies { try copy.close() } }
        }
    #endif

    @Test("What was left of another URL is no use")
    func anotherURL() async throws {
        serve(.entityTag("v1"))
        try await interrupted()
        let other = server.request("/text")
        _ = try await dispatcher.downloadFuture(from: other, to: file, isResumable: true).value
        #expect(server.requests(path: "/text").first?.header("Range") == nil)
        #expect(file.content?.hasPrefix("Grüße") == true)
        #expect(try folder.names == ["film.bin"])
    }

    @Test("A record that can't be read, or without its file, is no harm", arguments: [true, false])
    func brokenLeftover(breaksRecord: Bool) async throws {
        serve(.entityTag("v1"))
        try await interrupted()
        let broken = folder.file(breaksRecord ? ".film.bin.part.json" : ".film.bin.part")
        if breaksRecord {
            try Data("nonsense".utf8).write(to: broken)
        } else {
            try FileManager.default.removeItem(at: broken)
        }
        _ = try await download().value
        try expectWholeFile()
        #expect(ranges == [nil, nil])
    }

    @Test("Two resumable downloads to one place don't write into one file")
    func twoAtOnce() async throws {
        let gate = LoopbackGate()
        server.handle("GET", "/file") { request in
            let reply = LoopbackReply.ranged(
                count: Self.size, for: request, validator: .entityTag("v1"), cut: nil)
            return LoopbackReply(steps: reply.steps.prefix(1) + [.gate(gate)] + reply.steps.dropFirst())
        }
        async let first = download().value
        async let second = download().value
        try await gate.waitForArrivals(2)
        gate.open()
        _ = try await (first, second)
        try expectWholeFile()
    }

    @Test("A cancelled download is resumed")
    func cancellation() async throws {
        let gate = LoopbackGate()
        server.handle("GET", "/file") { request in
            let whole = LoopbackReply.ranged(count: Self.size, for: request, validator: .entityTag("v1"), cut: nil)
            guard !gate.isOpen else { return whole }
            return LoopbackReply(
                steps: whole.steps.prefix(1) + [.patternRange(0..<Self.cut), .gate(gate)])
        }
        let adapters = Population()
        try await cancelledDownload(adapters)
        await adapters.extinct()
        gate.open()
        _ = try await download().value
        try expectWholeFile()
        #expect(ranges.last != .some(nil))
    }

    private func cancelledDownload(_ adapters: Population) async throws {
        struct CountedAdapter: ResponseAdapter {
            let member: Population.Member
            func adapt(_ urlResponse: URLResponse, for urlRequest: URLRequest) async throws -> URLResponse {
                urlResponse
            }
        }
        let dispatcher = URLRequestDispatcher(
            configuration: .ephemeral, responseAdapter: CountedAdapter(member: adapters.member()))
        let hasAll = Gate()
        let future = dispatcher.downloadFuture(
            from: server.request("/file"), to: file, isResumable: true
        ).onUpdate { if $0.progress.bytesReceived == Int64(Self.cut) { hasAll.open() } }
        let task = Task { try await future.value }
        await hasAll.opened()
        task.cancel()
        await #expect(throws: CancellationError.self) { _ = try await task.value }
    }

    @Test("Only a plain GET is resumed")
    func otherRequests() async throws {
        server.handle("*", "/file") { .ranged(count: Self.size, for: $0, validator: .entityTag("v1"), cut: Self.cut) }
        var post = server.request("/file")
        post.httpMethod = "POST"
        var ranged = server.request("/file")
        ranged.setValue("bytes=5-", forHTTPHeaderField: "Range")
        for request in [post, ranged] {
            await #expect(throws: TransferError.self) {
                _ = try await dispatcher.downloadFuture(from: request, to: file, isResumable: true).value
            }
            #expect(try folder.names == ["film.bin"])
        }
    }

    @Test("A download that is redirected is resumed as well")
    func redirect() async throws {
        serve(.entityTag("v1"))
        let request = server.request("/redirect-to?url=/file")
        let download = { dispatcher.downloadFuture(from: request, to: file, isResumable: true) }
        await #expect(throws: TransferError.self) { _ = try await download().value }
        _ = try await download().value
        try expectWholeFile()
        #expect(ranges == [nil, "bytes=\(Self.cut)-"])
    }

    @Test(
        "RFC 9110, 5.6.7: a date in an old form is a validator too, and asked for in the form that is left",
        arguments: [
            ("Saturday, 01-Jan-00 00:00:00 GMT", true), ("Sat Jan  1 00:00:00 2000", true),
            ("Sat, 01 Jan 2000 00:00:00 CET", false), ("soon", false),
        ])
    func oldDate(date: String, isOne: Bool) async throws {
        serve(.lastModified(date), later: .lastModified("Sat, 01 Jan 2000 00:00:00 GMT"))
        try await interrupted()
        _ = try await download().value
        try expectWholeFile()
        #expect(ranges == [nil, isOne ? "bytes=\(Self.cut)-" : nil])
    }

    @Test("FILES: a file that can't be moved to its destination is kept with its record, and resumed")
    func failedMove() async throws {
        try FileManager.default.removeItem(at: file)
        let gate = LoopbackGate(), range = 0..<Self.cut, size = Self.size
        server.handle("GET", "/file") { request in
            guard request.header("Range") == nil else { return .ranged(count: size, for: request) }
            let length = LoopbackHeader("Content-Length", "\(size)"), tag = LoopbackHeader("ETag", "\"v1\"")
            return LoopbackReply(steps: [
                .head(status: 200, headers: [length, tag]), .patternRange(range), .gate(gate),
                .patternRange(range.upperBound..<size),
            ])
        }
        let future = download(), hasBegun = Gate()
        future.onUpdate { if $0.stage == .received { hasBegun.open() } }.send()
        await hasBegun.opened()
        try FileManager.default.createDirectory(at: file, withIntermediateDirectories: false)
        gate.open()
        let error = await #expect(throws: FileTransferError.self) { _ = try await future.value }
        #expect(error?.kind == .cannotMove)
        #expect(try folder.names == [".film.bin.part", ".film.bin.part.json", "film.bin"])
        try FileManager.default.removeItem(at: file)
        _ = try await download().value
        try expectWholeFile()
        #expect(ranges == [nil, "bytes=\(size - 1)-"])
    }

    @Test("More than was announced makes no file, and nothing of it is kept")
    func tooMuch() async throws {
        let tag = LoopbackHeader("ETag", "\"v1\""), range = LoopbackHeader("Content-Range", "bytes 0-99/100")
        server.handle(
            "GET", "/file",
            reply: LoopbackReply(steps: [
                .head(status: 200, headers: [tag, range, LoopbackHeader("Transfer-Encoding", "chunked")]),
                .patternChunk(count: 50), .patternChunk(count: 100), .lastChunk(trailers: []),
            ]))
        _ = await download().result
        #expect(try folder.names == ["film.bin"])
    }

    #if os(Linux)
        @Test("FILES: after a full disk what was written is kept, and the rest is asked for", .oneProcessAtATime)
        func fullDisk() async {
            await #expect(processExitsWith: .success) {
                try InheritedSockets.close()
                // A limit on the size of files acts like a full disk.
                signal(SIGXFSZ, SIG_IGN)
                var limit = rlimit()
                guard getrlimit(__rlimit_resource_t(1), &limit) == 0 else { exit(2) }
                limit.rlim_cur = 150_000
                guard setrlimit(__rlimit_resource_t(1), &limit) == 0 else { exit(3) }
                let server = try LoopbackServer.start(), folder = try TemporaryFolder(), file = folder.file("film.bin")
                server.handle("GET", "/file") { .ranged(count: 300_000, for: $0, validator: .entityTag("v1")) }
                let dispatcher = URLRequestDispatcher(configuration: .ephemeral)
                func download() -> ResponseFuture<Response<URL>> {
                    dispatcher.downloadFuture(from: server.request("/file"), to: file, isResumable: true)
                }
                do {
                    _ = try await download().value
                    exit(4)
                } catch let error as FileTransferError {
                    try #require(error.kind == .cannotWrite)
                }
                limit.rlim_cur = limit.rlim_max
                guard setrlimit(__rlimit_resource_t(1), &limit) == 0 else { exit(5) }
                _ = try await download().value
                try #require(try Data(contentsOf: file) == LoopbackPattern.data(count: 300_000))
                try #require(server.requests(path: "/file").last?.header("Range") != nil)
            }
        }
    #endif
}
