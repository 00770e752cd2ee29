import Foundation

/// Writing: each file is first written under a temporary name.
extension CacheFolder {
    /// Writes a response whose body is in memory. If that fails, an older file is removed, because it would be served
    /// once the newer response has left the memory.
    func keep(_ response: StoredResponse) {
        guard case .data(let body) = response.body else { return }
        guard Int64(body.count) <= limit / 2 else { return remove(response) }
        let isKept = attempt {
            var checksum = FileChecksum()
            checksum.append(body)
            let file = try newFile()
            do {
                try file.write(body)
                _ = try finish(file, response, checksum: checksum.value)
            } catch {
                file.discard()
                throw error
            }
        }
        if !isKept { remove(response) }
    }

    /// Takes over a file with the body. Returns the stored file; `nil` if it could not be stored.
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
        if stored == nil { remove(response) }
        return stored
    }

    /// A file for a body that is too large for the memory; `nil` if it can't be created.
    nonisolated func makeFile() -> WritableFile? {
        do {
            return try newFile()
        } catch {
            countFailure()
            return nil
        }
    }

    nonisolated private func newFile() throws -> WritableFile {
        try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
        return try WritableFile(temporary: "part", in: url, permissions: 0o600)
    }

    private func finish(
        _ file: WritableFile, _ response: StoredResponse, bodyLength: Int64? = nil, checksum: UInt64
    ) throws -> StoredFile {
        let name = CacheFileName(response), id = random.next()
        let length = bodyLength ?? response.body.count
        try file.write(CacheFile(response, bodyLength: length, checksum: checksum, id: id).encoded())
        let size = Int64(try file.handle.offset())
        try FileSystem.replace(place(name.name), with: file.url)
        try? file.close()
        unlink(name.update)
        if let surplus = change({ $0.insert(name.name, uri: name.uri, stem: name.stem, size: size) }) {
            remove(surplus)
        }
        evict()
        return StoredFile(url: place(name.name), bodyLength: length, checksum: checksum, id: id)
    }

    /// Writes newer fields of a stored response. If that fails, the response is removed, because the older fields would
    /// come back once the newer ones have left the memory.
    ///
    /// - Parameter mayAdd: whether the whole response is written if its file is gone, or has another body by now.
    func update(_ response: StoredResponse, mayAdd: Bool) {
        let name = CacheFileName(response)
        guard let file = try? FileSystem.open(place(name.name), .reading), let old = try? CacheFile(file),
            old.holds(response.body)
        else {
            if mayAdd, case .data = response.body { keep(response) } else { removeUnlessReplaced(response) }
            return
        }
        let isKept = attempt {
            let new = CacheFile(response, bodyLength: old.bodyLength, checksum: old.checksum, id: old.id)
            let update = try newFile()
            do {
                let encoded = try new.encoded()
                let size = Int64(try file.seekToEnd()) + Int64(encoded.count)
                try update.write(encoded)
                try FileSystem.replace(place(name.update), with: update.url)
                // Nothing fails after this: a closed file can't be discarded.
                try? update.close()
                change { $0.setSize(size, of: name.name) }
            } catch {
                update.discard()
                throw error
            }
        }
        guard isKept else { return remove(response) }
        use(response)
        evict()
    }
}
