/// What one segment of a URL's path holds, as a path pattern reads it.
///
/// ```swift
/// url.pathValues(matching: ["users", .wildcard(type: .integer)])  // [.string("users"), .integer(7)]
/// ```
public enum PathValue: Sendable, Hashable {
    /// What an integer wildcard stood for.
    case integer(Int)
    /// What a string wildcard stood for, or the text of a constant; percent-encoding undone.
    case string(String)

    /// The number; `nil` for a string, even for one of digits.
    public var integerValue: Int? {
        if case .integer(let number) = self { number } else { nil }
    }

    /// The text; `nil` for an integer.
    public var stringValue: String? {
        if case .string(let text) = self { text } else { nil }
    }
}

extension PathValue: CustomStringConvertible {
    /// The number or the text.
    public var description: String {
        switch self {
        case .integer(let number): String(number)
        case .string(let text): text
        }
    }
}

extension Sequence where Element == PathValue {
    /// The values as people read them: `users/7/posts`. For messages, and not to make a URL of: nothing is
    /// percent-encoded.
    public var string: String { map(\.description).joined(separator: "/") }

    /// The same as ``string``.
    public var displayValue: String { string }
}
