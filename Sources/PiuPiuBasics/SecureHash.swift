#if canImport(CryptoKit)
    import CryptoKit
    import Foundation
#endif

/// SHA-256 (FIPS 180-4): a collision-resistant hash, which can name a file.
///
/// ```swift
/// var hash = SecureHash()
/// hash.update("GET ".utf8)
/// hash.update(url.utf8)
/// let name = SecureHash.hex(of: hash.finalize())
/// ```
package struct SecureHash {
    #if canImport(CryptoKit)
        private var hash = SHA256()
    #else
        private var hash = PlainSHA256()
    #endif

    package init() {}

    /// Hashes the next bytes; their chunking makes no difference.
    package mutating func update(_ bytes: some Sequence<UInt8>) {
        #if canImport(CryptoKit)
            hash.update(data: Data(bytes))
        #else
            // The bytes of an array are read without a call for each.
            hash.update(Array(bytes))
        #endif
    }

    /// The 32 bytes of the hash of everything so far.
    package func finalize() -> [UInt8] { Array(hash.finalize()) }

    /// The hash of the bytes, as 64 hexadecimal digits in lower case.
    package static func hex(_ bytes: some Sequence<UInt8>) -> String {
        var hash = Self()
        hash.update(bytes)
        return hex(of: hash.finalize())
    }

    /// Two hexadecimal digits in lower case for each byte.
    package static func hex(of hash: [UInt8]) -> String {
        let digits = Array("0123456789abcdef".utf8)
        return String(decoding: hash.flatMap { [digits[Int($0 >> 4)], digits[Int($0 & 15)]] }, as: UTF8.self)
    }
}
