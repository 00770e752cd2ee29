#if os(Linux)
    import Foundation
    import FoundationNetworking
    import PiuPiu
    import TestSupport
    import Testing

    /// A folder that can't be listed at the moment: no descriptor is left, as in a busy server.
    @Suite("HTTP cache: without descriptors", .timeLimit(.oneProcessAtATime))
    struct CacheWithoutDescriptorsTests {
        private static func cache(_ path: String) -> (HTTPCache, URLRequestDispatcher, CacheOrigin) {
            let cache = HTTPCache(memoryLimit: 0, folder: URL(filePath: path))
            let origin = CacheOrigin { _, number in
                .init(fields: [("Cache-Control", "max-age=86400")], body: "body \(number)")
            }
            return (cache, URLRequestDispatcher(engine: origin).cached(in: cache), origin)
        }

        private static func isHit(_ path: String, _ dispatcher: URLRequestDispatcher, method: String = "GET")
            async throws -> Bool
        {
            var request = URLRequest(url: try url("http://host\(path)"))
            request.httpMethod = method
            return try await dispatcher.dataFuture(from: request).value.cacheStatus?.isHit == true
        }

        /// Runs `body` while this process can't open anything.
        private static func withoutDescriptors(_ body: () async throws -> Void) async throws {
            var limit = rlimit()
            let kind = __rlimit_resource_t(RLIMIT_NOFILE.rawValue)
            try #require(getrlimit(kind, &limit) == 0)
            let former = limit.rlim_cur
            limit.rlim_cur = 0
            try #require(setrlimit(kind, &limit) == 0)
            defer {
                limit.rlim_cur = former
                setrlimit(kind, &limit)
            }
            try await body()
        }

        @Test(
            "K10 STORAGE: removeAll() leaves nothing for the next process, even if the folder can't be listed then",
            .oneProcessAtATime, arguments: [true, false])
        func removeAll(isKnown: Bool) async throws {
            let path = try TemporaryFolder()
            await #expect(processExitsWith: .success) { [isKnown = isKnown as Bool, path = path.url.path as String] in
                let (former, formerDispatcher, _) = Self.cache(path)
                for name in ["/a", "/b"] { _ = try await Self.isHit(name, formerDispatcher) }
                await former.flush()
                let (cache, dispatcher, _) = Self.cache(path)
                if isKnown { try #require(await Self.isHit("/a", dispatcher)) }
                try await Self.withoutDescriptors {
                    cache.removeAll()
                    await cache.flush()
                }
                try #require(cache.statistics.failures == 1)
                if isKnown { try #require(FileManager.default.contentsOfDirectory(atPath: path).isEmpty) }
                // The next access removes what could not be found before, also what another process has written.
                try #require(try await !Self.isHit("/b", dispatcher))
                await cache.flush()
                let (_, later, _) = Self.cache(path)
                try #require(try await !Self.isHit("/a", later))
            }
        }

        @Test("K10 STORAGE: a folder that could not be listed at first is found later", .oneProcessAtATime)
        func foundLater() async throws {
            let path = try TemporaryFolder()
            await #expect(processExitsWith: .success) { [path = path.url.path as String] in
                let (former, formerDispatcher, _) = Self.cache(path)
                _ = try await Self.isHit("/a", formerDispatcher)
                await former.flush()
                let (cache, dispatcher, _) = Self.cache(path)
                try await Self.withoutDescriptors { try #require(await !Self.isHit("/b", dispatcher)) }
                await cache.flush()
                try #require(await Self.isHit("/a", dispatcher))
                try #require(cache.statistics.diskCount > 0)
            }
        }

        @Test("K8 INVALIDATE: a removal that could not list the folder is made up for", .oneProcessAtATime)
        func invalidation() async throws {
            let path = try TemporaryFolder()
            await #expect(processExitsWith: .success) { [path = path.url.path as String] in
                let (cache, dispatcher, _) = Self.cache(path), (other, otherDispatcher, _) = Self.cache(path)
                _ = try await Self.isHit("/first", dispatcher)
                await cache.flush()
                // A file that the first cache doesn't know.
                _ = try await Self.isHit("/a", otherDispatcher)
                await other.flush()
                try await Self.withoutDescriptors {
                    _ = try await Self.isHit("/a", dispatcher, method: "PUT")
                    await cache.flush()
                }
                _ = try await Self.isHit("/other", dispatcher, method: "PUT")
                await cache.flush()
                let (_, later, _) = Self.cache(path)
                try #require(try await !Self.isHit("/a", later))
            }
        }
    }
#endif
