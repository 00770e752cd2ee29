extension SingleValueDecodingContainer {
    /// Decodes the value and passes it to a transform.
    ///
    /// ```swift
    /// url = try decoder.singleValueContainer().decode(using: URLTransform())
    /// ```
    ///
    /// The transform gets the path of the container.
    ///
    /// - Throws: the decoder's error for `null` or another type; an error of the transform.
    public func decode<T: DecodingTransform>(using transform: T) throws -> T.ValueDestination {
        try transform.from(json: try decode(T.JSONSource.self), codingPath: codingPath)
    }

    /// Decodes the value and passes it to a transform, or returns `nil` when it is `null`.
    ///
    /// - Throws: the decoder's error for another type; an error of the transform.
    public func decodeIfPresent<T: DecodingTransform>(using transform: T) throws -> T.ValueDestination? {
        decodeNil() ? nil : try decode(using: transform)
    }
}

extension SingleValueEncodingContainer {
    /// Encodes what a transform makes of the value.
    ///
    /// The transform gets the path of the container.
    ///
    /// - Throws: an error of the transform, and then nothing is written; an error of the encoder.
    public mutating func encode<T: EncodingTransform>(_ value: T.ValueSource, using transform: T) throws {
        try encode(try transform.toJSON(value, codingPath: codingPath))
    }

    /// Encodes what a transform makes of the value, or `null` when there is none.
    ///
    /// - Throws: an error of the transform, and then nothing is written; an error of the encoder.
    public mutating func encodeIfPresent<T: EncodingTransform>(_ value: T.ValueSource?, using transform: T) throws {
        guard let value else { return try encodeNil() }
        try encode(value, using: transform)
    }
}
