import Foundation
import LoopbackServer
import PiuPiu
import Testing

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

@Suite("HTTP cache: over a real socket", .timeLimit(.minutes(10)))
struct CacheSocketTests {
    private let server: LoopbackServer
    private let folder: TemporaryFolder
    private let cache: HTTPCache
    private let dispatcher: URLRequestDispatcher

    init() throws {
        server = try LoopbackServer.start()
        folder = try TemporaryFolder()
        cache = HTTPCache(folder: folder.url.appending(path: "cache"))
        dispatcher = URLRequestDispatcher(configuration: .ephemeral).cached(in: cache)
    }

    private static let fresh = LoopbackHeader("Cache-Control", "max-age=3600")

    @Test(
        "K12 STREAMS: data, downloads and streams share what is kept", arguments: RecordedExchange.Kind.allCases,
        RecordedExchange.Kind.allCases)
    func kinds(first: RecordedExchange.Kind, second: RecordedExchange.Kind) async throws {
        guard first != .upload, second != .upload else { return }
        server.handle("GET", "/a", reply: .text("kept", headers: [Self.fresh]))
        for kind in [first, second] {
            #expect(try await kind.text(of: server.request("/a"), by: dispatcher, in: folder).value == "kept")
        }
        #expect(server.requestCount(path: "/a") == 1)
    }

    @Test(
        "K12 STREAMS, MEMORY: a large body goes to a file while it is read, and comes from there",
        arguments: [false, true])
    func large(isReopened: Bool) async throws {
        let size = 24 << 20
        server.handle("GET", "/a") { _ in
            LoopbackReply(steps: [
                .head(status: 200, headers: [Self.fresh, LoopbackHeader("Content-Length", "\(size)")]),
                .pattern(count: size),
            ])
        }
        let destination = folder.url.appending(path: "film")
        _ = try await dispatcher.downloadFuture(from: server.request("/a"), to: destination).value
        let first = try Data(contentsOf: destination)
        #expect(first.count == size)
        var again = dispatcher
        if isReopened {
            await cache.flush()
            let other = HTTPCache(folder: folder.url.appending(path: "cache"))
            again = URLRequestDispatcher(configuration: .ephemeral).cached(in: other)
        }
        let response = try await again.downloadFuture(from: server.request("/a"), to: destination).value
        #expect(response.cacheStatus?.isHit == true)
        #expect(try Data(contentsOf: destination) == first)
        var count = 0
        for try await chunk in try await again.streamFuture(from: server.request("/a")).value.data {
            #expect(chunk == first[count..<count + chunk.count])
            count += chunk.count
        }
        #expect(count == size)
        #expect(server.requestCount(path: "/a") == 1)
    }
}
