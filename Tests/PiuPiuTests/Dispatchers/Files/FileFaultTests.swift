import Foundation
import LoopbackServer
import PiuPiu
import TestSupport
import Testing

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// Answers of which no file can be made, and files that were damaged on the disk.
@Suite("FILES: faults of servers and of disks", .timeLimit(.oneProcessAtATime))
struct FileFaultTests {
    private static let size = 300_000
    private static let cut = 100_000

    private let server: LoopbackServer
    private let folder: TemporaryFolder
    private let file: URL

    init() throws {
        server = try LoopbackServer.start()
        folder = try TemporaryFolder()
        file = try folder.file("film.bin", containing: "old")
    }

    enum Engine: CaseIterable, Sendable {
        case standard, urlSession

        var dispatcher: URLRequestDispatcher { dispatcher(nil) }

        func dispatcher(_ adapter: (any ResponseAdapter)?) -> URLRequestDispatcher {
            switch self {
            case .standard: URLRequestDispatcher(configuration: .ephemeral, responseAdapter: adapter)
            case .urlSession: URLRequestDispatcher(engine: .urlSession(.ephemeral), responseAdapter: adapter)
            }
        }
    }

    private static let replies: [(LoopbackReply, FileAnswerError)] = [
        (.gzip(LoopbackPattern.data(count: 5_000)), .coded("gzip")),
        (
            .response(headers: [LoopbackHeader("Content-Encoding", "x-unknown")], body: Data(count: 9)),
            .coded("x-unknown")
        ),
        (.response(206, headers: [LoopbackHeader("Content-Range", "bytes 0-8/20")], body: Data(count: 9)), .partial),
        (
            .response(200, headers: [LoopbackHeader("Content-Range", "bytes 0-8/20")], body: Data(count: 9)),
            .contradictory
        ),
    ]

