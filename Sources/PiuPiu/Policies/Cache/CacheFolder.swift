import Dispatch
import Foundation

/// The files of a cache: an actor on a queue of its own, on which nobody but the disk is waited for.
///
/// Whatever fails here costs a stored response, and never a request (rule STORAGE). Files are written under another name and
/// renamed, so that none is ever there in part; others may share the folder, another process too.
actor CacheFolder {
    private nonisolated let executor = QueueExecutor(label: "PiuPiu.cache")
    nonisolated var unownedExecutor: UnownedSerialExecutor { executor.asUnownedSerialExecutor() }

    nonisolated let url: URL
    nonisolated let limit: Int64
    /// What there is, for those who ask without waiting; changed here alone.
    private nonisolated let known = Locked(Known())
    private var random = SystemRandomNumberGenerator()
    private var evictionsSinceLook = 0

    private struct Known: Sendable {
        /// `nil` before the folder was looked through.
        var list: CacheFileList?
        var evictions = 0
        var failures = 0
    }

    init(url: URL, limit: Int64) {
        self.url = url
        self.limit = limit
    }

    // MARK: For everybody, in order

    /// Runs work here after all that was asked for before.
    nonisolated func perform(_ work: @escaping @Sendable (isolated CacheFolder) -> Void) {
        executor.queue.async { self.assumeIsolated(work) }
    }

    /// The same, and waits for it: nothing here waits for anybody.
    nonisolated func performAndWait<Output: Sendable>(
        _ work: @Sendable (isolated CacheFolder) -> Output
    ) -> Output {
        executor.queue.sync { self.assumeIsolated(work) }
    }

    /// Whether there may be more of a key than what is known already.
    nonisolated func mayHold(moreThan known: Int, of key: CacheKey) -> Bool {
        self.known.withLock { all in
            guard let list = all.list else { return true }
            return list.count > 0 && list.names(ofStem: CacheFileName.stem(key)).count > known
        }
    }

    /// What the folder holds, and what became of it.
    nonisolated var figures: (size: Int64, count: Int, evictions: Int, failures: Int) {
        known.withLock { ($0.list?.size ?? 0, $0.list?.count ?? 0, $0.evictions, $0.failures) }
    }

    // MARK: Reading

    /// What there is of a key.
    func load(_ key: CacheKey) -> [StoredResponse] {
        open()
        return change { $0.names(ofStem: CacheFileName.stem(key)) }.compactMap { load($0, of: key) }
    }

    private func load(_ name: String, of key: CacheKey) -> StoredResponse? {
        let place = place(name)
        guard let file = try? FileSystem.open(place, .reading), let head = try? CacheFile(file),
            head.key == SecureHash.hex(key.text.utf8)
        else {
            // Damaged, of another version, or gone: another process may have removed it.
            remove(name)
            return nil
        }
        var newest = head
        if let file = try? FileSystem.open(self.place(CacheFileName.update(of: name)), .reading),
            let update = try? CacheFile(file, hasBody: false), update.id == head.id
        {
            newest = update
        }
        let stored = StoredFile(
            url: place, bodyLength: head.bodyLength, checksum: head.checksum, id: head.id)
        use(name)
        guard head.bodyLength <= Int64(StoredLimits.wholeInMemory) else {
            return newest.response(for: key, body: .file(stored))
        }
        guard let body = stored.open().flatMap({ try? $0.read(upToCount: Int(head.bodyLength)) ?? Data() }),
            body.count == Int(head.bodyLength)
        else {
            remove(name)
            return nil
        }
        return newest.response(for: key, body: .data(body))
    }

    /// A file was used: the time of its change tells the next process so.
    private func use(_ name: String) {
        change { $0.use(name) }
        try? FileManager.default.setAttributes(
            [.modificationDate: Date()], ofItemAtPath: place(name).path(percentEncoded: false))
    }

    // MARK: Writing

    /// Writes a response whose body is in memory.
    func keep(_ response: StoredResponse) {
        guard case .data(let body) = response.body, Int64(body.count) <= limit else { return }
        attempt {
            var checksum = FileChecksum()
            checksum.append(body)
            let file = try WritableFile(temporary: "part", in: folder())
            do {
                try file.write(body)
                _ = try finish(file, response, checksum: checksum.value)
            } catch {
                file.discard()
                throw error
            }
        }
    }

    /// Takes a file that holds the body. Returns where the body is from now on; `nil` if it could not be kept.
    func adopt(_ file: WritableFile, _ response: StoredResponse, length: Int64, checksum: UInt64) -> StoredFile? {
        var stored: StoredFile?
        attempt {
            do {
                stored = try finish(file, response, bodyLength: length, checksum: checksum)
            } catch {
                file.discard()
                throw error
            }
        }
        return stored
    }

    /// A file for a body that is too large for the memory; `nil` if there can be none.
    nonisolated func makeFile() -> WritableFile? {
        do {
            try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
            return try WritableFile(temporary: "part", in: url, permissions: 0o600)
        } catch {
            known.withLock { $0.failures += 1 }
            return nil
        }
    }

    private func finish(
        _ file: WritableFile, _ response: StoredResponse, bodyLength: Int64? = nil, checksum: UInt64
    ) throws -> StoredFile {
        open()
        let name = CacheFileName(response), id = random.next()
        let length = bodyLength ?? response.body.count
        try file.write(CacheFile(response, bodyLength: length, checksum: checksum, id: id).encoded())
        let size = Int64(try file.handle.offset())
        try FileSystem.replace(place(name.name), with: file.url)
        try? file.close()
        try? FileManager.default.removeItem(at: place(name.update))
        change { $0.insert(name.name, uri: name.uri, stem: name.stem, size: size) }
        evict()
        return StoredFile(url: place(name.name), bodyLength: length, checksum: checksum, id: id)
    }

    /// Writes newer fields of a response that is kept.
    func update(_ response: StoredResponse) {
        open()
        let name = CacheFileName(response)
        guard change({ $0.names(ofStem: name.stem) }).contains(name.name) else { return keep(response) }
        attempt {
            guard let file = try? FileSystem.open(place(name.name), .reading), let old = try CacheFile(file),
                old.bodyLength == response.body.count
            else { return keep(response) }
            let new = CacheFile(response, bodyLength: old.bodyLength, checksum: old.checksum, id: old.id)
            let update = try WritableFile(temporary: "part", in: folder(), permissions: 0o600)
            do {
                let encoded = try new.encoded()
                try update.write(encoded)
                try FileSystem.replace(place(name.update), with: update.url)
                try? update.close()
                let size = Int64(try file.seekToEnd()) + Int64(encoded.count)
                change { $0.setSize(size, of: name.name) }
            } catch {
                update.discard()
                throw error
            }
        }
    }

    // MARK: Removing

    func remove(_ response: StoredResponse) { remove(CacheFileName(response).name) }

    func remove(uri: String) {
        open()
        for name in change({ $0.names(ofURI: CacheFileName.uri(uri)) }) { remove(name) }
    }

    func removeAll() {
        // What another process has written since is meant too.
        look()
        for name in change({ $0.names }) { remove(name) }
    }

    private func remove(_ name: String) {
        change { $0.remove(name) }
        try? FileManager.default.removeItem(at: place(name))
        try? FileManager.default.removeItem(at: place(CacheFileName.update(of: name)))
    }

    private func evict() {
        while let name = change({ $0.next(beyond: limit) }) {
            remove(name)
            known.withLock { $0.evictions += 1 }
            evictionsSinceLook += 1
            // Others who share the folder add files to it and remove some.
            if evictionsSinceLook > max(256, change { $0.count }) { look() }
        }
    }

    // MARK: The folder

    /// Looks through the folder, the first time.
    private func open() {
        if known.withLock({ $0.list == nil }) { look() }
    }

    /// Looks through the folder, at names, sizes and times alone.
    private func look() {
        evictionsSinceLook = 0
        let properties: Set<URLResourceKey> = [.fileSizeKey, .contentModificationDateKey]
        let all = try? FileManager.default.contentsOfDirectory(at: url, includingPropertiesForKeys: Array(properties))
        var updates: [String: Int64] = [:]
        var found: [(name: CacheFileName, size: Int64, time: Date)] = []
        for file in all ?? [] {
            let text = file.lastPathComponent, name = CacheFileName(found: text)
            let updated = CacheFileName.updated(by: text)
            guard name != nil || updated != nil, let values = try? file.resourceValues(forKeys: properties) else {
                continue
            }
            let size = Int64(values.fileSize ?? 0)
            if let updated { updates[updated] = size }
            if let name { found.append((name, size, values.contentModificationDate ?? .distantPast)) }
        }
        var list = CacheFileList()
        for (name, size, _) in found.sorted(by: { $0.time < $1.time }) {
            let size = size + (updates.removeValue(forKey: name.name) ?? 0)
            list.insert(name.name, uri: name.uri, stem: name.stem, size: size)
        }
        // Newer fields of what is gone.
        for name in updates.keys { try? FileManager.default.removeItem(at: place(CacheFileName.update(of: name))) }
        known.withLock { $0.list = list }
        if all?.isEmpty == false { Leftovers.sweep(url) }
    }

    /// Looks at the list, or changes it.
    @discardableResult
    private func change<Output>(_ body: (inout CacheFileList) -> Output) -> Output {
        known.withLock { known in
            var list = known.list ?? CacheFileList()
            // In place, without a copy of the list.
            known.list = nil
            defer { known.list = list }
            return body(&list)
        }
    }

    private func place(_ name: String) -> URL { url.appending(path: name, directoryHint: .notDirectory) }

    private func folder() throws -> URL {
        try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
        return url
    }

    private func attempt(_ work: () throws -> Void) {
        do { try work() } catch { known.withLock { $0.failures += 1 } }
    }
}

/// What fits into memory at once.
enum StoredLimits {
    /// A body of a file up to this size is read as a whole.
    static let wholeInMemory = 1 << 20
}
