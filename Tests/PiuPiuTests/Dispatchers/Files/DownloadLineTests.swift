import Foundation
import LoopbackServer
import PiuPiu
import PiuPiuTesting
import TestSupport
import Testing

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

@Suite("The line of resumable downloads", .timeLimit(.oneProcessAtATime))
struct DownloadLineTests {
    /// The exchanges of an engine without limits: each ends when the test has released it, in the order of arrival.
    private struct Exchanges: Sendable {
        private let arrived = Watched<[String]>([])
        private let released = Watched(0)

        /// The paths of those that have arrived, in order.
        var paths: [String] { arrived.withLock { $0 } }

        func wait(for count: Int) async { await arrived.wait { $0.count >= count } }

        /// Releases the first ones.
        func release(_ count: Int) { released.withLock { $0 = count } }

        var engine: ClosureEngine<AsyncStream<Data>> {
            ClosureEngine { request, _ in
                let path = request.urlRequest.url?.path() ?? ""
                let number = arrived.withLock { paths in
                    paths.append(path)
                    return paths.count
                }
                await released.wait { $0 >= number }
                return AsyncStream<Data> { $0.finish() }
            }
        }
    }

    /// Notes the requests that are about to get into the line.
    private struct Noting: RequestAdapter {
        let log: EventLog

        func adapt(_ urlRequest: URLRequest) async throws -> URLRequest {
            log(urlRequest.url?.path() ?? "")
            return urlRequest
        }
    }

    private let folder: TemporaryFolder
    private let exchanges = Exchanges()
    private let log = EventLog()

    init() throws { folder = try TemporaryFolder() }

    private func makeDispatcher(slots: Int, _ adapter: (any ResponseAdapter)? = nil) -> URLRequestDispatcher {
        var dispatcher = URLRequestDispatcher(
            engine: exchanges.engine, requestAdapter: Noting(log: log), responseAdapter: adapter)
        dispatcher.downloadLine = DownloadLine(TransferSlots(total: slots))
        return dispatcher
    }

    private func download(
        _ path: String, to name: String? = nil, by dispatcher: some DownloadDispatcher
    ) throws -> ResponseFuture<Response<URL>> {
        let request = URLRequest(url: try url("http://host/\(path)"))
        return dispatcher.downloadFuture(from: request, to: folder.file(name ?? path), isResumable: true)
    }

    @Test("No more of them than there are slots have their files open, and all end", arguments: [1, 3])
    func openFiles(slots: Int) async throws {
        let dispatcher = makeDispatcher(slots: slots), count = 40
        let futures = try (0..<count).map { try download("\($0)", by: dispatcher) }
        for future in futures { future.start() }
        await log.wait(for: count)
        for ended in 0..<count {
            await exchanges.wait(for: min(ended + slots, count))
            let leftovers = try folder.names.filter { $0.hasSuffix(".part") }
            #expect(leftovers.count <= slots && exchanges.paths.count <= ended + slots)
            exchanges.release(ended + 1)
        }
        for future in futures { _ = try await future.value }
        #expect(try folder.names.count == count)
    }

    @Test("PROMPT: a cancelled download leaves the line, and its place to the next one, while others go on")
    func cancellation() async throws {
        let dispatcher = makeDispatcher(slots: 1), first = try download("first", by: dispatcher)
        first.start()
        await exchanges.wait(for: 1)
        let cancelled = try download("cancelled", to: "film", by: dispatcher)
        cancelled.start()
        await log.wait(for: 2)
        cancelled.cancel()
        let next = try download("next", to: "film", by: dispatcher)
        next.start()
        await log.wait(for: 3)
        exchanges.release(1)
        await exchanges.wait(for: 2)
        exchanges.release(2)
        _ = try await (first.value, next.value)
        #expect(exchanges.paths == ["/first", "/next"])
        #expect(try folder.names == ["film", "first"])
    }

    @Test("A cancelled task leaves the line before its turn, and loses no slot")
    func leaving() async throws {
        let line = DownloadLine(TransferSlots(total: 1)), gate = Gate(), log = log
        let first = Task { try await line.hold(for: "a") { _ in await gate.pass() } }
        await gate.reached()
        let cancelled = Task { try await line.hold(for: "a") { _ in log("cancelled") } }
        cancelled.cancel()
        await #expect(throws: CancellationError.self) { try await cancelled.value }
        let last = Task { try await line.hold(for: "a") { _ in log("last") } }
        #expect(log.events.isEmpty)
        gate.open()
        try await first.value
        try await last.value
        #expect(log.events == ["last"])
    }

