/// The value of one segment of a URL's path, read by a path pattern.
///
/// ```swift
/// url.pathValues(matching: ["users", .wildcard(type: .integer)])  // [.string("users"), .integer(7)]
/// ```
public enum PathValue: Sendable, Hashable {
    /// The value of an integer wildcard.
    case integer(Int)
    /// The percent-decoded value of a string wildcard, or the text of a constant.
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
    /// The values as text for messages: `users/7/posts`. Don't make a URL from it: nothing is percent-encoded.
    public var string: String { map(\.description).joined(separator: "/") }

    /// The same as ``string``.
    public var displayValue: String { string }
}
