/// One segment of a path pattern: a constant text, or a wildcard.
///
/// ```swift
/// let pattern: [PathComponent] = ["users", .wildcard(type: .integer), "posts"]
/// pattern.displayValue  // "users/:integer/posts"
/// ```
///
/// A string literal is a constant. A constant is one segment: a slash in it matches `%2F` in the URL.
public enum PathComponent: Sendable, Hashable {
    /// A segment with this text after percent-decoding; case matters.
    case constant(String)
    /// Any segment of a type.
    case wildcard(type: WildcardType)

    /// The value of a segment; `nil` if the segment does not match.
    ///
    /// - Parameter segment: the percent-decoded text between two slashes.
    func value(of segment: String) -> PathValue? {
        switch self {
        case .constant(let text): segment == text ? .string(segment) : nil
        case .wildcard(.integer): Int(segment).map { .integer($0) }
        case .wildcard(.string): .string(segment)
        }
    }
}

extension PathComponent: ExpressibleByStringLiteral {
    /// Makes a constant.
    public init(stringLiteral value: String) {
        self = .constant(value)
    }
}

extension PathComponent: CustomStringConvertible {
    /// The text of a constant; `:integer` or `:string` for a wildcard.
    public var description: String {
        switch self {
        case .constant(let text): text
        case .wildcard(let type): type.description
        }
    }
}

extension Sequence where Element == PathComponent {
    /// The pattern as text: `users/:integer/posts`.
    public var displayValue: String { map(\.description).joined(separator: "/") }

    /// The same as ``displayValue``.
    public var string: String { displayValue }
}
