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
}
