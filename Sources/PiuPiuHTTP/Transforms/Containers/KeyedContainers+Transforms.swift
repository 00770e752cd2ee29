extension KeyedDecodingContainerProtocol {
    /// Decodes the value of a key and passes it to a transform.
    ///
    /// ```swift
    /// timeZone = try container.decode(using: TimeZoneTransform(), forKey: .timeZoneId)
    /// ```
    ///
    /// The transform gets the path of the container plus the key.
    ///
    /// - Throws: the decoder's error for a missing key, `null` or another type; an error of the transform.
    public func decode<T: DecodingTransform>(using transform: T, forKey key: Key) throws -> T.ValueDestination {
        try transform.from(json: try decode(T.JSONSource.self, forKey: key), codingPath: codingPath + [key])
    }

    /// Decodes the value of a key and passes it to a transform, or returns `nil` when the key is missing or `null`.
    ///
    /// A transform with optional values gives a nested optional, which `… ?? nil` flattens.
    ///
    /// - Throws: the decoder's error for another type; an error of the transform.
    public func decodeIfPresent<T: DecodingTransform>(
        using transform: T, forKey key: Key
    ) throws -> T.ValueDestination? {
        guard let json = try decodeIfPresent(T.JSONSource.self, forKey: key) else { return nil }
        return try transform.from(json: json, codingPath: codingPath + [key])
    }
}

extension KeyedEncodingContainerProtocol {
    /// Encodes what a transform makes of the value.
    ///
    /// ```swift
    /// try container.encode(timeZone, forKey: .timeZoneId, using: TimeZoneTransform())
    /// ```
    ///
    /// The transform gets the path of the container plus the key.
    ///
    /// - Throws: an error of the transform, and then nothing is written; an error of the encoder.
    public mutating func encode<T: EncodingTransform>(_ value: T.ValueSource, forKey key: Key, using transform: T)
        throws
    {
        try encode(try transform.toJSON(value, codingPath: codingPath + [key]), forKey: key)
    }

    /// Encodes what a transform makes of the value, or omits the key when there is none.
    ///
    /// - Throws: an error of the transform, and then nothing is written; an error of the encoder.
    public mutating func encodeIfPresent<T: EncodingTransform>(
        _ value: T.ValueSource?, forKey key: Key, using transform: T
    ) throws {
        guard let value else { return }
        try encode(value, forKey: key, using: transform)
    }

    /// Encodes what a transform of optional values makes of the value, or omits the key when there is none.
    ///
    /// - Throws: an error of the transform, and then nothing is written; an error of the encoder.
    public mutating func encodeIfPresent<T: EncodingTransform, Wrapped>(
        _ value: Wrapped?, forKey key: Key, using transform: T
    ) throws where T.ValueSource == Wrapped? {
        guard let value else { return }
        try encode(value, forKey: key, using: transform)
    }
}
