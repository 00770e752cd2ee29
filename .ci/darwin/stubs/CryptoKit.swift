// What the package uses of Apple's CryptoKit.
import Darwin

public struct SHA256: Sendable {
    public struct Digest: Sequence, Sendable {
        public func makeIterator() -> IndexingIterator<[UInt8]> { [].makeIterator() }
    }

    public init() {}

    public static func hash<Bytes: DataProtocol>(data: Bytes) -> Digest { Digest() }

    public mutating func update<Bytes: DataProtocol>(data: Bytes) {}

    public func finalize() -> Digest { Digest() }
}
