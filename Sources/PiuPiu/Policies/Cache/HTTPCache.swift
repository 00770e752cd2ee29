public import Foundation

/// A private HTTP cache by RFC 9111, on every platform and over every engine: in memory, and in a folder if there is one.
///
/// ```swift
/// let cache = HTTPCache(memoryLimit: 20 << 20, folder: caches.appending(path: "http"), diskLimit: 200 << 20)
/// let dispatcher = URLRequestDispatcher().cached(in: cache)
/// ```
///
/// The article <doc:Caching> has the rules. The server decides what is kept and for how long; ``URLRequestDispatcher/cached(in:partition:)``
/// says what a request can ask for.
///
/// A `Sendable` value: copies, and all dispatchers over it, share what is kept. Several may use one folder, those of another
/// process too. Whatever goes wrong with the folder (a full disk, no permission, damaged files) costs stored responses, and
/// never a request.
public struct HTTPCache: Sendable {
    let store: CacheStore

    /// Makes a cache. Nothing is read or written until it is used.
    ///
    /// - Parameters:
    ///   - memoryLimit: how many bytes are kept in memory, bodies, heads and what it takes to find them: 16 MiB unless told otherwise.
    ///     The least recently used go first.
    ///   - folder: the `file:` URL of a folder that belongs to the cache; it is made when it is needed. Without one, what is kept
    ///     is gone with the process. Files are readable for their owner only, and their names and heads show neither URLs nor
    ///     credentials; bodies and header fields are as they came.
    ///   - diskLimit: how many bytes the files may hold: 256 MiB unless told otherwise.
    ///   - now: tells the time of day, for tests.
    public init(
        memoryLimit: Int = 16 << 20, folder: URL? = nil, diskLimit: Int64 = 256 << 20,
        now: @escaping @Sendable () -> Date = { Date() }
    ) {
        store = CacheStore(
            memoryLimit: max(0, memoryLimit), folder: folder.map { CacheFolder(url: $0, limit: max(0, diskLimit)) },
            now: { now().timeIntervalSince1970 })
    }

    /// Forgets everything, at a sign-out for instance, in memory at once and on the disk soon after: see ``flush()``.
    ///
    /// A response that is just coming isn't kept either.
    public func removeAll() { store.removeAll() }

    /// Forgets what is kept of a URL, whatever the method, the variant and the partition; the fragment doesn't matter.
    ///
    /// A response that is just coming isn't kept either.
    public func remove(_ url: URL) {
        if let uri = CacheKey.uri(of: url) { store.remove(uri: uri) }
    }

    /// Waits until all that was kept or removed before is on the disk.
    ///
    /// An app does it before it is suspended. It waits for no network, and doesn't notice a cancellation.
    public func flush() async {
        guard let folder = store.folder else { return }
        await withCheckedContinuation { continuation in folder.perform { _ in continuation.resume() } }
    }

    /// How many requests are on their way, and responses just coming, for tests: none when all has ended.
    package var unfinished: (visits: Int, fills: Int) { store.unfinished }

    /// What the cache holds, and what became of the requests so far.
    public var statistics: Statistics { store.statistics }
}

extension HTTPCache: CustomStringConvertible {
    /// What it holds: "HTTPCache(12 responses, 40960 bytes in memory; 30 responses, 1048576 bytes on disk)".
    public var description: String {
        let figures = statistics
        let disk = store.folder.map { _ in "; \(figures.diskCount) responses, \(figures.diskSize) bytes on disk" } ?? ""
        return "HTTPCache(\(figures.memoryCount) responses, \(figures.memorySize) bytes in memory\(disk))"
    }
}
