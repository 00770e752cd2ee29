extension SingleValueDecodingContainer {
    /// Decodes the value and hands it to a transform.
    ///
    /// ```swift
    /// url = try decoder.singleValueContainer().decode(using: URLTransform())
    /// ```
    ///
    /// The transform gets the path of the container.
    ///
    /// - Throws: what the decoder throws for `null` or another type; what the transform throws.
    public func decode<T: DecodingTransform>(using transform: T) throws -> T.ValueDestination {
        try transform.from(json: try decode(T.JSONSource.self), codingPath: codingPath)
    }

    /// Decodes the value and hands it to a transform, or gives `nil` when it is `null`.
    ///
    /// - Throws: what the decoder throws for another type; what the transform throws.
    public func decodeIfPresent<T: DecodingTransform>(using transform: T) throws -> T.ValueDestination? {
        decodeNil() ? nil : try decode(using: transform)
    }
}

extension SingleValueEncodingContainer {
    /// Encodes what a transform makes of the value.
    ///
    /// The transform gets the path of the container.
    ///
    /// - Throws: what the transform throws, and then nothing is written; what the encoder throws.
    public mutating func encode<T: EncodingTransform>(_ value: T.ValueSource, using transform: T) throws {
        try encode(try transform.toJSON(value, codingPath: codingPath))
    }

    /// Encodes what a transform makes of the value, or `null` when there is none.
    ///
    /// - Throws: what the transform throws, and then nothing is written; what the encoder throws.
    public mutating func encodeIfPresent<T: EncodingTransform>(_ value: T.ValueSource?, using transform: T) throws {
        guard let value else { return try encodeNil() }
        try encode(value, using: transform)
    }
}
