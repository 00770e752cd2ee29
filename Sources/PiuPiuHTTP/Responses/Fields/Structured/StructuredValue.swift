public import Foundation

/// A value of a structured field without its parameters, which RFC 9651 calls a bare item (section 3.3).
///
/// ```swift
/// try StructuredValue.string("a \"b\"").serialized()  // the field is "a \"b\"", quotes and backslashes included
/// try StructuredValue.date(.now).serialized() // @1767225600
/// ```
public enum StructuredValue: Sendable, Hashable {
    /// A whole number of at most 15 digits: `-42`.
    case integer(Int64)
    /// A number of at most 12 digits before the point and 3 after it: `4.5`. Serialising rounds half to even.
    case decimal(Decimal)
    /// A text of printable ASCII characters: `"hello"`.
    case string(String)
    /// A word that begins with a letter or `*`: `text/html`.
    case token(String)
    /// Any bytes, in Base64: `:aGVsbG8=:`.
    case binary(Data)
    /// `?1` or `?0`.
    case boolean(Bool)
    /// A date in whole seconds: `@1659578233`. Serialising rounds it down to a whole second.
    case date(Date)
    /// A text of any characters, for display to people: `%"f%c3%bc"`.
    case displayString(String)

    /// The value as it is written in a field (RFC 9651, section 4.1.3.1).
    ///
    /// - Throws: ``StructuredFieldError/unwritable(_:)`` for a number or date with too many digits, a string with
    ///   characters that aren't printable ASCII, and an invalid token.
    public func serialized() throws(StructuredFieldError) -> String {
        var serializer = StructuredSerializer()
        try serializer.append(self)
        return serializer.text
    }
}
