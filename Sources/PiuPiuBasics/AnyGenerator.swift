/// A type-erased random number generator.
package struct AnyGenerator: RandomNumberGenerator, Sendable {
    package var base: any RandomNumberGenerator & Sendable

    package init(base: any RandomNumberGenerator & Sendable) {
        self.base = base
    }

    package mutating func next() -> UInt64 { base.next() }

    /// A random UUID (RFC 9562, section 5.4).
    package mutating func uuid() -> String {
        let (high, low) = (next(), next())
        let version = high & ~0xF000 | 0x4000, variant = low & ~(0b11 << 62) | 0b10 << 62
        let digits = [version, variant].flatMap { word in
            (0..<16).map { String((word >> (60 - 4 * $0)) & 15, radix: 16) }
        }
        return [0..<8, 8..<12, 12..<16, 16..<20, 20..<32].map { digits[$0].joined() }.joined(separator: "-")
    }
}
