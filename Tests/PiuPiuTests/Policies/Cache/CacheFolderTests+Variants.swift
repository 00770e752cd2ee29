import Foundation
import PiuPiu
import Testing

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// How many variants of a key a folder keeps.
extension CacheFolderTests {
    @Test("K1 KEY, K10 STORAGE: memory and folder keep 32 variants of a key, and the least recently used go")
    func mostVariants() async throws {
        let scene = try FolderScene { request, _ in
            .init(
                fields: [("Cache-Control", "max-age=36000"), ("Vary", "X")],
                body: request.value(forHTTPHeaderField: "X") ?? "")
        }
        let first = scene.cache()
        for variant in 0..<40 {
            _ = try await scene.get(over: first, ["X": "\(variant)"])
            // A use is recorded in the folder once a minute.
            scene.clock.advance(by: 100)
            #expect(try await scene.get(over: first, ["X": "0"]) == ("0", true), "variant \(variant)")
        }
        await first.flush()
        #expect(first.statistics.memoryCount == 32)
        #expect(first.statistics.diskCount == 32)
        #expect(try scene.files.count == 32)
        let second = scene.cache()
        for variant in 0..<40 {
            let fields = ["X": "\(variant)", "Cache-Control": "only-if-cached"]
            #expect(try await scene.get(over: second, fields).isHit == (variant == 0 || variant > 8), "\(variant)")
        }
        #expect(scene.origin.count == 40)
    }

    @Test("K1 KEY, K10 STORAGE: of a key with more than 32 files, the oldest go when the folder is scanned")
    func manyFiles() async throws {
        let scene = try FolderScene(), first = scene.cache()
        _ = try await scene.get(over: first)
        await first.flush()
        let known = try #require(try scene.files.first)
        for index in 0..<100 {
            let name = "\(known.lastPathComponent.prefix(50))\(String(repeating: "0", count: 13))\(index + 100).cache"
            let file = scene.folder.appending(path: name), time = Date(timeIntervalSince1970: 1_000 + Double(index))
            try Data("garbage".utf8).write(to: file)
            try FileManager.default.setAttributes(
                [.modificationDate: time], ofItemAtPath: file.path(percentEncoded: false))
        }
        let second = scene.cache()
        // Another key: it scans the folder, and reads none of these.
        _ = try await scene.get("/other", over: second)
        await second.flush()
        #expect(try scene.files.count == 33)
        #expect(second.statistics.diskCount == 33)
        #expect(try await scene.get(over: second).isHit)
    }
}
