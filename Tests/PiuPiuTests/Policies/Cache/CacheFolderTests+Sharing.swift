import Foundation
import PiuPiu
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
