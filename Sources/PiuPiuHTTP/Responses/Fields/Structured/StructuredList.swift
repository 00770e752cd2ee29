/// A structured field that is a list (RFC 9651, section 3.1).
///
/// ```swift
/// let list = try StructuredList(parsing: ["a;b=1, (c d)", "\"e\""])
/// list.members.count // 3
/// ```
public struct StructuredList: Sendable, Hashable {
    /// The members in their order.
    public var members: [StructuredMember]

    /// Makes a list.
    public init(_ members: [StructuredMember] = []) {
        self.members = members
    }

    /// Parses a field that is a list (RFC 9651, section 4.2.1), in linear time.
    ///
    /// - Parameter fieldLines: the values of all lines of the field, which are one list. None, or an empty one, is an
    ///   empty list.
    /// - Throws: ``StructuredFieldError/malformed(_:offset:)``; then the whole field must be ignored.
    public init(parsing fieldLines: [String]) throws(StructuredFieldError) {
        members = try StructuredParser.whole(of: fieldLines) { parser throws(StructuredFieldError) in
            try parser.list()
        }
    }

    /// The value of the field (RFC 9651, section 4.1.1).
    ///
    /// For an empty list it is empty: omit the field then.
    ///
    /// - Throws: ``StructuredFieldError/unwritable(_:)``.
    public func serialized() throws(StructuredFieldError) -> String {
        var serializer = StructuredSerializer()
        try serializer.append(members)
        return serializer.text
    }
}
