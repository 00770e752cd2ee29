import Dispatch
import Foundation

/// The files of a cache: an actor on a queue of its own, which waits only for the disk.
///
/// A failure here loses a stored response, but never fails a request (rule STORAGE). Files are written under a
/// temporary name and renamed, so that no file is ever incomplete. Other caches and other processes may share the
/// folder.
actor CacheFolder {
    /// A body in a file up to this size is read as a whole.
    static let wholeInMemory = 1 << 20

    private nonisolated let executor = QueueExecutor(label: "PiuPiu.cache")
    nonisolated var unownedExecutor: UnownedSerialExecutor { executor.asUnownedSerialExecutor() }

    nonisolated let url: URL
    nonisolated let limit: Int64
    /// How many bytes may wait in memory to be written.
    private nonisolated let waitingLimit: Int
    /// The known files, for callers that must not wait; changed only here.
    private nonisolated let known = Locked(Known())
    var random = SystemRandomNumberGenerator()
    private var evictionsSinceLook = 0
    /// Whether all is to be removed that the next look finds, as it could not be found when that was asked for.
    private var mustBeEmptied = false

    private struct Known: Sendable {
        /// `nil` before the folder was scanned.
        var list: CacheFileList?
        /// How many responses of a key are enqueued to be written.
        var enqueued: [CacheKey: Int] = [:]
        /// How many bytes these take.
        var waiting = 0
        /// The URIs whose files are to be removed, also those of other processes.
        var removals: Set<String> = []
        /// How often the folder was listed.
        var listings = 0
        var evictions = 0
        var failures = 0
    }

    init(url: URL, limit: Int64, waitingLimit: Int) {
        self.url = url
        self.limit = limit
        self.waitingLimit = waitingLimit
    }

    // MARK: From any thread, in order

    /// Runs work here, after all work that was enqueued before.
    nonisolated func perform(_ work: @escaping @Sendable (isolated CacheFolder) -> Void) {
        executor.queue.async { self.assumeIsolated(work) }
    }

    /// Enqueues the writing of a response, which ``mayHold(moreThan:of:)`` counts from now on.
    ///
    /// If responses come faster than the disk takes them, it isn't written, so that memory doesn't fill up: then this
    /// returns `false`.
    nonisolated func enqueue(_ response: StoredResponse) -> Bool {
        let key = response.key, cost = response.cost
        let isAdmitted = known.withLock { known in
            guard known.waiting + cost <= waitingLimit else {
                known.failures += 1
                return false
            }
            known.waiting += cost
            known.enqueued[key, default: 0] += 1
            return true
        }
        guard isAdmitted else {
            // An older one would be served in its place. Its name doesn't retain the response.
            let name = CacheFileName(response).name
            perform { $0.remove(name) }
            return false
        }
        perform { folder in
            folder.keep(response)
            folder.known.withLock { known in
                known.waiting -= cost
                let left = (known.enqueued[key] ?? 1) - 1
                known.enqueued[key] = left > 0 ? left : nil
            }
        }
        return true
    }

    /// Enqueues the removal of all responses of a URI.
    nonisolated func enqueueRemoval(of uri: String) {
        known.withLock { _ = $0.removals.insert(uri) }
        perform { $0.remove(uri: uri) }
    }

    /// Whether the folder may have more responses of a key than are known already.
    nonisolated func mayHold(moreThan known: Int, of key: CacheKey) -> Bool {
        self.known.withLock { all in
            guard let list = all.list else { return true }
            let enqueued = all.enqueued[key] ?? 0
            guard list.count > 0 else { return enqueued > known }
            let count = list.names(ofStem: CacheFileName.stem(key)).count + enqueued
            return min(count, CacheIndex.mostVariants) > known
        }
    }

    /// Whether a file is here, as far as that is known without a look.
    nonisolated func knows(_ file: StoredFile) -> Bool {
        known.withLock { $0.list?.contains(file.url.lastPathComponent) == true }
    }

    /// How often the folder was listed, for tests.
    nonisolated var listings: Int { known.withLock { $0.listings } }

    /// Counts a response that could not be stored here.
    nonisolated func countFailure() { known.withLock { $0.failures += 1 } }

    /// The size and number of the files, and the evictions and failures so far.
    nonisolated var figures: (size: Int64, count: Int, evictions: Int, failures: Int) {
        known.withLock { ($0.list?.size ?? 0, $0.list?.count ?? 0, $0.evictions, $0.failures) }
    }

    // MARK: Reading

    /// The stored responses of a key. A file that can't be opened now is a miss, and stays.
    func load(_ key: CacheKey) -> [StoredResponse] {
        change { $0.names(ofStem: CacheFileName.stem(key)) }.compactMap { try? load($0, of: key) }
    }

    private func load(_ name: String, of key: CacheKey) throws(FileTransferError) -> StoredResponse? {
        let place = place(name)
        guard let file = try FileSystem.openStored(place) else {
            // Removed by another process.
            remove(name)
            return nil
        }
        guard let head = try? CacheFile(file), head.key == SecureHash.hex(key.text.utf8) else {
            // Damaged, or of another version.
            remove(name, ifStill: file)
            return nil
        }
        var newest = head
        if let file = try FileSystem.openStored(self.place(CacheFileName.update(of: name))),
            let update = try? CacheFile(file, hasBody: false), update.id == head.id
        {
            newest = update
        }
        let stored = StoredFile(
            url: place, bodyLength: head.bodyLength, checksum: head.checksum, id: head.id)
        use(name)
        guard head.bodyLength <= Int64(Self.wholeInMemory) else {
            return newest.response(for: key, body: .file(stored))
        }
        // From the file whose head was read: another process may have replaced it since.
        guard let body = head.body(in: file) else {
            remove(name, ifStill: file)
            return nil
        }
        return newest.response(for: key, body: .data(body))
    }

    /// Marks the file of a response as used; the response may be in memory, too.
    func use(_ response: StoredResponse) {
        let name = CacheFileName(response).name
        guard case .file(let stored) = response.body else { return use(name) }
        stored.touch { use(name) }
    }

    /// Marks a file as used: its modification time passes that on to the next process.
    func use(_ name: String) {
        guard change({ $0.use(name) }) else { return }
        try? FileManager.default.setAttributes(
            [.modificationDate: Date()], ofItemAtPath: place(name).path(percentEncoded: false))
    }

    // MARK: Removing

    func remove(_ response: StoredResponse) { remove(CacheFileName(response).name) }

    /// Removes a response, unless a newer one has its name by now. A file that can't be opened goes, too: a lost
    /// response is better than an older one.
    func removeUnlessReplaced(_ response: StoredResponse) {
        let name = CacheFileName(response).name
        if let file = try? FileSystem.open(place(name), .reading), let present = try? CacheFile(file),
            !present.holds(response.body)
        {
            return
        }
        remove(name)
    }

    private func remove(uri: String) {
        for name in change({ $0.names(ofURI: CacheFileName.uri(uri)) }) { remove(name) }
        // Also files that another process has written since; their names are enough. One listing is for all removals
        // that wait: a large folder takes longer to list than the next request takes to come.
        let uris = known.withLock { known in
            guard known.removals.contains(uri) else { return Set<String>() }
            defer { known.removals = [] }
            return known.removals
        }
        guard !uris.isEmpty else { return }
        guard let contents else { return known.withLock { $0.removals.formUnion(uris) } }
        let prefixes = Set(uris.map(CacheFileName.uri))
        for name in contents.compactMap(CacheFileName.init(found:)) where prefixes.contains(name.uri) {
            remove(name.name)
        }
    }

    func removeAll() {
        // Includes files that another process has written since.
        mustBeEmptied = true
        if look() { return }
        countFailure()
        for name in known.withLock({ $0.list?.names ?? [] }) { remove(name) }
        known.withLock { $0.list = nil }
    }

    func remove(_ name: String) {
        change { $0.remove(name) }
        unlink(name)
        unlink(CacheFileName.update(of: name))
    }

    /// Removes a file that is no response, unless another process has replaced it since it was opened.
    private func remove(_ name: String, ifStill file: FileHandle) {
        if FileSystem.isNamed(place(name), file) { remove(name) }
    }

    /// Removes a file. A folder of that name isn't the cache's, and stays.
    func unlink(_ name: String) {
        let place = place(name)
        if FileStatus(path: place.path(percentEncoded: false))?.isFolder == false {
            try? FileManager.default.removeItem(at: place)
        }
    }

    func evict() {
        // Other processes that share the folder add and remove files. Once at most, because files that can't be removed
        // come back with each scan.
        if evictionsSinceLook > max(256, change { $0.count }) { look() }
        while let name = change({ $0.next(beyond: limit) }) {
            remove(name)
            known.withLock { $0.evictions += 1 }
            evictionsSinceLook += 1
        }
    }

    // MARK: The folder

    /// The names of all that is in the folder; `nil` if it can't be listed now, for example without a descriptor.
    private var contents: [String]? {
        known.withLock { $0.listings += 1 }
        let names = try? FileManager.default.contentsOfDirectory(atPath: url.path(percentEncoded: false))
        return names ?? (FileStatus(following: url)?.isFolder == true ? nil : [])
    }

    /// Scans the names, sizes and times in the folder.
    ///
    /// - Returns: false if that isn't possible now: what was known stays known.
    @discardableResult
    private func look() -> Bool {
        evictionsSinceLook = 0
        guard let all = contents else { return false }
        let path = url.path(percentEncoded: false)
        var updates: [String: Int64] = [:]
        var found: [(name: CacheFileName, size: Int64, time: FileTime)] = []
        for text in all {
            let name = CacheFileName(found: text), updated = CacheFileName.updated(by: text)
            guard name != nil || updated != nil, let status = FileStatus(path: "\(path)/\(text)"), status.isRegular
            else { continue }
            if let updated { updates[updated] = status.size }
            if let name { found.append((name, status.size, status.changed)) }
        }
        var list = CacheFileList()
        for (name, size, _) in found.sorted(by: { $0.time < $1.time }) {
            let size = size + (updates.removeValue(forKey: name.name) ?? 0)
            guard let surplus = list.insert(name.name, uri: name.uri, stem: name.stem, size: size) else { continue }
            unlink(surplus)
            unlink(CacheFileName.update(of: surplus))
        }
        // Updates of files that are gone.
        for name in updates.keys { unlink(CacheFileName.update(of: name)) }
        known.withLock { $0.list = list }
        if !all.isEmpty { Leftovers.sweep(url) }
        if mustBeEmptied {
            mustBeEmptied = false
            for name in list.names { remove(name) }
        }
        return true
    }

    /// Reads or changes the list, after scanning the folder if that has not been done. A change before it could be
    /// scanned is lost: the scan will find what is there.
    @discardableResult
    func change<Output>(_ body: (inout CacheFileList) -> Output) -> Output {
        if known.withLock({ $0.list == nil }) { look() }
        return known.withLock { known in
            guard var list = known.list else {
                var unknown = CacheFileList()
                return body(&unknown)
            }
            // In place, without a copy of the list.
            known.list = nil
            defer { known.list = list }
            return body(&list)
        }
    }

    func place(_ name: String) -> URL { url.appending(path: name, directoryHint: .notDirectory) }

    @discardableResult
    func attempt(_ work: () throws -> Void) -> Bool {
        do {
            try work()
            return true
        } catch {
            countFailure()
            return false
        }
    }
}
