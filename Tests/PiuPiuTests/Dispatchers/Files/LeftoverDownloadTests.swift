import Foundation
import LoopbackServer
import PiuPiu
import Testing

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// What a download has left that ended when all, or most, had come.
@Suite("FILES: what was left, and how the next download goes on", .timeLimit(.minutes(10)))
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

    /// A download that fails when all has come.
    private func leave(_ engine: FileFaultTests.Engine) async {
        await #expect(throws: Unhappy.self) {
            _ = try await engine.dispatcher(Unhappy())
                .downloadFuture(from: server.request("/file"), to: file, isResumable: true).value
        }
    }

    @Test(
        "A whole that was left is asked for its last byte only, as long as the file is the same",
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

    #if os(Linux)
        @Test("A killed process leaves what it has a record of, and the next one goes on after that")
        func killedAndResumed() async throws {
            let size = 20_000_000
            server.handle("GET", "/film") { .ranged(count: size, for: $0) }
            let (path, url) = (folder.url.path, server.url("/film").absoluteString)
            await #expect(processExitsWith: .signal(SIGKILL)) {
                [path = path as String, url = url as String] in
                _ = try await FileFaultTests.Engine.standard.dispatcher.downloadFuture(
                    from: ClientProcess.request("", of: url), to: URL(filePath: path).appending(path: "film.bin"),
                    isResumable: true
                ).onUpdate { if $0.progress.bytesReceived > 12_000_000 { kill(getpid(), SIGKILL) } }.value
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
