import Foundation

/// A stored response as a file: the body, then its metadata and the length of that.
///
/// ```
/// body | JSON | checksum of the JSON, 8 bytes | its length, 8 bytes | "PiuPiuC1"
/// ```
///
/// So a body is written as it arrives, and a truncated file is invalid.
struct CacheFile: Codable {
    /// A hash of the key: it detects collisions of file names, and keeps URLs and credentials out of the file.
    let key: String
    let names: [String]
    let digest: String
    let status: Int
    let version: String
    let lines: Data
    let age: Int
    let requestTime: Double
    let responseTime: Double
    let bodyLength: Int64
    let checksum: UInt64
    /// Identifies the body: an update of the fields belongs to this body only.
    let id: UInt64

    private static let mark = Data("PiuPiuC1".utf8)
    private static let tailLength = 24
    private static let longestHead = 4 << 20

    init(_ response: StoredResponse, bodyLength: Int64, checksum: UInt64, id: UInt64) {
        key = SecureHash.hex(response.key.text.utf8)
        names = response.variant.names
        digest = response.variant.digest
        status = response.status
        version = response.version
        lines = Data(response.lines.bytes)
        age = response.ageField
        requestTime = response.requestTime
        responseTime = response.responseTime
        self.bodyLength = bodyLength
        self.checksum = checksum
        self.id = id
    }

    /// The data after the body.
    func encoded() throws -> Data {
        let head = try JSONEncoder().encode(self)
        var checksum = FileChecksum()
        checksum.append(head)
        var data = head
        for number in [checksum.value, UInt64(head.count)] {
            // Sound: the pointer is used only within the closure.
            withUnsafeBytes(of: number.littleEndian) { data.append(contentsOf: $0) }
        }
        data.append(Self.mark)
        return data
    }

    /// Reads the data after the body; `nil` if the file is damaged, or isn't a cache file.
    ///
    /// - Parameter hasBody: whether a body comes first; a file of newer fields has none.
    init?(_ file: FileHandle, hasBody: Bool = true) throws {
        let length = try file.seekToEnd()
        guard length >= UInt64(Self.tailLength) else { return nil }
        try file.seek(toOffset: length - UInt64(Self.tailLength))
        guard let tail = try file.chunk(upToCount: Self.tailLength), tail.count == Self.tailLength,
            tail.suffix(Self.mark.count) == Self.mark
        else { return nil }
        func number(at offset: Int) -> UInt64 {
            tail.dropFirst(offset).prefix(8).reversed().reduce(0) { $0 << 8 | UInt64($1) }
        }
        let headLength = number(at: 8)
        guard headLength <= UInt64(Self.longestHead), headLength + UInt64(Self.tailLength) <= length else { return nil }
        let bodyLength = length - headLength - UInt64(Self.tailLength)
        try file.seek(toOffset: bodyLength)
        guard let head = try file.chunk(upToCount: Int(headLength)), head.count == Int(headLength) else { return nil }
        var checksum = FileChecksum()
        checksum.append(head)
        guard checksum.value == number(at: 0), let read = try? JSONDecoder().decode(CacheFile.self, from: head),
            hasBody ? read.bodyLength == Int64(bodyLength) : bodyLength == 0
        else { return nil }
        self = read
    }

    /// Reads the body of this file as a whole; `nil` if it is damaged.
    func body(in file: FileHandle) -> Data? {
        guard (try? file.seek(toOffset: 0)) != nil, let body = try? file.chunk(upToCount: Int(bodyLength)) ?? Data(),
            isBody(body)
        else { return nil }
        return body
    }

    /// Whether the file has this body.
    func holds(_ body: StoredResponse.Body) -> Bool {
        switch body {
        case .file(let stored): return stored.id == id
        case .data(let data): return isBody(data)
        }
    }

    private func isBody(_ data: Data) -> Bool {
        var checksum = FileChecksum()
        checksum.append(data)
        return Int64(data.count) == bodyLength && checksum.value == self.checksum
    }

    /// The response; `nil` if it belongs to another key.
    func response(for key: CacheKey, body: StoredResponse.Body) -> StoredResponse? {
        guard self.key == SecureHash.hex(key.text.utf8) else { return nil }
        return StoredResponse(
            key: key, variant: CacheVariant(names: names, digest: digest), status: status, version: version,
            lines: HeadLines(bytes: Array(lines)), age: age, requestTime: requestTime, responseTime: responseTime,
            body: body)
    }
}

/// The body of a stored response, in a file.
package final class StoredFile: Sendable {
    let url: URL
    let bodyLength: Int64
    let checksum: UInt64
    let id: UInt64
    /// The modification time of the file when its body was verified.
    private let verified = Locked<FileTime?>(nil)

    init(url: URL, bodyLength: Int64, checksum: UInt64, id: UInt64) {
        self.url = url
        self.bodyLength = bodyLength
        self.checksum = checksum
        self.id = id
    }

    /// Opens the file at its beginning after verifying its body. The body is verified again when another one has
    /// touched the file.
    ///
    /// `nil` if the file is gone, was replaced, or is damaged. An error says only that it can't be opened now.
    ///
    /// - Parameter isVerifiedAnew: whether the body is verified even if nobody seems to have touched the file.
    func open(isVerifiedAnew: Bool = false) throws(FileTransferError) -> FileHandle? {
        guard let file = try FileSystem.openStored(url), let head = try? CacheFile(file), head.id == id,
            head.checksum == checksum, head.bodyLength == bodyLength
        else { return nil }
        let changed = FileStatus(file)?.changed
        if isVerifiedAnew || changed == nil || verified.withLock({ $0 }) != changed {
            guard (try? FileChecksum(of: file, length: bodyLength))?.value == checksum else { return nil }
            verified.withLock { $0 = changed }
        }
        guard (try? file.seek(toOffset: 0)) != nil else { return nil }
        return file
    }

    /// Changes the modification time of the file. A body that was verified before needs no verification for that.
    func touch(_ change: () -> Void) {
        let path = url.path(percentEncoded: false), old = FileStatus(path: path)?.changed
        change()
        let new = FileStatus(path: path)?.changed
        verified.withLock { if old != nil, $0 == old { $0 = new } }
    }
}

extension FileSystem {
    /// Opens a file of a cache for reading; `nil` if it is gone, or something else has its name. Any other error may
    /// pass, as that of too many open files does, and the file may be good.
    static func openStored(_ file: URL) throws(FileTransferError) -> FileHandle? {
        do {
            return try open(file, .reading)
        } catch {
            switch (error.underlyingError as? POSIXError)?.code {
            // Nothing, a symbolic link, or no file.
            case .ENOENT, .ELOOP, .EEXIST: return nil
            default: throw error
            }
        }
    }
}

extension FileChecksum {
    /// The checksum of the first bytes of a file; `nil` if there are fewer.
    init?(of file: FileHandle, length: Int64) throws {
        self.init()
        var left = length
        try file.seek(toOffset: 0)
        while left > 0 {
            guard let part = try file.chunk(upToCount: Int(min(left, 1 << 20))), !part.isEmpty else { return nil }
            append(part)
            left -= Int64(part.count)
        }
    }
}
