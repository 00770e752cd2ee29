/// A value with parameters: a structured field, or a part of one (RFC 9651, section 3.3).
///
/// ```swift
/// let item = try StructuredItem(parsing: ["text/html; q=0.5"])
/// item.value // .token("text/html")
/// item.parameters["q"] // .decimal(0.5)
/// ```
public struct StructuredItem: Sendable, Hashable {
    /// The value.
    public var value: StructuredValue

    /// The parameters, in order.
    public var parameters: StructuredParameters

    /// Makes an item.
    public init(_ value: StructuredValue, parameters: StructuredParameters = [:]) {
        self.value = value
        self.parameters = parameters
    }

    /// Parses a field that is an item (RFC 9651, section 4.2.3), in linear time.
    ///
    /// - Parameter fieldLines: the values of all lines of the field. One item has one line.
    /// - Throws: ``StructuredFieldError/malformed(_:offset:)``; then the whole field must be ignored.
    public init(parsing fieldLines: [String]) throws(StructuredFieldError) {
        self = try StructuredParser.whole(of: fieldLines) { parser throws(StructuredFieldError) in try parser.item() }
    }

    /// The value of the field (RFC 9651, section 4.1.3).
    ///
    /// - Throws: ``StructuredFieldError/unwritable(_:)``.
    public func serialized() throws(StructuredFieldError) -> String {
        var serializer = StructuredSerializer()
        try serializer.append(self)
        return serializer.text
    }
}
