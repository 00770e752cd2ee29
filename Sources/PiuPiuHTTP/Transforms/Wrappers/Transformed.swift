/// A property that a transform decodes and encodes, in a model whose `Codable` the compiler writes.
///
/// ```swift
/// struct Event: Codable {
///     @Transformed<RFC3339DateTransform> var start: Date
///     @Transformed<StringRepresentationTransform<Int>> var seats: Int
///     @TransformedIfPresent<URLTransform> var page: URL?
/// }
/// ```
///
/// The key must exist, unless the transform's values are optional, like those of ``EmptyStringTransform``: then a
/// missing key and `null` decode to `nil`. For other optional properties use ``TransformedIfPresent``.
///
/// The property is encodable if the transform encodes the type that it decodes; `IntFromStringTransform`, for example,
/// doesn't.
///
/// Errors are those of the decoder, the encoder and the transform, with the path of the property.
@propertyWrapper
public struct Transformed<T: DecodingTransform & ParameterlessTransform>: Decodable {
    /// The value of the model.
    public var wrappedValue: T.ValueDestination

    /// Makes a property with a value.
    public init(wrappedValue: T.ValueDestination) {
        self.wrappedValue = wrappedValue
    }

    /// Decodes the value with the transform, or `nil` from `null` if its values are optional.
    public init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        if container.decodeNil(), let type = T.ValueDestination.self as? any OptionalValue.Type,
            let none = type.init(nilLiteral: ()) as? T.ValueDestination
        {
            wrappedValue = none
        } else {
            wrappedValue = try container.decode(using: T())
        }
    }
}

/// Where there are no keys, as in an array, only the type of a value tells whether it is optional.
private protocol OptionalValue {
    init(nilLiteral: ())
}

extension Optional: OptionalValue {}

extension Transformed: Encodable where T: EncodingTransform, T.ValueSource == T.ValueDestination {
    /// Encodes the value with the transform.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(wrappedValue, using: T())
    }
}

extension Transformed: Sendable where T.ValueDestination: Sendable {}
extension Transformed: Equatable where T.ValueDestination: Equatable {}
extension Transformed: Hashable where T.ValueDestination: Hashable {}

extension KeyedDecodingContainer {
    /// Decodes a property whose transform has optional values: a missing key and `null` are `nil`.
    ///
    /// The compiler uses it for the models whose `Codable` it writes.
    ///
    /// - Throws: the decoder's error for another type; an error of the transform.
    public func decode<T, Wrapped>(
        _ type: Transformed<T>.Type, forKey key: Key
    ) throws -> Transformed<T> where T.ValueDestination == Wrapped? {
        Transformed(wrappedValue: try decodeIfPresent(using: T(), forKey: key) ?? nil)
    }
}
