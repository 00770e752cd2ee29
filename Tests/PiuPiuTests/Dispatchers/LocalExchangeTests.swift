import Foundation
import PiuPiu
import Testing

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

@Suite("Local resources", .timeLimit(.minutes(10)))
struct LocalExchangeTests {
    private let engine = EngineRouter(URLSessionEngine(configuration: .ephemeral))

    private func withFile<Output>(
        _ content: Data, named name: String, _ body: (URL) async throws -> Output
    ) async throws -> Output {
        let folder = FileManager.default.temporaryDirectory.appending(path: "PiuPiu-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let file = folder.appending(path: name)
        try content.write(to: file)
        return try await body(file)
    }

    @Test(
        "A file is a plain response",
        arguments: [
            ("a.json", "application/json"), ("a b.TXT", "text/plain"), ("ü.html", "text/html"),
            ("a", "application/octet-stream"),
        ])
    func file(name: String, type: String) async throws {
        let content = Data((0..<200_000).map { UInt8(truncatingIfNeeded: $0) })
        let updates = Log<TransferUpdate>()
        try await withFile(content, named: name) { file in
            let output = try await engine.load(file, updates: updates)
            #expect(output.data == content)
            #expect(output.head.urlResponse.mimeType == type)
            #expect(output.head.urlResponse.expectedContentLength == 200_000)
            #expect(output.head.urlResponse.url == file)
            #expect(!(output.head.urlResponse is HTTPURLResponse))
        }
        #expect(updates.all.map(\.stage) == [.started, .responded, .received, .received, .received, .received])
        #expect(updates.all.last?.progress.fractionReceived == 1)
    }

    @Test func anEmptyFile() async throws {
        try await withFile(Data(), named: "empty") { file in
            let output = try await engine.load(file)
            #expect(output.data == nil)
        }
    }

    /// The events of a file of 100 kB that gets another size as soon as its head is there.
    private func events(ofFileResizedTo size: UInt64) async throws -> [TransferEvent] {
        try await withFile(Data(count: 100_000), named: "log") { file in
            let events = Log<TransferEvent>()
            _ = engine.start(TransferRequest(URLRequest(url: file))) { event in
                if case .head = event, let handle = try? FileHandle(forUpdating: file) {
                    try? handle.truncate(atOffset: size)
                    try? handle.close()
                }
                events.append(event)
            }
            return await events.untilTheEnd()
        }
    }

    @Test("A file that grows meanwhile has the length that it had first")
    func growingFile() async throws {
        let count = try await events(ofFileResizedTo: 200_000).reduce(0) { count, event in
            if case .body(let chunk) = event { count + chunk.count } else { count }
        }
        #expect(count == 100_000)
    }

    @Test("A file that shrinks meanwhile is truncated, and no success", arguments: [0, 50_000, 65_536])
    func shrinkingFile(size: UInt64) async throws {
        let events = try await events(ofFileResizedTo: size)
        guard case .failed(let error as TransferError) = events.last else {
            Issue.record("\(events)")
            return
        }
        #expect(error.kind == .truncated)
    }

    @Test("A path without a readable file", arguments: ["file:///nonexistent/file", "file:///tmp", "file:///dev/zero"])
    func noFile(text: String) async throws {
        let failure = await engine.failure(try url(text))
        #expect((failure as? TransferError)?.kind == .fileNotFound)
    }

    @Test func dataURLs() async throws {
        let output = try await engine.load(try url("data:application/json;charset=utf-8;base64,eyJpZCI6MX0="))
        #expect(output.data.text == "{\"id\":1}")
        #expect(output.head.urlResponse.mimeType == "application/json")
        #expect(output.head.urlResponse.textEncodingName == "utf-8")
        #expect(output.head.urlResponse.expectedContentLength == 8)
        let failure = await engine.failure(try url("data:text/plain"))
        #expect((failure as? TransferError)?.kind == .malformedDataURL)
    }

    @Test func cancellation() async throws {
        let content = Data(count: 10_000_000)
        try await withFile(content, named: "large") { file in
            let events = Log<TransferEvent>()
            let handle = Locked<(any TransferHandle)?>(nil), isKnown = DispatchSemaphore(value: 0)
            let started = engine.start(TransferRequest(URLRequest(url: file))) { event in
                // Not a thread of the pool. Without the wait, all of the file could have been delivered before.
                if case .head = event { isKnown.wait() }
                events.append(event)
                if case .body = event { handle.withLock { $0 }?.cancel() }
            }
            handle.withLock { $0 = started }
            isKnown.signal()
            let all = await events.untilTheEnd()
            #expect(all.count(where: \.isTerminal) == 1)
            guard case .failed(let error) = all.last else { return #expect(Bool(false)) }
            #expect(error is CancellationError)
        }
    }
}
