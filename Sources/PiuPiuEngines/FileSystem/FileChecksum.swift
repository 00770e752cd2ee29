package import Foundation

/// A checksum of the bytes of a file. It detects damage, but doesn't protect against attacks.
///
/// It mixes eight bytes at a time, each in a reversible step: any change within one step changes the result.
package struct FileChecksum: Sendable {
    private var hash: UInt64 = 0xcbf2_9ce4_8422_2325
    /// The last bytes, fewer than eight.
    private var rest: UInt64 = 0
    private var restCount = 0

    package init() {}

    /// Adds the next bytes.
    package mutating func append(_ data: Data) {
        // Sound: the pointer is used only within the closure, and each offset is below its count.
        data.withUnsafeBytes { append($0) }
    }

    private mutating func append(_ bytes: UnsafeRawBufferPointer) {
        var offset = 0
        while restCount != 0, offset < bytes.count { append(byte: bytes[offset], &offset) }
        while bytes.count - offset >= 8 {
            mix(UInt64(littleEndian: bytes.loadUnaligned(fromByteOffset: offset, as: UInt64.self)))
            offset += 8
        }
        while offset < bytes.count { append(byte: bytes[offset], &offset) }
    }

    private mutating func append(byte: UInt8, _ offset: inout Int) {
        rest |= UInt64(byte) << (8 * UInt64(restCount))
        restCount += 1
        offset += 1
        guard restCount == 8 else { return }
        mix(rest)
        (rest, restCount) = (0, 0)
    }

    private mutating func mix(_ word: UInt64) {
        hash = (hash ^ word) &* 0x9e37_79b9_7f4a_7c15
        hash ^= hash >> 32
    }

    /// The checksum of the bytes so far.
    package var value: UInt64 {
        var last = self
        last.mix(rest)
        last.mix(UInt64(restCount))
        return last.hash
    }
}
