import Foundation
import PiuPiu
import PiuPiuTesting
import TestSupport
import Testing

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// Whatever happens to a cache's files between two requests is a miss, with a good answer.
@Suite("HTTP cache: damaged and foreign files", .timeLimit(.minutes(10)))
struct CacheDamageTests {
    /// Stores a response, and returns its file and contents.
    private func kept(_ scene: FolderScene) async throws -> (file: URL, bytes: Data) {
        let cache = scene.cache()
        _ = try await scene.get(over: cache)
        await cache.flush()
        let file = try #require(try scene.files.first)
        return (file, try Data(contentsOf: file))
    }

    @Test("K10 STORAGE: a file that was cut off anywhere, or has one wrong byte, is a miss")
    func everyByte() async throws {
        let scene = try FolderScene()
        let (file, bytes) = try await kept(scene)
        var damaged = (0..<bytes.count).map { bytes.prefix($0) }
        for index in bytes.indices {
            var copy = bytes
            copy[index] ^= [1, 0x20, 0x80][index % 3]
            damaged.append(copy)
        }
        damaged += [bytes + Data([0]), Data([0]) + bytes, bytes + bytes, Data(count: bytes.count)]
        for (index, content) in damaged.enumerated() {
            try content.write(to: file)
            let cache = scene.cache(), count = scene.origin.count
            #expect(try await scene.get(over: cache) == ("body \(count + 1)", false), "damage \(index)")
            // The next one is good again.
            #expect(try await scene.get(over: cache).isHit)
            await cache.flush()
        }
    }

    @Test("K10 STORAGE: damaged newer fields are ignored, and the body stays")
    func everyByteOfUpdate() async throws {
        let scene = try FolderScene { request, number in
            .init(
                status: number == 1 ? 200 : 304, fields: [("Cache-Control", "max-age=60"), ("ETag", "\"a\"")],
                body: number == 1 ? "body" : "")
        }
        _ = try await kept(scene)
        scene.clock.advance(by: 100)
        let cache = scene.cache()
        _ = try await scene.get(over: cache)
        await cache.flush()
        let name = try #require(try scene.names.first { $0.hasSuffix(".update") })
        let file = scene.folder.appending(path: name), bytes = try Data(contentsOf: file)
        for index in bytes.indices {
            var copy = bytes
            copy[index] ^= 4
            for content in [copy, bytes.prefix(index)] {
                try content.write(to: file)
                let cache = scene.cache(), count = scene.origin.count
                #expect(try await scene.get(over: cache) == ("body", false))
                #expect(scene.origin.count == count + 1)
                await cache.flush()
            }
        }
    }

    enum Change: String, CaseIterable, Sendable {
        case empty, first, middle, last, shorter, longer, gone, other, folder, fifo, link, version

        func apply(to file: URL, of scene: FolderScene) async throws {
            var bytes = try Data(contentsOf: file)
            switch self {
            case .empty: bytes = Data()
            case .first: bytes[0] ^= 1
            case .middle: bytes[bytes.count / 2] ^= 1
            case .last: bytes[bytes.count - 1] ^= 1
            case .shorter: bytes.removeFirst(7)
            case .longer: bytes.insert(0, at: 9)
            case .version: bytes[bytes.count - 1] += 1
            case .other:
                // Whole, but of another URL.
                let cache = scene.cache()
                _ = try await scene.get("/other", over: cache)
                await cache.flush()
                bytes = try Data(contentsOf: try #require(try scene.files.first { $0.path() != file.path() }))
            case .gone, .folder, .fifo, .link: break
            }
            try FileManager.default.removeItem(at: file)
            switch self {
            case .gone: break
            case .folder:
                try FileManager.default.createDirectory(at: file, withIntermediateDirectories: false)
                try Data("mine".utf8).write(to: file.appending(path: "mine"))
            case .fifo: try #require(mkfifo(file.path(percentEncoded: false), 0o600) == 0)
            case .link:
                let target = scene.temporary.file("target")
                try bytes.write(to: target)
                try FileManager.default.createSymbolicLink(at: file, withDestinationURL: target)
            default: try bytes.write(to: file)
            }
        }
    }