    @Test("What is coded, a part, or contradicts itself, is an error and no file", arguments: Engine.allCases, 0..<4)
    func unfit(engine: Engine, index: Int) async throws {
        let (reply, expected) = Self.replies[index]
        server.handle("GET", "/file", reply: reply)
        for isResumable in [false, true] {
            let error = await #expect(throws: TransferError.self) {
                _ = try await engine.dispatcher
                    .downloadFuture(from: server.request("/file"), to: file, isResumable: isResumable).value
            }
            #expect(error?.kind == .badResponse && error?.url == server.url("/file"))
            #expect(error?.underlyingError as? FileAnswerError == expected)
            #expect(file.content == "old")
            #expect(try folder.names == ["film.bin"])
        }
        #expect(server.requests.allSatisfy { $0.header("Accept-Encoding") == "identity" })
    }

    @Test("Lengths that are no numbers, differ, or are not kept to, are errors", arguments: Engine.allCases)
    func lengths(engine: Engine) async throws {
        let bodies = Data(count: 10)
        func reply(_ headers: [LoopbackHeader], _ rest: LoopbackReply.Step...) -> LoopbackReply {
            LoopbackReply(steps: [.head(status: 200, headers: headers), .body(bodies)] + rest + [.close])
        }
        let length = { LoopbackHeader("Content-Length", $0) }
        for wrong in [
            reply([length("ten")]), reply([length("10"), length("11")]), reply([length("-10")]), reply([length("11")]),
            reply([length("0x0A")]), reply([length("10, 11")]), reply([length("9223372036854775808")]),
        ] {
            server.handle("GET", "/file", reply: wrong)
            for isResumable in [false, true] {
                await #expect(throws: TransferError.self, "\(wrong)") {
                    _ = try await engine.dispatcher
                        .downloadFuture(from: server.request("/file"), to: file, isResumable: isResumable).value
                }
                #expect(file.content == "old")
                #expect(try folder.names == ["film.bin"])
            }
        }
    }

    @Test("A part that the caller asked for is a file; one of another length is none", arguments: Engine.allCases)
    func callersRange(engine: Engine) async throws {
        server.handle("GET", "/file") { .ranged(count: Self.size, for: $0) }
        var request = server.request("/file")
        request.setValue("bytes=100-199", forHTTPHeaderField: "Range")
        _ = try await engine.dispatcher.downloadFuture(from: request, to: file).value
        #expect(try Data(contentsOf: file) == LoopbackPattern.data(in: 100..<200))
        let range = LoopbackHeader("Content-Range", "bytes 100-199/300")
        // Without a length of its own, the range says how much there is to come.
        for (count, kind) in [(99, TransferError.Kind.truncated), (101, .badResponse)] {
            let chunked = LoopbackHeader("Transfer-Encoding", "chunked")
            server.handle(
                "GET", "/file",
                reply: LoopbackReply(steps: [
                    .head(status: 206, headers: [range, chunked]), .patternChunk(count: count),
                    .lastChunk(trailers: []),
                ]))
            let error = await #expect(throws: TransferError.self) {
                _ = try await engine.dispatcher.downloadFuture(from: request, to: file).value
            }
            #expect(error?.kind == kind)
            #expect(try folder.names == ["film.bin"])
        }
        #expect(try Data(contentsOf: file) == LoopbackPattern.data(in: 100..<200))
    }

    // MARK: Damage

    /// Serves the file, the first time cut off.
    private func interrupt(_ dispatcher: URLRequestDispatcher) async throws {
        let isFirst = Locked(true)
        server.handle("GET", "/file") { request in
            let cut: Int? = isFirst.withLock { isFirst in
                defer { isFirst = false }
                return isFirst ? Self.cut : nil
            }
            return .ranged(count: Self.size, for: request, cut: cut)
        }
        await #expect(throws: TransferError.self) {
            _ = try await dispatcher.downloadFuture(from: server.request("/file"), to: file, isResumable: true).value
        }
    }

    enum Damage: CaseIterable, Sendable {
        case none, firstByte, lastByte, shorter, longer, empty

        func apply(to part: URL) throws {
            var bytes = try Data(contentsOf: part)
            switch self {
            case .none: break
            case .firstByte: bytes[0] ^= 1
            case .lastByte: bytes[bytes.count - 1] ^= 0x80
            case .shorter: bytes.removeLast()
            case .longer: bytes.append(contentsOf: [1, 2, 3])
            case .empty: bytes = Data()
            }
            try bytes.write(to: part)
        }
    }

    @Test("A leftover that was damaged on the disk is noticed, and loaded anew", arguments: Damage.allCases)
    func damage(damage: Damage) async throws {
        let dispatcher = Engine.standard.dispatcher
        try await interrupt(dispatcher)
        try damage.apply(to: folder.file(".film.bin.part"))
        _ = try await dispatcher.downloadFuture(from: server.request("/file"), to: file, isResumable: true).value
        #expect(try Data(contentsOf: file) == LoopbackPattern.data(count: Self.size))
        #expect(try folder.names == ["film.bin"])
        // What came after the last record was written counts for nothing, and does no harm.
        let isKept = [.none, .longer].contains(damage)
        #expect(server.requests.last?.header("Range") == (isKept ? "bytes=\(Self.cut)-" : nil))
    }

    @Test("A whole that has another length than it had is loaded anew")
    func otherTotal() async throws {
        let dispatcher = Engine.standard.dispatcher
        try await interrupt(dispatcher)
        server.handle("GET", "/file") { .ranged(count: Self.size + 7, for: $0) }
        _ = try await dispatcher.downloadFuture(from: server.request("/file"), to: file, isResumable: true).value
        #expect(try Data(contentsOf: file) == LoopbackPattern.data(count: Self.size + 7))
    }

    // MARK: Leftovers

    @Test("What an ended process has left is removed, and what somebody still writes is not")
    func leftovers() async throws {
        let names = (0..<3).map { _ in ".PiuPiu-\(UUID().uuidString).part" }
        for name in names { _ = try folder.file(name, containing: "left") }
        let others = [".PiuPiu-notes.part", ".PiuPiu-\(UUID().uuidString).txt"]
        for name in others { _ = try folder.file(name, containing: "mine") }
        let held = try FileHandle(forWritingTo: folder.file(names[2]))
        try #require(flock(held.fileDescriptor, LOCK_EX | LOCK_NB) == 0)
        _ = try await Engine.standard.dispatcher.downloadFuture(from: server.request("/text"), to: file).value
        #expect(try folder.names == (others + [names[2], "film.bin"]).sorted())
        try held.close()
    }

    #if os(Linux)
        @Test(
            "An upload that was spooled leaves nothing, and removes what an ended process has left", .oneProcessAtATime)
        func spool() async throws {
            _ = try folder.file(".PiuPiu-\(UUID().uuidString).upload", containing: "left")
            let (folder, url) = (folder.url.path, server.url("/sink").absoluteString)
            await #expect(processExitsWith: .success) {
                [folder = folder as String, url = url as String] in
                setenv("TMPDIR", folder, 1)
                let chunks = AsyncStream { stream in
                    for _ in 0..<10 { stream.yield(Data(count: 1 << 20)) }
                    stream.finish()
                }
                var request = try ClientProcess.request("", of: url)
                request.httpMethod = "POST"
                let response = try await Engine.urlSession.dispatcher
                    .uploadFuture(from: request, with: .chunks(TransferChunks(chunks))).value
                let text = String(decoding: response.data ?? Data(), as: UTF8.self)
                try #require(text.contains("10485760"))
            }
            #expect(try self.folder.names == ["film.bin"])
        }

        @Test(
            "FILES: a process that is killed leaves the old file or the new one, and nothing after the next start",
            .oneProcessAtATime)
        func killed() async throws {
            let rounds = ProcessInfo.processInfo.environment["PIUPIU_KILLS"].flatMap { Int($0) } ?? 6
            var generator = SeededGenerator(seed: 11)
            // More than the 8 MiB after which there is a record of them, so that some rounds resume what the last has left.
            let size = 12_000_000
            server.handle("GET", "/film") { .ranged(count: size, for: $0) }
            let whole = LoopbackPattern.data(count: size), old = Data("old".utf8)
            let other = try folder.file("other.bin", containing: "old")
            let (path, url) = (folder.url.path, server.url("/film").absoluteString)
            var delays = (0..<rounds).map { _ in Int.random(in: 0..<150_000, using: &generator) }
            // On a busy machine nothing may be sent before the first of these.
            delays += [2_000_000, 20_000_000]
            for (round, microseconds) in delays.enumerated() where round < rounds || server.requestCount() == 0 {
                await #expect(processExitsWith: .signal(SIGKILL)) {
                    [path = path as String, url = url as String, microseconds = microseconds as Int] in
                    try await Self.downloadUntilKilled(path, url, after: microseconds)
                }
                for file in [file, other] {
                    let content = try Data(contentsOf: file)
                    #expect(content == whole || content == old, "\(file.lastPathComponent): \(content.count) bytes")
                }
            }
            #expect(server.requestCount() > 0)
            let resumed = server.requests.count { $0.header("Range") != nil }
            print("\(rounds) kills, \(server.requests.count) downloads, \(resumed) of them resumed")
            let request = server.request("/film"), dispatcher = Engine.standard.dispatcher
            _ = try await dispatcher.downloadFuture(from: request, to: file, isResumable: true).value
            _ = try await dispatcher.downloadFuture(from: request, to: other).value
            #expect(try Data(contentsOf: file) == whole)
            #expect(try Data(contentsOf: other) == whole)
            #expect(try folder.names == ["film.bin", "other.bin"])
        }

        private static func downloadUntilKilled(_ path: String, _ url: String, after microseconds: Int) async throws {
            let folder = URL(filePath: path), dispatcher = Engine.standard.dispatcher
            let request = try ClientProcess.request("", of: url)
            DispatchQueue.global().asyncAfter(deadline: .now() + .microseconds(microseconds)) {
                kill(getpid(), SIGKILL)
            }
            while true {
                async let plain = dispatcher.downloadFuture(from: request, to: folder.appending(path: "other.bin"))
                    .value
                _ =
                    try await dispatcher
                    .downloadFuture(from: request, to: folder.appending(path: "film.bin"), isResumable: true).value
                _ = try await plain
            }
        }
    #endif

    // MARK: Cancellation

    @Test("FILES, PROMPT: after a cancelled await nothing happens to the file any more", arguments: [false, true])
    func lateMove(isResumable: Bool) async throws {
        let seed = UInt64.random(in: 0 ... .max)
        var generator = SeededGenerator(seed: seed)
        let adapters = Population()
        var cancelled: [URL] = []
        do {
            let dispatcher = URLRequestDispatcher(
                configuration: .ephemeral, responseAdapter: CountedAdapter(member: adapters.member()))
            for round in 0..<100 {
                let file = folder.file("\(round)")
                let future = dispatcher.downloadFuture(
                    from: server.request("/bytes/200000"), to: file, isResumable: isResumable)
                let microseconds = Int.random(in: 0..<6_000, using: &generator)
                DispatchQueue.global().asyncAfter(deadline: .now() + .microseconds(microseconds)) { future.cancel() }
                do {
                    _ = try await future.value
                    continue
                } catch is CancellationError {}
                try Data("mine".utf8).write(to: file)
                cancelled.append(file)
            }
        }
        await adapters.extinct()
        #expect(!cancelled.isEmpty, "seed \(seed)")
        for file in cancelled { #expect(file.content == "mine", "seed \(seed), \(file.lastPathComponent)") }
    }

    private struct CountedAdapter: ResponseAdapter {
        let member: Population.Member
        func adapt(_ urlResponse: URLResponse, for urlRequest: URLRequest) async throws -> URLResponse { urlResponse }
    }
}
