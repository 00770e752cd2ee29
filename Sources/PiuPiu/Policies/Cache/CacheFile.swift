import Foundation

/// A stored response as a file: the body, what is known of it, and how long that is.
///
/// ```
/// body | JSON | checksum of the JSON, 8 bytes | its length, 8 bytes | "PiuPiuC1"
/// ```
///
/// So a body is written as it comes, and a file that was cut off anywhere is none.
struct CacheFile: Codable {
    /// A hash of the key, so that what has the same name by chance stays apart, and no URL and no credential is in the file.
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
    /// Which filling the body is of: an update of its fields belongs to this one only.
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

    /// What follows the body.
    func encoded() throws -> Data {
        let head = try JSONEncoder().encode(self)
        var checksum = FileChecksum()
        checksum.append(head)
        var data = head
        for number in [checksum.value, UInt64(head.count)] {
            withUnsafeBytes(of: number.littleEndian) { data.append(contentsOf: $0) }
        }
        data.append(Self.mark)
        return data
    }

    /// Reads what follows the body; `nil` if the file is damaged, or none of these.
    ///
    /// - Parameter hasBody: whether the body stands before it; a file of newer fields has none.
    init?(_ file: FileHandle, hasBody: Bool = true) throws {
        let length = try file.seekToEnd()
        guard length >= UInt64(Self.tailLength) else { return nil }
        try file.seek(toOffset: length - UInt64(Self.tailLength))
        guard let tail = try file.read(upToCount: Self.tailLength), tail.count == Self.tailLength,
            tail.suffix(Self.mark.count) == Self.mark
        else { return nil }
        func number(at offset: Int) -> UInt64 {
            tail.dropFirst(offset).prefix(8).reversed().reduce(0) { $0 << 8 | UInt64($1) }
        }
        let headLength = number(at: 8)
        guard headLength <= UInt64(Self.longestHead), headLength + UInt64(Self.tailLength) <= length else { return nil }
        let bodyLength = length - headLength - UInt64(Self.tailLength)
        try file.seek(toOffset: bodyLength)
        guard let head = try file.read(upToCount: Int(headLength)), head.count == Int(headLength) else { return nil }
        var checksum = FileChecksum()
        checksum.append(head)
        guard checksum.value == number(at: 0), let read = try? JSONDecoder().decode(CacheFile.self, from: head),
            hasBody ? read.bodyLength == Int64(bodyLength) : bodyLength == 0
        else { return nil }
        self = read
    }

    /// Whether this is the body that the file holds.
    func holds(_ body: StoredResponse.Body) -> Bool {
        switch body {
        case .file(let stored): return stored.id == id
        case .data(let data):
            var checksum = FileChecksum()
            checksum.append(data)
            return Int64(data.count) == bodyLength && checksum.value == self.checksum
        }
    }

    /// The response; `nil` if it is that of another key.
    func response(for key: CacheKey, body: StoredResponse.Body) -> StoredResponse? {
        guard self.key == SecureHash.hex(key.text.utf8) else { return nil }
        return StoredResponse(
            key: key, variant: CacheVariant(names: names, digest: digest), status: status, version: version,
            lines: HeadLines(bytes: Array(lines)), age: age, requestTime: requestTime, responseTime: responseTime,
            body: body)
    }
}

/// The body of a stored response that is in a file.
package final class StoredFile: Sendable {
    let url: URL
    let bodyLength: Int64
    let checksum: UInt64
    let id: UInt64
    /// When the file was last changed before its body was verified.
    private let verified = Locked<Int64?>(nil)

    init(url: URL, bodyLength: Int64, checksum: UInt64, id: UInt64) {
        self.url = url
        self.bodyLength = bodyLength
        self.checksum = checksum
        self.id = id
    }

    /// Opens the file at its beginning, once its body was found to be what was written; that is looked at again when the file
    /// was touched.
    ///
    /// `nil` if the file is gone, is another one by now, or is damaged.
    func open() -> FileHandle? {
        guard let file = try? FileSystem.open(url, .reading), let head = try? CacheFile(file), head.id == id,
            head.checksum == checksum, head.bodyLength == bodyLength
        else { return nil }
        let changed = FileStatus(file)?.changed
        if changed == nil || verified.withLock({ $0 }) != changed {
            guard (try? FileChecksum(of: file, length: bodyLength))?.value == checksum else { return nil }
            verified.withLock { $0 = changed }
        }
        guard (try? file.seek(toOffset: 0)) != nil else { return nil }
        return file
    }
}

extension FileChecksum {
    /// The checksum of the first bytes of a file; `nil` if there are fewer.
    init?(of file: FileHandle, length: Int64) throws {
        self.init()
        var left = length
        try file.seek(toOffset: 0)
        while left > 0 {
            guard let part = try file.read(upToCount: Int(min(left, 1 << 20))), !part.isEmpty else { return nil }
            append(part)
            left -= Int64(part.count)
        }
    }
}
