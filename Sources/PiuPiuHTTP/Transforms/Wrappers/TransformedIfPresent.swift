/// An optional property that a transform decodes and encodes, in a model whose `Codable` the compiler writes.
///
/// ```swift
/// struct Event: Codable {
///     @TransformedIfPresent<URLTransform> var page: URL?
/// }
/// ```
///
/// A missing key and `null` decode to `nil`, and `nil` omits the key. Where there are no keys, as in an array, `nil` is
/// `null`. An existing value that the transform refuses is an error, not `nil`.
@propertyWrapper
public struct TransformedIfPresent<T: DecodingTransform & ParameterlessTransform>: Decodable {
    /// The value of the model, or `nil` when there is none.
    public var wrappedValue: T.ValueDestination?

    /// Makes a property with a value, or without.
    public init(wrappedValue: T.ValueDestination? = nil) {
        self.wrappedValue = wrappedValue
    }

    /// Decodes the value with the transform, or `nil` from `null`.
    public init(from decoder: any Decoder) throws {
        wrappedValue = try decoder.singleValueContainer().decodeIfPresent(using: T())
    }
}

extension TransformedIfPresent: Encodable where T: EncodingTransform, T.ValueSource == T.ValueDestination {
    /// Encodes the value with the transform, or `nil` as `null`.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encodeIfPresent(wrappedValue, using: T())
    }
}

extension TransformedIfPresent: Sendable where T.ValueDestination: Sendable {}
extension TransformedIfPresent: Equatable where T.ValueDestination: Equatable {}
extension TransformedIfPresent: Hashable where T.ValueDestination: Hashable {}

extension KeyedDecodingContainer {
    /// Decodes an optional property with its transform: a missing key and `null` are `nil`.
    ///
    /// The compiler uses it for the models whose `Codable` it writes.
    ///
    /// - Throws: the decoder's error for another type; an error of the transform.
    public func decode<T>(
        _ type: TransformedIfPresent<T>.Type, forKey key: Key
    ) throws -> TransformedIfPresent<T> {
        TransformedIfPresent(wrappedValue: try decodeIfPresent(using: T(), forKey: key))
    }
}

extension KeyedEncodingContainer {
    /// Encodes an optional property with its transform, or omits the key when it is `nil`.
    ///
    /// The compiler uses it for the models whose `Codable` it writes.
    ///
    /// - Throws: an error of the transform or the encoder.
    public mutating func encode<T: EncodingTransform>(
        _ value: TransformedIfPresent<T>, forKey key: Key
    ) throws where T.ValueSource == T.ValueDestination {
        try encodeIfPresent(value.wrappedValue, forKey: key, using: T())
    }
}
