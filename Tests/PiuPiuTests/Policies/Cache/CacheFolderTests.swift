import Dispatch
import Foundation
import PiuPiu
import PiuPiuTesting
import TestSupport
import Testing

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

@Suite("HTTP cache: its folder", .timeLimit(.minutes(10)))
struct CacheFolderTests {
    @Test(
        "K10 STORAGE: stored responses outlive the cache, whatever their size", arguments: [0, 10, 5_000, 2_000_000],
        [0, 4_096, 16 << 20])
    func reopened(size: Int, memoryLimit: Int) async throws {
        let scene = try FolderScene(FolderScene.letters(size)), body = FolderScene.letters(size, 1)
        let first = scene.cache(memoryLimit: memoryLimit)
        #expect(try await scene.get(over: first) == (body, false))
        #expect(try await scene.get(over: first) == (body, true))
        await first.flush()
        let second = scene.cache(memoryLimit: memoryLimit)
        for _ in 0..<2 { #expect(try await scene.get(over: second) == (body, true)) }
        #expect(scene.origin.count == 1)
        #expect(second.statistics.diskCount == 1)
        #expect(second.statistics.failures == 0)
    }

    @Test(
        "K10 STORAGE: a response without room in memory is found while the folder is busy",
        arguments: [(0, 0), (10, 100)])
    func enqueued(size: Int, memoryLimit: Int) async throws {
        let scene = try FolderScene(FolderScene.letters(size)), cache = scene.cache(memoryLimit: memoryLimit)
        // The folder is scanned first: before that, every look-up waits for it.
        _ = try await scene.get("/first", over: cache)
        await cache.flush()
        for index in 0..<100 {
            let other = scene.folder.appending(path: "other-\(index)")
            try FileManager.default.createSymbolicLink(at: other, withDestinationURL: scene.folder)
        }
        // Each scans the folder; together they take longer than the requests.
        for _ in 0..<100 { cache.removeAll() }
        let body = FolderScene.letters(size, 2)
        #expect(try await scene.get(over: cache) == (body, false))
        #expect(try await scene.get(over: cache) == (body, true))
        #expect(cache.statistics.memoryCount == 0)
    }

    @Test("K10 STORAGE: a request finds what another one loads from the folder while it looks up")
    func loadedMeanwhile() async throws {
        let scene = try FolderScene(), first = scene.cache()
        _ = try await scene.get(over: first)
        await first.flush()
        // The cache looks at the clock after it has looked into its memory.
        let onLook = Locked<(@Sendable () -> Void)?>(nil)
        let second = HTTPCache(folder: scene.folder) { [clock = scene.clock] in
            onLook.withLock { $0.take() }?()
            return Date(timeIntervalSince1970: clock.now)
        }
        let engine = scene.origin.cached(in: second), request = try hop("/a")
        let one = EventTrace(), other = EventTrace()
        onLook.withLock {
            $0 = {
                let isOver = DispatchSemaphore(value: 0), onEvent = other.onEvent
                _ = engine.start(request) { event in
                    onEvent(event)
                    if event.isTerminal { isOver.signal() }
                }
                isOver.wait()
            }
        }
        // A thread of its own, as it blocks.
        Thread.detachNewThread { engine.start(request, one) }
        #expect(await other.end == "200 body 1 .")
        #expect(await one.end == "200 body 1 .")
        #expect(scene.origin.count == 1)
    }

    @Test(
        "K7 REQUEST, K10 STORAGE: a reload, or a request with no-store, doesn't wait for the folder",
        .timeLimit(.minutes(10)), arguments: [nil, "no-store"] as [String?])
    func withoutFolder(control: String?) async throws {
        let scene = try FolderScene(), first = scene.cache(), second = scene.cache()
        _ = try await scene.get(over: first)
        await first.flush()
        let mayGoOn = DispatchSemaphore(value: 0)
        second.performInFolder { mayGoOn.wait() }
        var request = URLRequest(url: try url("http://host/a"))
        if let control {
            request.setValue(control, forHTTPHeaderField: "Cache-Control")
        } else {
            request.cachePolicy = .reloadIgnoringLocalCacheData
        }
        do {
            // Also if the request fails.
            defer { mayGoOn.signal() }
            #expect(try await scene.over(second).dataFuture(from: request).value.data == Data("body 2".utf8))
        }
        await second.flush()
        #expect(try await scene.get(over: scene.cache()) == (control == nil ? "body 2" : "body 1", true))
    }

    @Test(
        "K10 STORAGE: files are private to their owner, and show neither URLs nor credentials", arguments: [10, 5_000])
    func secrets(size: Int) async throws {
        let scene = try FolderScene { request, _ in
            let isKnown = request.value(forHTTPHeaderField: "If-None-Match") != nil
            return .init(
                status: isKnown ? 304 : 200,
                fields: [("Cache-Control", "max-age=1"), ("ETag", "\"t\""), ("Vary", "Cookie")],
                body: isKnown ? "" : FolderScene.letters(size, 1))
        }
        let cache = scene.cache(memoryLimit: 4_096)
        let fields = ["Authorization": "Bearer s3cret", "Cookie": "sid=s3ssion"]
        for _ in 0..<2 {
            _ = try await scene.get("/hidden?token=t0ken", over: cache, fields)
            scene.clock.advance(by: 10)
        }
        await cache.flush()
        #expect(try scene.names.count == 2)
        for name in try scene.names {
            #expect(name.wholeMatch(of: /[0-9a-f]{32}-[0-9a-f]{16}-[0-9a-f]{16}\.(cache|update)/) != nil)
            let file = scene.folder.appending(path: name)
            let attributes = try FileManager.default.attributesOfItem(atPath: file.path(percentEncoded: false))
            #expect(attributes[.posixPermissions] as? Int == 0o600, "\(name)")
            let text = String(decoding: try Data(contentsOf: file), as: UTF8.self)
            for secret in ["host", "hidden", "t0ken", "s3cret", "s3ssion"] { #expect(!text.contains(secret)) }
        }
    }

    @Test("K1 KEY, K10 STORAGE: variants and credentials stay apart on the disk, too")
    func variants() async throws {
        let scene = try FolderScene { request, _ in
            .init(
                fields: [("Cache-Control", "max-age=60"), ("Vary", "Accept-Language")],
                body: (request.value(forHTTPHeaderField: "Accept-Language") ?? "none")
                    + (request.value(forHTTPHeaderField: "Authorization") ?? ""))
        }
        let all = [("en", ""), ("de", ""), ("en", "A"), ("de", "A"), ("en", "B")]
        for isReopened in [false, true] {
            let cache = scene.cache()
            for (language, user) in all {
                var fields = ["Accept-Language": language]
                if !user.isEmpty { fields["Authorization"] = user }
                #expect(try await scene.get(over: cache, fields) == (language + user, isReopened))
            }
            await cache.flush()
        }
        #expect(scene.origin.count == all.count)
    }

    @Test(
        "K6 VALIDATE, K10 STORAGE: a response renewed by a 304 is fresh after a restart", arguments: [10, 2_000_000],
        [0, 16 << 20])
    func updated(size: Int, memoryLimit: Int) async throws {
        let scene = try FolderScene { request, number in
            let fields = [("Cache-Control", "max-age=60"), ("ETag", "\"a\""), ("Number", "\(number)")]
            return number == 2
                ? .init(status: 304, fields: fields)
                : .init(fields: fields + [("Kept", "old")], body: FolderScene.letters(size, number))
        }
        func answer(_ cache: HTTPCache) async throws -> Response<Data?> {
            try await scene.over(cache).dataFuture(from: URLRequest(url: try url("http://host/a"))).value
        }
        let first = scene.cache(memoryLimit: memoryLimit)
        _ = try await answer(first)
        scene.clock.advance(by: 100)
        #expect(try await answer(first).cacheStatus?.forwardStatus == 304)
        await first.flush()
        let update = try #require(try scene.names.first { $0.hasSuffix(".update") })
        let fields = try Data(contentsOf: scene.folder.appending(path: update))
        let second = scene.cache(memoryLimit: memoryLimit), response = try await answer(second)
        #expect(response.cacheStatus?.isHit == true)
        #expect(response.data == Data(FolderScene.letters(size, 1).utf8))
        #expect(response.head.value(for: "Number") == "2")
        #expect(response.head.value(for: "Kept") == "old")
        #expect(scene.origin.count == 2)
        // Newer fields belong to one body only.
        scene.clock.advance(by: 100)
        #expect(try await answer(second).data == Data(FolderScene.letters(size, 3).utf8))
        await second.flush()
        #expect(try scene.names.filter { $0.hasSuffix(".update") }.isEmpty)
        // A process may end before it removes the newer fields of an old body.
        try fields.write(to: scene.folder.appending(path: update))
        #expect(try await answer(scene.cache()).head.value(for: "Number") == "3")
    }

    @Test("K10 STORAGE: the disk answers a HEAD with a stored HEAD or GET")
    func heads() async throws {
        let scene = try FolderScene()
        let first = scene.cache()
        _ = try await scene.get("/a", over: first)
        _ = try await scene.get("/b", over: first, method: "HEAD")
        await first.flush()
        let second = scene.cache()
        #expect(try await scene.get("/a", over: second, method: "HEAD") == ("", true))
        #expect(try await scene.get("/b", over: second, method: "HEAD") == ("", true))
        #expect(try await scene.get("/b", over: second) == ("body 3", false))
    }

    @Test("K10 STORAGE: removing a URL, or everything, removes the files")
    func removed() async throws {
        let scene = try FolderScene { request, number in
            .init(fields: [("Cache-Control", "max-age=60"), ("Vary", "Accept")], body: "body \(number)")
        }
        let first = scene.cache()
        for path in ["/a", "/b"] {
            for fields in [[:], ["Accept": "x"], ["Authorization": "A"]] {
                _ = try await scene.get(path, over: first, fields)
            }
        }
        await first.flush()
        #expect(try scene.files.count == 6)
        // As after a restart: this cache has read nothing yet.
        let second = scene.cache()
        second.remove(try url("http://HOST/a#b"))
        await second.flush()
        #expect(try scene.files.count == 3)
        #expect(try await scene.get("/b", over: scene.cache(), ["Accept": "x"]).isHit)
        let third = scene.cache()
        #expect(try await scene.get("/a", over: third, ["Accept": "x"]).text == "body 7")
        await third.flush()
        #expect(try scene.files.count == 4)
        // The second cache has seen none of that.
        second.removeAll()
        await second.flush()
        #expect(try scene.names.isEmpty)
        #expect(second.statistics.diskCount == 0)
        #expect(second.statistics.diskSize == 0)
    }

    @Test("K10 STORAGE: an unsafe request invalidates responses on the disk that nobody has read")
    func invalidated() async throws {
        let scene = try FolderScene()
        let first = scene.cache()
        _ = try await scene.get(over: first)
        await first.flush()
        let second = scene.cache()
        _ = try await scene.get(over: second, method: "DELETE")
        await second.flush()
        #expect(try await scene.get(over: scene.cache()) == ("body 3", false))
    }

    // MARK: Limits

    private func size(of scene: FolderScene) throws -> Int64 {
        try scene.names.reduce(0) { sum, name in
            let path = scene.folder.appending(path: name).path(percentEncoded: false)
            return sum + (try FileManager.default.attributesOfItem(atPath: path)[.size] as? Int64 ?? 0)
        }
    }

    @Test("K10 STORAGE: the least recently used go first, after the next start as well", arguments: [false, true])
    func leastRecentlyUsed(isReopened: Bool) async throws {
        let scene = try FolderScene(FolderScene.letters(1_000))
        // Each file has a thousand bytes and a head; four of them fit.
        var cache = scene.cache(memoryLimit: 0, diskLimit: 6_000)
        for path in ["/a", "/b", "/c", "/d"] { _ = try await scene.get(path, over: cache) }
        await cache.flush()
        #expect(try scene.files.count == 4)
        #expect(try await scene.get("/a", over: cache).isHit)
        #expect(try await scene.get("/c", over: cache).isHit)
        await cache.flush()
        if isReopened { cache = scene.cache(memoryLimit: 0, diskLimit: 6_000) }
        for path in ["/e", "/f"] { _ = try await scene.get(path, over: cache) }
        await cache.flush()
        #expect(cache.statistics.evictions == 2)
        #expect(cache.statistics.diskSize == (try size(of: scene)))
        #expect(cache.statistics.diskSize <= 6_000)
        let last = scene.cache()
        for path in ["/a", "/c", "/e", "/f"] { #expect(try await scene.get(path, over: last).isHit, "\(path)") }
        for path in ["/b", "/d"] { #expect(try await !scene.get(path, over: last).isHit, "\(path)") }
    }

    @Test("K10 STORAGE: a use in memory counts as a use on the disk")
    func usedInMemory() async throws {
        let scene = try FolderScene(FolderScene.letters(1_000, [("Cache-Control", "max-age=3600")]))
        let cache = scene.cache(diskLimit: 6_000)
        for path in ["/a", "/b", "/c", "/d"] { _ = try await scene.get(path, over: cache) }
        scene.clock.advance(by: 100)
        #expect(try await scene.get("/a", over: cache).isHit)
        _ = try await scene.get("/e", over: cache)
        await cache.flush()
        let last = scene.cache()
        #expect(try await scene.get("/a", over: last).isHit)
        #expect(try await !scene.get("/b", over: last).isHit)
    }

    @Test("K10 STORAGE: a folder over the limit shrinks with the next response")
    func smallerLimit() async throws {
        let scene = try FolderScene(FolderScene.letters(1_000))
        let first = scene.cache()
        for index in 0..<20 { _ = try await scene.get("/\(index)", over: first) }
        await first.flush()
        let second = scene.cache(diskLimit: 6_000)
        _ = try await scene.get("/20", over: second)
        await second.flush()
        #expect(try size(of: scene) <= 6_000)
        #expect(try await scene.get("/20", over: scene.cache()).isHit)
    }

    @Test("K10 STORAGE: the number of files has a limit, too, as each takes more than its bytes")
    func numberOfFiles() async throws {
        let scene = try FolderScene(FolderScene.letters(1))
        let cache = scene.cache(memoryLimit: 0, diskLimit: 1 << 20)
        for index in 0..<1_010 { _ = try await scene.get("/\(index)", over: cache) }
        await cache.flush()
        #expect(try scene.files.count == 1_000)
        #expect(cache.statistics.evictions == 10)
        #expect(try await !scene.get("/0", over: cache).isHit)
        #expect(try await scene.get("/1009", over: cache).isHit)
    }

    @Test("K10 STORAGE: newer fields count towards the limit, too")
    func updatesCount() async throws {
        let scene = try FolderScene { request, number in
            let fields = [("Cache-Control", "max-age=1"), ("ETag", "\"a\"")]
            return request.value(forHTTPHeaderField: "If-None-Match") != nil
                ? .init(status: 304, fields: fields + [("More", FolderScene.letters(1_500, 1))])
                : .init(fields: fields, body: FolderScene.letters(1_000, number))
        }
        let cache = scene.cache(diskLimit: 6_000)
        for _ in 0..<2 {
            for path in ["/a", "/b", "/c", "/d"] { _ = try await scene.get(path, over: cache) }
            scene.clock.advance(by: 10)
        }
        await cache.flush()
        #expect(cache.statistics.validations == 4)
        #expect(try size(of: scene) <= 6_000)
        #expect(cache.statistics.diskSize == (try size(of: scene)))
        let again = scene.cache()
        _ = try await scene.get("/none", over: again)
        await again.flush()
        #expect(again.statistics.diskSize == (try size(of: scene)))
    }

    @Test("K10 STORAGE: opening a folder of ten thousand files reads none, and a look-up reads one")
    func tenThousand() async throws {
        let scene = try FolderScene()
        let first = scene.cache()
        _ = try await scene.get(over: first)
        await first.flush()
        let known = try #require(try scene.files.first)
        var generator = SeededGenerator(seed: 3)
        var others: [String] = []
        for _ in 0..<9_999 {
            let digits = (0..<4).map { _ in
                let text = String(UInt64.random(in: 0 ... .max, using: &generator), radix: 16)
                return String(repeating: "0", count: 16 - text.count) + text
            }
            others.append("\(digits[0])\(digits[1])-\(digits[2])-\(digits[3]).cache")
        }
        // A file that is read and is no response is removed.
        try Data("garbage".utf8).write(to: known)
        for name in others {
            try FileManager.default.linkItem(at: known, to: scene.folder.appending(path: name))
        }
        let second = scene.cache()
        #expect(try await scene.get(over: second) == ("body 2", false))
        await second.flush()
        #expect(second.statistics.diskCount == 10_000)
        #expect(try scene.names == (others + [known.lastPathComponent]).sorted())
        #expect(try await scene.get(over: scene.cache()) == ("body 2", true))
    }
}