    @Test(
        "K10 STORAGE: whatever replaces a file is a miss, whether the file is known or not", arguments: Change.allCases,
        [10, 2_000_000])
    func changed(change: Change, size: Int) async throws {
        for isKnown in [false, true] where !isKnown || size > 1 << 20 {
            let scene = try FolderScene(FolderScene.letters(size))
            var cache = scene.cache()
            for _ in 0..<2 { _ = try await scene.get(over: cache) }
            await cache.flush()
            let file = try #require(try scene.files.first)
            if !isKnown { cache = scene.cache() }
            try await change.apply(to: file, of: scene)
            let next = scene.origin.count + 1
            #expect(try await scene.get(over: cache) == (FolderScene.letters(size, next), false))
            if change != .folder {
                #expect(try await scene.get(over: cache) == (FolderScene.letters(size, next), true))
                await cache.flush()
                #expect(try await scene.get(over: scene.cache()) == (FolderScene.letters(size, next), true))
            } else {
                cache.removeAll()
                await cache.flush()
                #expect(file.appending(path: "mine").content == "mine")
            }
            if change == .link { #expect(try Data(contentsOf: scene.temporary.file("target")).count >= size) }
        }
    }

    @Test(
        "K10 STORAGE: a file modified in place is noticed at the next request", arguments: [0, 999_999])
    func writtenInPlace(offset: UInt64) async throws {
        let scene = try FolderScene(FolderScene.letters(2_000_000))
        let cache = scene.cache()
        for _ in 0..<2 { #expect(try await scene.get(over: cache).text == FolderScene.letters(2_000_000, 1)) }
        await cache.flush()
        let handle = try FileHandle(forUpdating: try #require(try scene.files.first))
        try handle.seek(toOffset: offset)
        try handle.write(contentsOf: Data([0]))
        try handle.close()
        #expect(try await scene.get(over: cache) == (FolderScene.letters(2_000_000, 2), false))
    }

    @Test("K10 STORAGE: the answer to a HEAD needs no body, so none is read or verified for it")
    func damagedForHead() async throws {
        let scene = try FolderScene(FolderScene.letters(2_000_000)), first = scene.cache(), second = scene.cache()
        _ = try await scene.get(over: first)
        await first.flush()
        let handle = try FileHandle(forUpdating: try #require(try scene.files.first))
        try handle.write(contentsOf: Data([0]))
        try handle.close()
        #expect(try await scene.get(over: second, method: "HEAD") == ("", true))
        // Its head is in memory by now, so it needs no exchange.
        let engine = scene.origin.cached(in: second) as? any AnsweringEngine
        #expect(try engine?.answer(to: hop("/a", method: "HEAD"))?.count == 2)
        #expect(scene.origin.count == 1)
        #expect(try await scene.get(over: second) == (FolderScene.letters(2_000_000, 2), false))
    }

    @Test("K7 REQUEST: with only-if-cached the server isn't asked for a stored response that can't be read either")
    func offlineAndGone() async throws {
        let scene = try FolderScene(FolderScene.letters(2_000_000)), cache = scene.cache()
        _ = try await scene.get(over: cache)
        await cache.flush()
        try FileManager.default.removeItem(at: try #require(try scene.files.first))
        #expect(try await scene.get(over: cache, ["Cache-Control": "only-if-cached"]) == ("", false))
        #expect(scene.origin.count == 1)
    }

    @Test(
        """
        K12 STREAMS, K10 STORAGE: a body that is streamed isn't verified again before its head; one that is collected \
        is, and damage is a miss
        """, arguments: [true, false])
    func verifiedOnce(isStream: Bool) async throws {
        let scene = try FolderScene(FolderScene.letters(2_000_000)), cache = scene.cache()
        for _ in 0..<2 { #expect(try await scene.get(over: cache).text == FolderScene.letters(2_000_000, 1)) }
        await cache.flush()
        let file = try #require(try scene.files.first)
        var status = stat()
        try #require(stat(file.path(percentEncoded: false), &status) == 0)
        // Damage that nobody can see before the whole body was read.
        let handle = try FileHandle(forUpdating: file)
        try handle.write(contentsOf: Data([0]))
        try handle.close()
        #if canImport(Darwin)
            let time = status.st_mtimespec
        #else
            let time = status.st_mtim
        #endif
        try #require(utimensat(AT_FDCWD, file.path(percentEncoded: false), [time, time], 0) == 0)
        if isStream {
            let get = URLRequest(url: try url("http://host/a"))
            let error = await #expect(throws: TransferError.self) {
                for try await _ in try await scene.over(cache).streamFuture(from: get).value.data {}
            }
            #expect(error?.kind == .truncated && error?.url?.absoluteString == "http://host/a")
            #expect(scene.origin.count == 1)
        }
        // It is noticed then.
        #expect(try await scene.get(over: cache) == (FolderScene.letters(2_000_000, 2), false))
    }

    @Test(
        "K10 STORAGE: a file is a hit whatever its time says, also after the year 2262", arguments: [10, 2_000_000])
    func farFuture(size: Int) async throws {
        let scene = try FolderScene(FolderScene.letters(size))
        let (file, _) = try await kept(scene)
        // The first second of 2300. Its nanoseconds since 1970 are more than 64 bits can count.
        let time = Date(timeIntervalSince1970: 10_413_792_000), path = file.path(percentEncoded: false)
        try FileManager.default.setAttributes([.modificationDate: time], ofItemAtPath: path)
        #expect(try FileManager.default.attributesOfItem(atPath: path)[.modificationDate] as? Date == time)
        #expect(try await scene.get(over: scene.cache()) == (FolderScene.letters(size, 1), true))
    }

    @Test("K10 STORAGE: foreign files are left alone, and never read")
    func foreign() async throws {
        let scene = try FolderScene()
        let name = String(repeating: "a", count: 32) + "-" + String(repeating: "b", count: 16) + "-"
        let names = ["notes.txt", "x.cache", "x.update", name + "0123456789ABCDEF.cache", ".hidden"]
        try FileManager.default.createDirectory(at: scene.folder, withIntermediateDirectories: true)
        for name in names { try Data("mine".utf8).write(to: scene.folder.appending(path: name)) }
        let inside = scene.folder.appending(path: name + "0123456789abcdef.cache/mine")
        try FileManager.default.createDirectory(
            at: inside.deletingLastPathComponent(), withIntermediateDirectories: false)
        try Data("mine".utf8).write(to: inside)
        try #require(mkfifo(scene.folder.appending(path: name + "0123456789abcde0.cache").path(), 0o600) == 0)
        let cache = scene.cache(diskLimit: 1_000)
        for path in ["/a", "/b", "/c", "/a"] { _ = try await scene.get(path, over: cache) }
        cache.remove(try url("http://host/a"))
        cache.removeAll()
        await cache.flush()
        for name in names { #expect(scene.folder.appending(path: name).content == "mine", "\(name)") }
        #expect(inside.content == "mine")
        #expect(cache.statistics.failures == 0)
        #expect(try scene.names.count == names.count + 2)
    }
}
