#if os(Linux)
    import Foundation
    import FoundationNetworking
    import LoopbackServer
    import PiuPiu
    import TestSupport
    import Testing

    /// Runs by itself, together with `ConstantMemoryTests`.
    @Suite(
        "MEMORY: large bodies and a cache", .serialized,
        .enabled(if: ProcessInfo.processInfo.environment["PIUPIU_LARGE_TRANSFERS"] != nil),
        .timeLimit(.oneProcessAtATime))
    struct CacheConstantMemoryTests {
        private static let gibibyte = 1 << 30
        private static let mayGrowKilobytes = 32 << 10

        @Test(
            "K12 STREAMS, MEMORY: 1 GiB into the cache, out of it (after a restart too), and past it",
            .oneProcessAtATime)
        func large() async {
            let result = await #expect(processExitsWith: .success, observing: [\.standardErrorContent]) {
                try InheritedSockets.close()
                let server = try LoopbackServer.start()
                let folder = try TemporaryFolder()
                for (path, hasLength) in [("/large", true), ("/chunked", false)] {
                    server.handle("GET", path) { request in
                        let count = Int(request.header("X-Count") ?? "") ?? 0
                        let length = hasLength ? [LoopbackHeader("Content-Length", "\(count)")] : []
                        let kept = LoopbackHeader("Cache-Control", "max-age=3600")
                        let head = LoopbackReply.Step.head(status: 200, headers: length + [kept])
                        return LoopbackReply(steps: [head, .pattern(count: count)] + (hasLength ? [] : [.close]))
                    }
                }
                func load(_ path: String, _ count: Int, in cache: HTTPCache) async throws -> UInt64 {
                    let dispatcher = URLRequestDispatcher(configuration: .ephemeral).cached(in: cache)
                    var request = server.request(path)
                    request.setValue("\(count)", forHTTPHeaderField: "X-Count")
                    var digest = LoopbackDigest()
                    for try await chunk in try await dispatcher.streamFuture(from: request).value.data {
                        chunk.withUnsafeBytes { digest.update($0) }
                    }
                    return digest.value
                }
                func cache(_ name: String, _ limit: Int64) -> HTTPCache {
                    HTTPCache(folder: folder.url.appending(path: name), diskLimit: limit)
                }
                let digest = LoopbackPattern.digest(count: Self.gibibyte)
                let warm = cache("warm", 1 << 30)
                for _ in 0..<2 { _ = try await load("/large", 10_000_000, in: warm) }
                let kept = cache("kept", 3 << 30), small = cache("small", 64 << 20)
                let steps = [
                    ("into the cache", "/large", kept, 1), ("out of it", "/large", kept, 1),
                    ("out of it after a new start", "/large", cache("kept", 3 << 30), 1),
                    ("past it", "/large", small, 2), ("past it, of no known length", "/chunked", small, 1),
                ]
                for (name, path, cache, requests) in steps {
                    let before = try ProcessFigures.now().residentKilobytes
                    _ = try ProcessFigures.peakKilobytes()
                    try #require(try await load(path, Self.gibibyte, in: cache) == digest)
                    let growth = try ProcessFigures.peakKilobytes() - before
                    FileHandle.standardError.write(Data("1 GiB \(name) took \(growth) KiB.\n".utf8))
                    try #require(growth < Self.mayGrowKilobytes)
                    // Includes the request of the warm-up.
                    try #require(server.requestCount(path: path) == requests + (path == "/large" ? 1 : 0))
                }
                try #require(small.statistics.stores == 0 && small.statistics.failures == 0)
                try #require(kept.unfinished == (0, 0) && small.unfinished == (0, 0))
            }
            print(String(decoding: result?.standardErrorContent ?? [], as: UTF8.self))
        }
    }
#endif
