import Dispatch
import Foundation
import PiuPiu
import PiuPiuTesting
import TestSupport
import Testing

/// What other caches and other processes do to a folder.
extension CacheFolderTests {
    @Test(
        "K8 INVALIDATE, K10 STORAGE: removing a URL removes the files that another cache has written since",
        arguments: [false, true])
    func removedForOthers(isUnsafeRequest: Bool) async throws {
        let scene = try FolderScene(), one = scene.cache(), other = scene.cache()
        // Scans the folder.
        _ = try await scene.get("/kept", over: one)
        await one.flush()
        _ = try await scene.get(over: other)
        _ = try await scene.get(over: other, ["Authorization": "A"])
        await other.flush()
        if isUnsafeRequest {
            _ = try await scene.get(over: one, method: "DELETE")
        } else {
            one.remove(try url("http://host/a"))
        }
        await one.flush()
        #expect(try scene.files.count == 1)
        let last = scene.cache(), count = scene.origin.count
        #expect(try await scene.get("/kept", over: last).isHit)
        #expect(try await scene.get(over: last) == ("body \(count + 1)", false))
    }

    @Test("K8 INVALIDATE, K10 STORAGE: many removals of other caches' files list the folder once")
    func removedTogether() async throws {
        let scene = try FolderScene(), one = scene.cache(), other = scene.cache()
        _ = try await scene.get("/kept", over: one)
        await one.flush()
        for index in 0..<300 { _ = try await scene.get("/\(index)", over: other) }
        await other.flush()
        let mayGoOn = DispatchSemaphore(value: 0), listings = one.listings
        one.performInFolder { mayGoOn.wait() }
        for index in 0..<300 { one.remove(try url("http://host/\(index)")) }
        mayGoOn.signal()
        await one.flush()
        #expect(try scene.files.count == 1 && one.listings == listings + 1)
        one.remove(try url("http://host/none"))
        await one.flush()
        #expect(one.listings == listings + 2)
        #expect(try await scene.get("/kept", over: scene.cache()).isHit)
    }

    @Test("K10 STORAGE: a look-up never loses a response that another process replaces meanwhile")
    func replacedMeanwhile() async throws {
        // Without room in memory each request reads the file.
        let scene = try FolderScene(), cache = scene.cache(memoryLimit: 0)
        var copies: [URL] = []
        for _ in 0..<2 {
            _ = try await scene.get(over: cache, ["Cache-Control": "no-cache"])
            await cache.flush()
            copies.append(scene.temporary.file("copy \(copies.count)"))
            try FileManager.default.copyItem(at: try #require(try scene.files.first), to: copies[copies.count - 1])
        }
        let file = try #require(try scene.files.first), isOver = Locked(false), replaced = Watched<Int?>(nil)
        let lookUp = DispatchSemaphore(value: 0)
        // A thread of its own, as it blocks. It replaces the file a few times during each look-up.
        Thread.detachNewThread { [copies] in
            var count = 0
            while true {
                lookUp.wait()
                if isOver.withLock({ $0 }) { break }
                for _ in 0..<5 {
                    let link = scene.temporary.file("link")
                    try? FileManager.default.linkItem(at: copies[count % 2], to: link)
                    guard rename(link.path(percentEncoded: false), file.path(percentEncoded: false)) == 0 else { break }
                    // A link to the file that has the name already is no change, and stays.
                    try? FileManager.default.removeItem(at: link)
                    count += 1
                }
            }
            replaced.withLock { [count] in $0 = count }
        }
        for _ in 0..<500 where scene.origin.count == 2 {
            lookUp.signal()
            let (text, isHit) = try await scene.get(over: cache)
            #expect(isHit && ["body 1", "body 2"].contains(text))
        }
        isOver.withLock { $0 = true }
        lookUp.signal()
        await replaced.wait { $0 != nil }
        #expect(replaced.withLock { $0 ?? 0 } > 0)
        #expect(scene.origin.count == 2)
    }

    @Test("K10 STORAGE: a file that can't be opened for a while is a miss, and isn't lost", arguments: [10, 2_000_000])
    func notOpened(size: Int) async throws {
        let scene = try FolderScene(FolderScene.letters(size)), body = FolderScene.letters(size, 1)
        // The larger body is in a file that the memory knows; the other one is read from the folder for each request.
        let cache = scene.cache(memoryLimit: size == 10 ? 0 : 16 << 20)
        for _ in 0..<2 { #expect(try await scene.get(over: cache).text == body) }
        await cache.flush()
        let fields = ["Cache-Control": "only-if-cached"], elsewhere = scene.temporary.url.appending(path: "elsewhere")
        try FileManager.default.moveItem(at: scene.folder, to: elsewhere)
        // Its path leads through a file, so the error is another one than for a file that is gone.
        try Data().write(to: scene.temporary.url.appending(path: "cache"))
        #expect(try await scene.get(over: cache, fields) == ("", false))
        await cache.flush()
        try FileManager.default.removeItem(at: scene.temporary.url.appending(path: "cache"))
        try FileManager.default.moveItem(at: elsewhere, to: scene.folder)
        #expect(try await scene.get(over: cache, fields) == (body, true))
        #expect(scene.origin.count == 1)
    }
}
