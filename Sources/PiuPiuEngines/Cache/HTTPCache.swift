public import Foundation

/// A private HTTP cache by RFC 9111, for every platform and engine: in memory, and optionally in a folder.
///
/// ```swift
/// let cache = HTTPCache(memoryLimit: 20 << 20, folder: caches.appending(path: "http"), diskLimit: 200 << 20)
/// let dispatcher = URLRequestDispatcher().cached(in: cache)
/// ```
///
/// The article <doc:Caching> has the rules. The server decides what is stored and for how long;
/// ``URLRequestDispatcher/cached(in:partition:)`` describes what a request can ask for.
///
/// A `Sendable` value: copies, and all dispatchers that use it, share the stored responses. Several caches may use one
/// folder, also in other processes. A failure of the folder (a full disk, no permission, damaged files) loses stored
/// responses, but fails no request. Only damage that is found after the head was delivered, as that of a stream or a
/// download may be, fails the request: with a ``TransferError`` of the kind ``TransferError/Kind/truncated``.
public struct HTTPCache: Sendable {
    let store: CacheStore

    /// Makes a cache. Nothing is read or written until it is used.
    ///
    /// - Parameters:
    ///   - memoryLimit: how many bytes are kept in memory, including bodies, heads and the index; 16 MiB by default.
    ///     The least recently used are evicted first. About as much again may wait to be written to the folder, at least
    ///     16 MiB, and about as much may be arriving.
    ///   - folder: the `file:` URL of a folder that belongs to the cache; it is created when needed. Without one,
    ///     stored responses end with the process. Only their owner can read the files. Their names and metadata show
    ///     neither URLs nor credentials; bodies and header fields are stored as received.
    ///   - diskLimit: the maximum size of the files in bytes; 256 MiB by default. About as much again may be arriving.
    ///     There is one file for each 4 KiB of it at most, or 1,000 if that is more.
    ///   - now: returns the time of day; for tests.
    public init(
        memoryLimit: Int = 16 << 20, folder: URL? = nil, diskLimit: Int64 = 256 << 20,
        now: @escaping @Sendable () -> Date = { Date() }
    ) {
        let folder = folder.map {
            CacheFolder(url: $0, limit: max(0, diskLimit), waitingLimit: max(memoryLimit, 16 << 20))
        }
        store = CacheStore(
            memoryLimit: max(0, memoryLimit), folder: folder, now: { now().timeIntervalSince1970 })
    }

    /// Removes everything, at sign-out for instance, in memory at once and on the disk soon after: see ``flush()``.
    ///
    /// A response in flight isn't stored either, and what has arrived of it leaves the folder. What another cache over
    /// the same folder has in its memory stays there.
    public func removeAll() { store.removeAll() }

    /// Removes the responses of a URL, whatever the method, the variant and the partition; the fragment is ignored.
    ///
    /// A response in flight isn't stored either, and what has arrived of it leaves the folder.
    public func remove(_ url: URL) {
        if let uri = CacheKey.uri(of: url) { store.remove(uri: uri) }
    }

    /// Waits until all earlier changes are on the disk.
    ///
    /// Call it before the app is suspended. It doesn't wait for the network, and ignores a cancellation.
    public func flush() async {
        guard let folder = store.folder else { return }
        await withCheckedContinuation { continuation in folder.perform { _ in continuation.resume() } }
    }

    /// Runs work on the queue of the folder, after all earlier changes; for tests that keep it busy.
    package func performInFolder(_ work: @escaping @Sendable () -> Void) {
        store.folder?.perform { _ in work() }
    }

    /// How often the folder was listed, for tests.
    package var listings: Int { store.folder?.listings ?? 0 }

    /// How many requests are in flight, and how many responses are being stored, for tests; zero when all have ended.
    package var unfinished: (visits: Int, fills: Int) { store.unfinished }

    /// How many bytes the responses take that are being stored, in memory and in the folder; for tests.
    package var reserved: (memory: Int64, folder: Int64) {
        (store.reserved(in: .memory), store.reserved(in: .folder))
    }

    /// The contents of the cache, and the outcomes of the requests so far.
    public var statistics: Statistics { store.statistics }
}

extension HTTPCache: CustomStringConvertible, CustomReflectable {
    /// Its contents: "HTTPCache(12 responses, 40960 bytes in memory; 30 responses, 1048576 bytes on disk)".
    public var description: String {
        let figures = statistics
        let disk = store.folder.map { _ in "; \(figures.diskCount) responses, \(figures.diskSize) bytes on disk" } ?? ""
        return "HTTPCache(\(figures.memoryCount) responses, \(figures.memorySize) bytes in memory\(disk))"
    }

    /// Empty: the stored responses may contain secrets.
    public var customMirror: Mirror { Mirror(self, children: []) }
}
