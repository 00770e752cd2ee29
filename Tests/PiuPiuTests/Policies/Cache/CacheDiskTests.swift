#if os(Linux)
    import Foundation
    import FoundationNetworking
    import PiuPiu
    import TestProcess
    import TestSupport
    import Testing

    /// Full and unwritable disks, killed processes, and several caches over one folder.
    @Suite("HTTP cache: disks and processes", .timeLimit(.oneProcessAtATime))
    struct CacheDiskTests {
        @Test(
            "K10 STORAGE: a folder that can't be created costs stored responses, but fails no request",
            arguments: [10, 2_000_000],
            ["file", "file/folder", "proc"])
        func noFolder(size: Int, place: String) async throws {
            let scene = try FolderScene(FolderScene.letters(size))
            _ = try scene.temporary.file("file", containing: "mine")
            // Nobody can make a folder in /proc, not even the superuser.
            let folder = place == "proc" ? URL(filePath: "/proc/cache") : scene.temporary.url.appending(path: place)
            let cache = HTTPCache(folder: folder)
            for path in ["/a", "/a", "/b"] {
                _ = try await scene.get(path, over: cache)
                await cache.flush()
            }
            // What fits into memory is cached.
            #expect(scene.origin.count == (size > 1 << 20 ? 3 : 2))
            #expect(cache.statistics.failures > 0)
            #expect(cache.unfinished == (0, 0))
            cache.remove(try url("http://host/a"))
            cache.removeAll()
            await cache.flush()
            #expect(scene.temporary.file("file").content == "mine")
        }

        @Test(
            "K10 STORAGE: a full disk fails no request, and keeps no partial file", .oneProcessAtATime,
            arguments: [400, 900, 2_000_000])
        func full(size: Int) async throws {
            let path = try TemporaryFolder()
            await #expect(processExitsWith: .success) { [size = size as Int, path = path.url.path as String] in
                signal(SIGXFSZ, SIG_IGN)
                // A small body has no room for its head behind it, a large one breaks off in its middle.
                let most = size > 1 << 20 ? 1_500_000 : 600
                var limit = rlimit(rlim_cur: rlim_t(most), rlim_max: rlim_t(most))
                try #require(setrlimit(__rlimit_resource_t(RLIMIT_FSIZE.rawValue), &limit) == 0)
                let origin = CacheOrigin { request, number in
                    .init(fields: [("Cache-Control", "max-age=60")], body: FolderScene.letters(size, number))
                }
                let cache = HTTPCache(folder: URL(filePath: path))
                let dispatcher = URLRequestDispatcher(engine: origin).cached(in: cache)
                for number in 1...3 {
                    let request = URLRequest(url: try url("http://host/\(number)"))
                    let data = try await dispatcher.dataFuture(from: request).value.data
                    try #require(data == Data(FolderScene.letters(size, number).utf8))
                    await cache.flush()
                    try #require(cache.statistics.failures == number)
                    try #require(FileManager.default.contentsOfDirectory(atPath: path).isEmpty)
                }
                try #require(cache.statistics.diskCount == 0)
                try #require(cache.unfinished == (0, 0))
            }
        }

        @Test(
            "K10 STORAGE: a folder whose files can't be locked keeps responses, and no partial file",
            .oneProcessAtATime, arguments: [10, 2_000_000])
        func noLocks(size: Int) async throws {
            let path = try TemporaryFolder()
            await #expect(processExitsWith: .success) { [size = size as Int, path = path.url.path as String] in
                try #require(test_process_refuse_locks(ENOLCK))
                let origin = CacheOrigin(FolderScene.letters(size))
                for isReopened in [false, true] {
                    let cache = HTTPCache(folder: URL(filePath: path))
                    let response = try await URLRequestDispatcher(engine: origin).cached(in: cache)
                        .dataFuture(from: URLRequest(url: try url("http://host/a"))).value
                    try #require(response.data == Data(FolderScene.letters(size, 1).utf8))
                    try #require(response.cacheStatus?.isHit == isReopened)
                    await cache.flush()
                    try #require(cache.statistics.failures == 0)
                    let names = try FileManager.default.contentsOfDirectory(atPath: path)
                    try #require(names.count == 1 && names[0].hasSuffix(".cache"))
                }
            }
        }

        // MARK: Killed

        /// The body of a URL, the same in every process.
        private static func body(_ index: Int) -> Data {
            Data(String(repeating: "<\(index)>", count: index % 7 == 0 ? 400_000 : index % 5 == 0 ? 1_000 : 10).utf8)
        }

        private static func cache(_ path: String, diskLimit: Int64) -> (HTTPCache, URLRequestDispatcher) {
            let cache = HTTPCache(memoryLimit: 4_000, folder: URL(filePath: path), diskLimit: diskLimit)
            // Fresh for longer than any test takes, as the time is real.
            let fields = [("Cache-Control", "max-age=86400"), ("ETag", "\"a\"")]
            let origin = CacheOrigin { request, _ in
                let body = body(Int(request.url?.lastPathComponent ?? "") ?? 0)
                if request.value(forHTTPHeaderField: "If-None-Match") != nil {
                    return .init(status: 304, fields: fields)
                }
                return .init(fields: fields, body: String(decoding: body, as: UTF8.self))
            }
            return (cache, URLRequestDispatcher(engine: origin).cached(in: cache))
        }

        /// Requests a URL, and checks the response.
        private static func get(_ index: Int, _ dispatcher: URLRequestDispatcher, revalidates: Bool = false)
            async throws
            -> Bool
        {
            var request = URLRequest(url: try url("http://host/\(index)"))
            if revalidates { request.setValue("no-cache", forHTTPHeaderField: "Cache-Control") }
            let response = try await dispatcher.dataFuture(from: request).value
            guard response.data == body(index) else {
                print("WRONG: \(index) has \(response.data?.count ?? 0) bytes")
                exit(17)
            }
            return response.cacheStatus?.isHit == true
        }

        @Test(
            "K10 STORAGE: a killed process leaves whole responses, and nothing else after the next start",
            .oneProcessAtATime)
        func killed() async throws {
            let rounds = ProcessInfo.processInfo.environment["PIUPIU_CACHE_KILLS"].flatMap { Int($0) } ?? 6
            let seed = UInt64.random(in: 0 ... .max)
            var generator = SeededGenerator(seed: seed)
            let folder = try TemporaryFolder(), path = folder.url.path
            for round in 0..<rounds {
                let microseconds = Int.random(in: 0..<60_000, using: &generator)
                let start = UInt64.random(in: 0 ... .max, using: &generator)
                await #expect(processExitsWith: .signal(SIGKILL), "seed \(seed), round \(round)") {
                    [path = path as String, microseconds = microseconds as Int, start = start as UInt64] in
                    try await Self.fillUntilKilled(path, after: microseconds, seed: start)
                }
            }
            // This process hasn't looked at the folder before, so it removes leftovers.
            let (cache, dispatcher) = Self.cache(path, diskLimit: 20 << 20)
            var hits = 0
            for index in 0..<40 { hits += try await Self.get(index, dispatcher) ? 1 : 0 }
            await cache.flush()
            #expect(hits > 0, "seed \(seed)")
            #expect(try folder.names.allSatisfy { $0.hasSuffix(".cache") || $0.hasSuffix(".update") })
            #expect(cache.statistics.failures == 0)
            cache.removeAll()
            await cache.flush()
            #expect(try folder.names.isEmpty)
        }

        /// Requests everything once, then adds, renews and removes until it is killed.
        private static func fillUntilKilled(_ path: String, after microseconds: Int, seed: UInt64) async throws {
            var generator = SeededGenerator(seed: seed)
            let (cache, dispatcher) = cache(path, diskLimit: 20 << 20)
            for index in 0..<40 { _ = try await get(index, dispatcher) }
            DispatchQueue.global().asyncAfter(deadline: .now() + .microseconds(microseconds)) {
                kill(getpid(), SIGKILL)
            }
            while true {
                let index = Int.random(in: 0..<40, using: &generator)
                switch Int.random(in: 0..<10, using: &generator) {
                case 0..<3: cache.remove(try url("http://host/\(index)"))
                case 3: _ = try await get(index, dispatcher, revalidates: true)
                default: _ = try await get(index, dispatcher)
                }
            }
        }

        // MARK: Several over one folder

        @Test(
            "K10 STORAGE: two processes, one with two caches, share a folder without a wrong body or an error",
            .oneProcessAtATime)
        func shared() async throws {
            let seed = UInt64.random(in: 0 ... .max)
            let folder = try TemporaryFolder(), path = folder.url.path
            async let other: Void = {
                await #expect(processExitsWith: .success, "seed \(seed)") {
                    [path = path as String, seed = seed as UInt64] in
                    try await Self.share(path, seed: seed &+ 1)
                }
            }()
            async let second: Void = Self.share(path, seed: seed &+ 2)
            try await Self.share(path, seed: seed)
            try await second
            await other
            #expect(try folder.names.allSatisfy { $0.hasSuffix(".cache") || $0.hasSuffix(".update") }, "seed \(seed)")
        }

        private static func share(_ path: String, seed: UInt64) async throws {
            var generator = SeededGenerator(seed: seed)
            // Too small for everything, so that each evicts what others have added.
            let (cache, dispatcher) = cache(path, diskLimit: 4 << 20)
            for _ in 0..<400 {
                let index = Int.random(in: 0..<40, using: &generator)
                switch Int.random(in: 0..<40, using: &generator) {
                case 0: cache.removeAll()
                case 1..<4: cache.remove(try url("http://host/\(index)"))
                case 4..<10: _ = try await get(index, dispatcher, revalidates: true)
                default: _ = try await get(index, dispatcher)
                }
            }
            await cache.flush()
            try #require(cache.unfinished == (0, 0))
            try #require(cache.statistics.failures == 0)
        }
    }
#endif
