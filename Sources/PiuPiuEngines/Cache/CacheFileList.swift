/// The files of a cache's folder, in the order of eviction: the least recently used first (rule STORAGE).
///
/// A pure value of names and sizes: no file is read for it.
struct CacheFileList: Sendable {
    private struct File: Sendable {
        var size: Int64
        let uri: String
        let stem: String
    }

    private var files: [String: File] = [:]
    private var namesOfURI: [String: Set<String>] = [:]
    /// The least recently used first, and few enough for a linear search.
    private var namesOfStem: [String: [String]] = [:]
    private var line = LinkedLine<String>()

    /// The total size of the files, in bytes.
    private(set) var size: Int64 = 0

    init() {}

    /// The number of files.
    var count: Int { files.count }

    /// A file was added or replaced; it is evicted last. Returns the file that leaves the list for it, if its key would
    /// have more variants than the memory keeps: a look-up reads all files of a key.
    mutating func insert(_ name: String, uri: String, stem: String, size: Int64) -> String? {
        remove(name)
        files[name] = File(size: size, uri: uri, stem: stem)
        namesOfURI[uri, default: []].insert(name)
        namesOfStem[stem, default: []].append(name)
        line.append(name)
        self.size += size
        guard let names = namesOfStem[stem], names.count > CacheIndex.mostVariants else { return nil }
        remove(names[0])
        return names[0]
    }

    /// A file has grown by an update with newer fields.
    mutating func setSize(_ size: Int64, of name: String) {
        guard let old = files[name]?.size else { return }
        files[name]?.size = size
        self.size += size - old
    }

    /// A file was used. Returns whether there is one.
    @discardableResult
    mutating func use(_ name: String) -> Bool {
        guard line.remove(name) else { return false }
        line.append(name)
        if let stem = files[name]?.stem, namesOfStem[stem]?.last != name {
            namesOfStem[stem]?.removeAll { $0 == name }
            namesOfStem[stem]?.append(name)
        }
        return true
    }

    /// A file was removed.
    mutating func remove(_ name: String) {
        guard let file = files.removeValue(forKey: name) else { return }
        size -= file.size
        line.remove(name)
        namesOfURI[file.uri]?.remove(name)
        if namesOfURI[file.uri]?.isEmpty == true { namesOfURI[file.uri] = nil }
        namesOfStem[file.stem]?.removeAll { $0 == name }
        if namesOfStem[file.stem]?.isEmpty == true { namesOfStem[file.stem] = nil }
    }

    /// Whether there is a file of this name.
    func contains(_ name: String) -> Bool { files[name] != nil }

    /// The names of the files of a URI.
    func names(ofURI uri: String) -> Set<String> { namesOfURI[uri] ?? [] }

    /// The names of the files of a key, the least recently used first.
    func names(ofStem stem: String) -> [String] { namesOfStem[stem] ?? [] }

    /// The file to evict next while the size exceeds the limit, or the number does: what a file takes of the disk and of
    /// the memory beside its bytes isn't counted.
    func next(beyond limit: Int64) -> String? {
        size > limit || Int64(count) > max(1_000, limit / 4_096) ? line.first : nil
    }

    /// All names.
    var names: [String] { Array(files.keys) }
}
