public import Foundation

/// A cheap checksum of a byte stream of any length: FNV-1a over little-endian words of 64 bits, the last bytes singly.
///
/// Words rather than bytes, so that a gigabyte takes seconds even without optimisation. How the bytes are split makes
/// no difference.
public struct LoopbackDigest: Sendable {
    private var hash: UInt64 = 0xCBF2_9CE4_8422_2325
    private var word: UInt64 = 0
    private var bytesInWord = 0

    /// A digest of nothing so far.
    public init() {}

    /// The digest of `data`.
    public static func of(_ data: Data) -> UInt64 {
        var digest = LoopbackDigest()
        data.withUnsafeBytes { digest.update($0) }
        return digest.value
    }

    /// Adds bytes.
    public mutating func update(_ bytes: UnsafeRawBufferPointer) {
        var index = 0
        while index < bytes.count, bytesInWord > 0 {
            add(bytes[index])
            index += 1
        }
        while index + 8 <= bytes.count {
            let whole = UInt64(littleEndian: bytes.loadUnaligned(fromByteOffset: index, as: UInt64.self))
            hash = (hash ^ whole) &* Self.prime
            index += 8
        }
        while index < bytes.count {
            add(bytes[index])
            index += 1
        }
    }

    /// The digest of the bytes so far.
    public var value: UInt64 {
        (0..<bytesInWord).reduce(hash) { hash, index in (hash ^ (word >> (8 * index)) & 0xFF) &* Self.prime }
    }

    /// The digest as the routes of the server spell it: 16 hexadecimal digits.
    public static func hexadecimal(_ value: UInt64) -> String {
        let digits = String(value, radix: 16)
        return String(repeating: "0", count: 16 - digits.count) + digits
    }

    private static let prime: UInt64 = 0x100_0000_01B3

    private mutating func add(_ byte: UInt8) {
        word |= UInt64(byte) << (8 * bytesInWord)
        bytesInWord += 1
        if bytesInWord == 8 {
            hash = (hash ^ word) &* Self.prime
            word = 0
            bytesInWord = 0
        }
    }
}
