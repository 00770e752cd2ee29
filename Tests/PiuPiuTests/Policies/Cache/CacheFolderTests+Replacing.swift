import Foundation
import PiuPiu
import Testing

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// What a newer response leaves of an older one.
extension CacheFolderTests {
    @Test(
        "K6 VALIDATE, K10 STORAGE: a 304 with another Vary leaves no older variant, in memory or in the folder",
        arguments: [10, 2_000_000], [0, 4_096, 16 << 20])
    func otherVary(size: Int, memoryLimit: Int) async throws {
        let body = FolderScene.letters(size, 1)
        let scene = try FolderScene { request, number in
            let fields = [("Cache-Control", "max-age=60"), ("ETag", "\"a\"")]
            let isKnown = request.value(forHTTPHeaderField: "If-None-Match") != nil
            return .init(
                status: isKnown ? 304 : 200, fields: fields + (number == 1 ? [] : [("Vary", "Foo")]),
                body: isKnown ? "" : body)
        }
        let cache = scene.cache(memoryLimit: memoryLimit)
        _ = try await scene.get(over: cache)
        scene.clock.advance(by: 100)
        #expect(try await scene.get(over: cache, ["Foo": "1"]).text == body)
        await cache.flush()
        // A stale response would do, if there were one.
        let other = ["Foo": "2", "Cache-Control": "only-if-cached, max-stale"]
        for cache in [cache, scene.cache()] {
            #expect(try await scene.get(over: cache, other) == ("", false))
            #expect(cache.statistics.diskCount <= 1)
        }
        #expect(try scene.files.count <= 1)
        // What has room in memory, or is stored again, is kept.
        guard memoryLimit > size || size > 1 << 20 else { return }
        for cache in [cache, scene.cache()] { #expect(try await scene.get(over: cache, ["Foo": "1"]) == (body, true)) }
    }

    @Test("K10 STORAGE: a response too large for the disk leaves no older one behind")
    func noOlder() async throws {
        let scene = try FolderScene { _, number in
            .init(
                fields: [("Cache-Control", "max-age=60")], body: FolderScene.letters(number == 1 ? 100 : 3_000, number))
        }
        let first = scene.cache(diskLimit: 2_000)
        _ = try await scene.get(over: first)
        #expect(try await !scene.get(over: first, ["Cache-Control": "no-cache"]).isHit)
        #expect(try await scene.get(over: first) == (FolderScene.letters(3_000, 2), true))
        await first.flush()
        #expect(try await !scene.get(over: scene.cache()).isHit)
        #expect(scene.origin.count == 3)
    }

    @Test(
        "K7 REQUEST, K10 STORAGE: a reload whose response isn't kept leaves no older one in the folder",
        arguments: [0, 16 << 20])
    func reloadNotKept(memoryLimit: Int) async throws {
        let scene = try FolderScene { _, number in
            .init(fields: [("Cache-Control", number == 1 ? "max-age=60" : "no-store")], body: "body \(number)")
        }
        let first = scene.cache()
        _ = try await scene.get(over: first)
        await first.flush()
        let second = scene.cache(memoryLimit: memoryLimit)
        var reload = URLRequest(url: try url("http://host/a"))
        reload.cachePolicy = .reloadIgnoringLocalCacheData
        _ = try await scene.over(second).dataFuture(from: reload).value
        #expect(try await scene.get(over: second) == ("body 3", false))
        await second.flush()
        #expect(try scene.files.isEmpty)
    }

    @Test("K10 STORAGE: a body of more than half of the disk limit isn't written, and evicts nothing")
    func moreThanHalf() async throws {
        let scene = try FolderScene { request, _ in
            let length = Int(request.url?.lastPathComponent ?? "") ?? 0
            return .init(fields: [("Cache-Control", "max-age=60")], body: FolderScene.letters(length, 1))
        }
        let cache = scene.cache(diskLimit: 10_000), sizes = [1_000, 5_000, 5_001, 9_900]
        for size in sizes { _ = try await scene.get("/\(size)", over: cache) }
        await cache.flush()
        #expect(cache.statistics.diskCount == 2)
        #expect(cache.statistics.evictions == 0)
        let second = scene.cache(diskLimit: 10_000)
        for size in sizes {
            #expect(try await scene.get("/\(size)", over: second).isHit == (size <= 5_000), "\(size) bytes")
        }
    }

    @Test("K10 STORAGE: a response whose file can't be put in place leaves no older one behind, in memory either")
    func notInPlace() async throws {
        let scene = try FolderScene { _, number in
            .init(
                fields: [("Cache-Control", "max-age=60")],
                body: FolderScene.letters(number == 1 ? 10 : 2_000_000, number))
        }
        let cache = scene.cache()
        _ = try await scene.get(over: cache)
        await cache.flush()
        let file = try #require(try scene.files.first)
        try FileManager.default.removeItem(at: file)
        try FileManager.default.createDirectory(at: file, withIntermediateDirectories: false)
        #expect(
            try await scene.get(over: cache, ["Cache-Control": "no-cache"]).text == FolderScene.letters(2_000_000, 2))
        #expect(cache.statistics.failures == 1)
        #expect(try await scene.get(over: cache) == (FolderScene.letters(2_000_000, 3), false))
    }

    @Test("K6 VALIDATE, K10 STORAGE: a 304 whose fields can't be written leaves no older ones behind")
    func unwrittenFields() async throws {
        let scene = try FolderScene { request, _ in
            let isKnown = request.value(forHTTPHeaderField: "If-None-Match") != nil
            return .init(
                status: isKnown ? 304 : 200,
                fields: [("Cache-Control", isKnown ? "no-cache" : "max-age=60"), ("ETag", "\"a\"")],
                body: isKnown ? "" : "body")
        }
        let cache = scene.cache()
        _ = try await scene.get(over: cache)
        await cache.flush()
        let file = try #require(try scene.files.first)
        let update = file.deletingPathExtension().appendingPathExtension("update")
        try FileManager.default.createDirectory(at: update, withIntermediateDirectories: false)
        #expect(try await scene.get(over: cache, ["Cache-Control": "no-cache"]).text == "body")
        await cache.flush()
        #expect(cache.statistics.validations == 1)
        #expect(cache.statistics.failures == 1)
        #expect(try scene.files.isEmpty)
        #expect(try await scene.get(over: scene.cache()) == ("body", false))
    }

    @Test("K6 VALIDATE, K10 STORAGE: a 304 renews no other body in the folder, even of the same length")
    func otherBody() async throws {
        let scene = try FolderScene { request, number in
            switch number {
            case 1, 2:
                .init(fields: [("Cache-Control", "max-age=1"), ("ETag", "\"\(number)\"")], body: "body \(number)")
            case 3: .init(status: 304, fields: [("Cache-Control", "max-age=60"), ("ETag", "\"1\"")])
            default: .init(body: "wrong")
            }
        }
        let one = scene.cache(), other = scene.cache()
        _ = try await scene.get(over: one)
        await one.flush()
        #expect(try await scene.get(over: other, ["Cache-Control": "no-cache"]).text == "body 2")
        await other.flush()
        scene.clock.advance(by: 10)
        #expect(try await scene.get(over: one).text == "body 1")
        await one.flush()
        let response = try await scene.over(scene.cache()).dataFuture(from: URLRequest(url: try url("http://host/a")))
            .value
        #expect(response.head.value(for: "ETag") == "\"1\"")
        #expect(response.data == Data("body 1".utf8))
    }
}
