#if os(Linux)
    import Foundation
    import FoundationNetworking
    import LoopbackServer
    import PiuPiu
    import TestSupport
    import Testing

    /// They keep both cores and the disk busy for a minute, which is too much beside other tests:
    /// `PIUPIU_LARGE_TRANSFERS=1 MALLOC_ARENA_MAX=1 swift test --filter 'ConstantMemoryTests|NothingLeftTests'`. One
    /// heap, as a thread that finds it busy would get its own, which retains some megabytes.
    private let isAlone = ProcessInfo.processInfo.environment["PIUPIU_LARGE_TRANSFERS"] != nil

    /// Client and server share a process that runs nothing else, so that nothing else counts.
    @Suite("MEMORY: large transfers", .serialized, .enabled(if: isAlone), .timeLimit(.oneProcessAtATime))
    struct ConstantMemoryTests {
        private static let gibibyte = 1 << 30
        /// A transfer takes 1 to 5 MiB with one heap; with several, 26 were seen on a busy machine.
        private static let mayGrowKilobytes = 32 << 10

        @Test("MEMORY: a download of 1 GiB", .oneProcessAtATime)
        func download() async {
            let result = await #expect(processExitsWith: .success, observing: [\.standardErrorContent]) {
                try InheritedSockets.close()
                let server = try LoopbackServer.start()
                let folder = try TemporaryFolder()
                let dispatcher = URLRequestDispatcher(configuration: .ephemeral)
                func load(_ count: Int) async throws {
                    let request = server.request("/bytes/\(count)")
                    _ = try await dispatcher.downloadFuture(from: request, to: folder.file("f")).value
                }
                try await load(10_000_000)
                let before = try ProcessFigures.now().residentKilobytes
                _ = try ProcessFigures.peakKilobytes()
                try await load(Self.gibibyte)
                let growth = try ProcessFigures.peakKilobytes() - before
                say("A download of 1 GiB took \(growth) KiB.")
                try #require(growth < Self.mayGrowKilobytes)
                try #require(try digest(of: folder.file("f")) == LoopbackPattern.digest(count: Self.gibibyte))
            }
            show(result)
        }

        @Test("MEMORY: an upload of 1 GiB from a file", .oneProcessAtATime)
        func upload() async {
            let result = await #expect(processExitsWith: .success, observing: [\.standardErrorContent]) {
                try InheritedSockets.close()
                let server = try LoopbackServer.start()
                let folder = try TemporaryFolder()
                let dispatcher = URLRequestDispatcher(configuration: .ephemeral)
                var request = server.request("/sink")
                request.httpMethod = "POST"
                func send(_ count: Int) async throws -> String? {
                    try write(count, to: folder.file("f"))
                    return try await dispatcher.uploadFuture(from: request, withFile: folder.file("f")).value.data.text
                }
                _ = try await send(20_000_000)
                let before = try ProcessFigures.now().residentKilobytes
                _ = try ProcessFigures.peakKilobytes()
                let answer = try await send(Self.gibibyte)
                let growth = try ProcessFigures.peakKilobytes() - before
                say("An upload of 1 GiB took \(growth) KiB.")
                try #require(growth < Self.mayGrowKilobytes)
                let digest = LoopbackDigest.hexadecimal(LoopbackPattern.digest(count: Self.gibibyte))
                try #require(answer == "{\"count\":\(Self.gibibyte),\"digest\":\"\(digest)\"}")
            }
            show(result)
        }

        @Test("MEMORY: an upload of a form with a file of 1 GiB", .oneProcessAtATime)
        func form() async {
            let result = await #expect(processExitsWith: .success, observing: [\.standardErrorContent]) {
                try InheritedSockets.close()
                let server = try LoopbackServer.start()
                let folder = try TemporaryFolder()
                let dispatcher = URLRequestDispatcher(configuration: .ephemeral)
                let request = URLRequest(url: server.url("/sink"), method: .post)
                func send(_ count: Int) async throws -> Bool {
                    try write(count, to: folder.file("f"))
                    var form = MultipartForm()
                    form.append(text: "one", forName: "first")
                    form.append(file: folder.file("f"), forName: "file")
                    let text = try await dispatcher.uploadFuture(from: request, withForm: form).value.data.text
                    return try text?.hasPrefix("{\"count\":\(form.contentLength()),") == true
                }
                try #require(try await send(20_000_000))
                let before = try ProcessFigures.now().residentKilobytes
                _ = try ProcessFigures.peakKilobytes()
                try #require(try await send(Self.gibibyte))
                let growth = try ProcessFigures.peakKilobytes() - before
                say("An upload of a form with a file of 1 GiB took \(growth) KiB.")
                try #require(growth < Self.mayGrowKilobytes)
            }
            show(result)
        }

        @Test("MEMORY: a stream of 256 MiB that nobody reads until the server can send no more", .oneProcessAtATime)
        func stream() async {
            let result = await #expect(processExitsWith: .success, observing: [\.standardErrorContent]) {
                try InheritedSockets.close()
                let server = try LoopbackServer.start()
                let dispatcher = URLRequestDispatcher(configuration: .ephemeral)
                func read(_ count: Int, waits: Bool = true) async throws -> UInt64 {
                    let length = LoopbackHeader("Content-Length", "\(count)")
                    let head = LoopbackReply.Step.head(status: 200, headers: [length])
                    let reply = LoopbackReply(steps: [head, .countedPattern(count: count)])
                    server.handle("GET", "/large", reply: reply)
                    let body = try await dispatcher.streamFuture(from: server.request("/large")).value.data
                    if waits { try await server.waitUntilSendingPauses(path: "/large") }
                    var digest = LoopbackDigest()
                    for try await chunk in body { chunk.withUnsafeBytes { digest.update($0) } }
                    return digest.value
                }
                _ = try await read(10_000_000, waits: false)
                let before = try ProcessFigures.now().residentKilobytes
                _ = try ProcessFigures.peakKilobytes()
                let digest = try await read(256 << 20)
                let growth = try ProcessFigures.peakKilobytes() - before
                say("A stream of 256 MiB took \(growth) KiB.")
                try #require(growth < Self.mayGrowKilobytes)
                try #require(digest == LoopbackPattern.digest(count: 256 << 20))
            }
            show(result)
        }
    }

    @Suite(
        "VALUE: what is left of dispatchers and requests", .serialized, .enabled(if: isAlone),
        .timeLimit(.oneProcessAtATime))
    struct NothingLeftTests {
        @Test("40,000 requests leave no descriptor, thread or memory behind", .oneProcessAtATime)
        func manyRequests() async {
            let result = await #expect(processExitsWith: .success, observing: [\.standardErrorContent]) {
                try InheritedSockets.close()
                let server = try LoopbackServer.start()
                func send(_ count: Int) async throws {
                    let dispatcher = URLRequestDispatcher(configuration: .ephemeral)
                    try await withThrowingDiscardingTaskGroup { group in
                        for _ in 0..<20 {
                            group.addTask {
                                for index in 0..<(count / 20) {
                                    var request = server.request("/posts/1")
                                    if index % 20 == 0 {
                                        request.httpMethod = "POST"
                                        request.httpBody = Data("{}".utf8)
                                        request.url = server.url("/posts")
                                    }
                                    _ = try await dispatcher.dataFuture(from: request).value
                                }
                            }
                        }
                    }
                }
                try await send(2_000)
                try await server.waitForClosedConnections()
                server.forgetRequests()
                let before = try ProcessFigures.now()
                try await send(40_000)
                try await server.waitForClosedConnections()
                server.forgetRequests()
                let after = try ProcessFigures.now()
                say("Before 40,000 requests \(before), after them \(after).")
                try #require(after.descriptors <= before.descriptors + 8)
                try #require(after.threads <= before.threads + 8)
                try #require(after.residentKilobytes - before.residentKilobytes < 8 << 10)
            }
            show(result)
        }

        @Test("1,000 dispatchers leave no descriptor, thread or memory behind", .oneProcessAtATime)
        func manyDispatchers() async {
            let result = await #expect(processExitsWith: .success, observing: [\.standardErrorContent]) {
                try InheritedSockets.close()
                let server = try LoopbackServer.start()
                let folder = try TemporaryFolder()
                func live(_ count: Int) async throws {
                    for index in 0..<count {
                        let dispatcher = URLRequestDispatcher(configuration: .ephemeral)
                        let request = server.request("/text")
                        switch index % 5 {
                        case 0: break
                        case 1: _ = try await dispatcher.dataFuture(from: request).value
                        case 2: _ = try await dispatcher.downloadFuture(from: request, to: folder.file("f")).value
                        case 3:
                            _ = try await dispatcher.dataFuture(from: request).value
                            dispatcher.invalidateAndCancel()
                        default:
                            var post = server.request("/sink")
                            post.httpMethod = "POST"
                            _ = try await dispatcher.uploadFuture(from: post, with: Data("x".utf8)).value
                            dispatcher.finishTasksAndInvalidate()
                        }
                    }
                    try await server.waitForClosedConnections()
                }
                try await live(200)
                let before = try ProcessFigures.now()
                try await live(1_000)
                let after = try ProcessFigures.now()
                say("Before 1,000 dispatchers \(before), after them \(after).")
                try #require(after.descriptors <= before.descriptors + 8)
                try #require(after.threads <= before.threads + 8)
                try #require(after.residentKilobytes - before.residentKilobytes < 8 << 10)
            }
            show(result)
        }
    }

    /// Written at once, as the process ends right after.
    private func say(_ line: String) {
        FileHandle.standardError.write(Data((line + "\n").utf8))
    }

    /// Shows what the process had to say.
    private func show(_ result: ExitTest.Result?) {
        print(String(decoding: result?.standardErrorContent ?? [], as: UTF8.self))
    }

    /// The digest of a file of any size.
    private func digest(of file: URL) throws -> UInt64 {
        let handle = try FileHandle(forReadingFrom: file)
        defer { try? handle.close() }
        var digest = LoopbackDigest()
        while let part = try handle.read(upToCount: 1 << 20), !part.isEmpty {
            part.withUnsafeBytes { digest.update($0) }
        }
        return digest.value
    }

    /// Writes the pattern of the server to a file.
    private func write(_ count: Int, to file: URL) throws {
        try Data().write(to: file)
        let handle = try FileHandle(forWritingTo: file)
        defer { try? handle.close() }
        for start in stride(from: 0, to: count, by: 1 << 20) {
            try handle.write(contentsOf: LoopbackPattern.data(in: start..<min(start + (1 << 20), count)))
        }
    }
#endif
