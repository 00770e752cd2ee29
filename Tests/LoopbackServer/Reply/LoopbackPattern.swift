public import Foundation

/// The bytes that the server makes up for bodies of any length, so that a client can check what it gets.
public enum LoopbackPattern {
    /// A prime number, so that a lost or repeated block is noticed if its size is a power of two.
    static let period = 65_521

    /// One period of the bytes.
    static let table: [UInt8] = (0..<period).map { UInt8(truncatingIfNeeded: $0 &* 31 ^ $0 >> 8) }

    /// The first `count` bytes.
    public static func data(count: Int) -> Data {
        data(in: 0..<max(0, count))
    }

    /// The bytes of this range, which starts at 0 or later.
    public static func data(in range: Range<Int>) -> Data {
        var data = Data(capacity: range.count)
        forEachPart(of: range) { data.append(contentsOf: $0) }
        return data
    }

    /// The ``LoopbackDigest`` of the first `count` bytes.
    public static func digest(count: Int) -> UInt64 {
        var digest = LoopbackDigest()
        forEachPart(of: 0..<max(0, count)) { digest.update($0) }
        return digest.value
    }

    /// Hands the bytes of the range out in parts, until `body` throws.
    static func forEachPart<Failure: Error>(
        of range: Range<Int>, _ body: (UnsafeRawBufferPointer) throws(Failure) -> Void
    ) throws(Failure) {
        // `withUnsafeBytes` forgets the error's type, a result keeps it.
        try table.withUnsafeBytes { table in
            Result { () throws(Failure) in
                var position = max(0, range.lowerBound)
                while position < range.upperBound {
                    let part = table.dropFirst(position % period).prefix(range.upperBound - position)
                    try body(UnsafeRawBufferPointer(rebasing: part))
                    position += part.count
                }
            }
        }.get()
    }
}
