public import Foundation

/// The bytes that the server makes up for bodies of any length, so that a client can tell what it should have got.
public enum LoopbackPattern {
    /// A prime number, so that a block of a power of two that is lost or doubled is noticed.
    static let period = 65_521

    /// One period of the bytes.
    static let table: [UInt8] = (0..<period).map { UInt8(truncatingIfNeeded: $0 &* 31 ^ $0 >> 8) }

    /// The first `count` bytes.
    public static func data(count: Int) -> Data {
        var data = Data(capacity: max(0, count))
        forEachPart(of: count) { part in
            data.append(contentsOf: part)
            return true
        }
        return data
    }

    /// The ``LoopbackDigest`` of the first `count` bytes.
    public static func digest(count: Int) -> UInt64 {
        var digest = LoopbackDigest()
        forEachPart(of: count) { part in
            digest.update(part)
            return true
        }
        return digest.value
    }

    /// Hands the first `count` bytes out in parts, until `body` returns false.
    static func forEachPart(of count: Int, _ body: (UnsafeRawBufferPointer) -> Bool) {
        table.withUnsafeBytes { table in
            var rest = max(0, count)
            while rest > 0 {
                let part = UnsafeRawBufferPointer(rebasing: table.prefix(rest))
                guard body(part) else { return }
                rest -= part.count
            }
        }
    }
}
