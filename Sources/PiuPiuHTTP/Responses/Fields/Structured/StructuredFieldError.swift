import Foundation

/// A structured field that can't be read, or a value that can't be written as one (RFC 9651).
public enum StructuredFieldError: LocalizableError, Hashable {
    /// A part of a structured field, by its name in the grammar of RFC 9651.
    public enum Rule: String, Sendable, Hashable, CaseIterable {
        /// An integer of at most 15 digits.
        case integer = "sf-integer"
        /// A number with a point, of at most 12 digits and 3 after it.
        case decimal = "sf-decimal"
        /// A string of printable ASCII characters in quotes.
        case string = "sf-string"
        /// A word.
        case token = "sf-token"
        /// Bytes in Base64 between colons.
        case binary = "sf-binary"
        /// `?1` or `?0`.
        case boolean = "sf-boolean"
        /// `@` and an integer.
        case date = "sf-date"
        /// UTF-8 in `%"…"`.
        case displayString = "sf-displaystring"
        /// The beginning of any of the above.
        case value = "bare-item"
        /// The key of a parameter or a member.
        case key
        /// A space or the end of an inner list.
        case innerList = "inner-list"
        /// A comma and another member.
        case member = "list-member"
        /// Nothing more.
        case end
    }

    /// This part is expected at the offset, and is missing. The offset counts bytes from 0 in the lines of the field,
    /// joined by a comma and a space.
    case malformed(Rule, offset: Int)

    /// The value isn't valid for this part.
    case unwritable(Rule)

    /// The key of the case, as "StructuredFieldError.malformed": see ``LocalizableError``.
    public var errorKey: String {
        switch self {
        case .malformed: "StructuredFieldError.malformed"
        case .unwritable: "StructuredFieldError.unwritable"
        }
    }

    /// What was expected where; never the actual contents, which may be secret.
    public var errorDescription: String? {
        switch self {
        case .malformed(let rule, let offset):
            localizedText(
                """
                The structured field is malformed: at byte \(offset, as: "offset") there is no valid \
                \(rule.rawValue, as: "rule") (RFC 9651).
                """)
        case .unwritable(let rule):
            localizedText(
                "The value can't be written as \(rule.rawValue, as: "rule") of a structured field (RFC 9651).")
        }
    }
}