    @Test("A download beside one to the same place, which waits in the line, isn't resumable and doesn't wait")
    func beside() async throws {
        let dispatcher = makeDispatcher(slots: 1), first = try download("first", by: dispatcher)
        first.start()
        await exchanges.wait(for: 1)
        let waiting = try download("waiting", to: "film", by: dispatcher)
        waiting.start()
        // The first of the two to come waits, and the other one begins at once.
        let other = try download("other", to: "film", by: dispatcher)
        other.start()
        await exchanges.wait(for: 2)
        #expect(try folder.names == [".first.part", ".first.part.json"])
        exchanges.release(3)
        _ = try await (first.value, waiting.value, other.value)
        #expect(try folder.names == ["film", "first"])
    }

    @Test("D2 PROMPT: a deadline ends a download that waits in the line, and nothing is sent")
    func deadline() async throws {
        let clock = ManualClock(), dispatcher = makeDispatcher(slots: 1), first = try download("first", by: dispatcher)
        first.start()
        await exchanges.wait(for: 1)
        let late = try download("late", by: dispatcher.deadline(.seconds(5), clock: clock))
        late.start()
        await log.wait(for: 2)
        await clock.sleepers()
        clock.advance(by: .seconds(5))
        let error = await #expect(throws: DeadlineExceeded.self) { _ = try await late.value }
        #expect(error?.stage == .waiting)
        exchanges.release(1)
        _ = try await first.value
        #expect(exchanges.paths == ["/first"])
    }

    /// Loads another file before the first one is complete.
    private struct Following: ResponseAdapter {
        let dispatcher: URLRequestDispatcher
        let file: URL

        func adapt(_ urlResponse: URLResponse, for urlRequest: URLRequest) async throws -> URLResponse {
            _ = try await dispatcher.downloadFuture(from: urlRequest, to: file, isResumable: true).value
            return urlResponse
        }
    }

    @Test(
        "NEVER-HANG: a response adapter may wait for another download, as a slot is lent during its work",
        arguments: ["second", "first"])
    func waitingAdapter(file: String) async throws {
        let plain = makeDispatcher(slots: 1)
        var dispatcher = makeDispatcher(slots: 1, Following(dispatcher: plain, file: folder.file(file)))
        dispatcher.downloadLine = plain.downloadLine
        exchanges.release(2)
        _ = try await download("first", by: dispatcher).value
        #expect(try folder.names == Set(["first", file]).sorted())
    }

    @Test(
        "The slots depend on the limit of descriptors",
        arguments: [
            (0, 6, 6), (64, 8, 6), (256, 32, 16), (1024, 128, 64), (1 << 20, 256, 128), (Int.max, 256, 128),
        ])
    func slots(limit: Int, total: Int, perOrigin: Int) {
        func begun(_ origin: (Int) -> String) -> Int {
            var slots = TransferSlots.ofDownloads(descriptorLimit: limit), count = 0
            for ticket in 0..<1000 where slots.enter(ticket, host: origin(ticket)) == .begin { count += 1 }
            return count
        }
        check(begun { "\($0)" }, total)
        check(begun { _ in "one" }, perOrigin)
    }

    @Test("The advice is about descriptors if there is none, about the name if it is taken, and else about permissions")
    func advice() {
        func suggestion(after error: POSIXError) -> String? {
            FileTransferError(.cannotCreate, file: folder.file("film"), underlyingError: error).recoverySuggestion
        }
        for error in [POSIXError(.EMFILE), POSIXError(.ENFILE)] {
            let expected = "Close files or connections, or raise the limit of open files of this process."
            #expect(suggestion(after: error) == expected)
        }
        for error in [POSIXError(.EEXIST), POSIXError(.ELOOP)] {
            #expect(suggestion(after: error)?.hasPrefix("Something else has the name") == true)
        }
        let expected = """
            Check that this process may write to the folder, and not only to the file: a download is written beside \
            its destination. In a sandbox download to an .itemReplacementDirectory of \
            FileManager.url(for:in:appropriateFor:create:), and put the file in its place with \
            FileManager.replaceItemAt(_:withItemAt:).
            """
        for error in [POSIXError(.EACCES), POSIXError(.EPERM)] { #expect(suggestion(after: error) == expected) }
    }

    #if os(Linux)
        @Test("500 of them at once all end in a process of 256 descriptors", .oneProcessAtATime)
        func fewDescriptors() async throws {
            let server = try LoopbackServer.start(limits: LoopbackLimits(recordedRequests: 0))
            let (path, address) = (folder.url.path, server.baseURL.absoluteString)
            await #expect(processExitsWith: .success) { [path = path as String, address = address as String] in
                try InheritedSockets.close()
                try ClientProcess.limitDescriptors(to: 256)
                let dispatcher = URLRequestDispatcher(configuration: .ephemeral)
                let request = try ClientProcess.request("/text", of: address)
                let futures = (0..<500).map { number in
                    dispatcher.downloadFuture(
                        from: request, to: URL(filePath: path).appending(path: "\(number)"), isResumable: true)
                }
                for future in futures { future.start() }
                for future in futures { _ = try await future.value }
            }
            #expect(try folder.names.count == 500)
        }
    #endif
}
