import Foundation
import PiuPiu
import TestSupport

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// A folder for a cache, and a server whose answers are numbered.
final class FolderScene: Sendable {
    let temporary: TemporaryFolder
    let folder: URL
    let clock = WallClock()
    let origin: CacheOrigin

    /// - Parameter answer: the answer to a request of a path; "body 1" for a minute by default.
    init(_ answer: @escaping CacheOrigin.Handler = FolderScene.numbered) throws {
        temporary = try TemporaryFolder()
        folder = temporary.url.appending(path: "cache", directoryHint: .isDirectory)
        origin = CacheOrigin(answer)
    }

    static let numbered: CacheOrigin.Handler = { _, number in
        .init(fields: [("Cache-Control", "max-age=60"), ("ETag", "\"\(number)\"")], body: "body \(number)")
    }

    /// A server that answers with `count` copies of one letter: a, then b, and so on.
    static func letters(_ count: Int, _ fields: [(String, String)] = [("Cache-Control", "max-age=3600")])
        -> CacheOrigin.Handler
    {
        { _, number in .init(fields: fields, body: letters(count, number)) }
    }

    static func letters(_ count: Int, _ number: Int) -> String {
        String(decoding: Data(repeating: UInt8(97 + (number - 1) % 26), count: count), as: UTF8.self)
    }

    /// A cache over the folder, as after a restart of the app.
    func cache(memoryLimit: Int = 16 << 20, diskLimit: Int64 = 256 << 20) -> HTTPCache {
        HTTPCache(
            memoryLimit: memoryLimit, folder: folder, diskLimit: diskLimit,
            now: { [clock] in Date(timeIntervalSince1970: clock.now) })
    }

    /// A dispatcher over a cache.
    func over(_ cache: HTTPCache) -> URLRequestDispatcher { URLRequestDispatcher(engine: origin).cached(in: cache) }

    /// Gets a path over a cache, and returns its text and whether it was a hit.
    func get(
        _ path: String = "/a", over cache: HTTPCache, method: String = "GET", _ fields: [String: String] = [:]
    ) async throws -> (text: String, isHit: Bool) {
        var request = URLRequest(url: try url("http://host\(path)"))
        request.httpMethod = method
        for (name, value) in fields { request.setValue(value, forHTTPHeaderField: name) }
        let response = try await over(cache).dataFuture(from: request).value
        return (String(decoding: response.data ?? Data(), as: UTF8.self), response.cacheStatus?.isHit == true)
    }

    /// The names in the cache's folder.
    var names: [String] {
        get throws { try FileManager.default.contentsOfDirectory(atPath: folder.path(percentEncoded: false)).sorted() }
    }

    /// The files that hold responses.
    var files: [URL] { get throws { try names.filter { $0.hasSuffix(".cache") }.map { folder.appending(path: $0) } } }
}
