/// A header field as it stands on the wire.
public struct LoopbackHeader: Equatable, Sendable, CustomStringConvertible {
    /// The name, in its original spelling.
    public var name: String
    /// The value, without the blanks around it.
    public var value: String

    /// Makes a header field; nothing is checked, as some tests want a bad one.
    public init(_ name: String, _ value: String) {
        self.name = name
        self.value = value
    }

    /// The line on the wire.
    public var description: String { "\(name): \(value)" }
}

extension Sequence<LoopbackHeader> {
    /// The values of all fields of this name, in any spelling.
    func values(of name: String) -> [String] {
        filter { $0.name.equalsIgnoringCase(name) }.map(\.value)
    }

    /// Whether there is a field of this name, in any spelling.
    func has(_ name: String) -> Bool {
        contains { $0.name.equalsIgnoringCase(name) }
    }
}

extension String {
    /// Compares ASCII letters in either case without making a copy, as this happens for each header of each request.
    func equalsIgnoringCase(_ other: String) -> Bool {
        guard utf8.count == other.utf8.count else { return false }
        return zip(utf8, other.utf8).allSatisfy { one, two in
            one == two || (one | 0x20 == two | 0x20 && (0x61...0x7A).contains(one | 0x20))
        }
    }
}
