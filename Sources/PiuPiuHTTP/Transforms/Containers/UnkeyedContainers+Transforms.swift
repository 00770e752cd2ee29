extension UnkeyedDecodingContainer {
    /// Decodes the next element and passes it to a transform.
    ///
    /// ```swift
    /// while !container.isAtEnd {
    ///     links.append(try container.decode(using: URLTransform()))
    /// }
    /// ```
    ///
    /// The transform gets the path of the container plus the index. When it throws, the element has been read: the next
    /// call decodes the one after it.
    ///
    /// - Throws: the decoder's error at the end, for `null` or another type; an error of the transform.
    public mutating func decode<T: DecodingTransform>(using transform: T) throws -> T.ValueDestination {
        let path = codingPath + [IndexKey(index: currentIndex)]
        return try transform.from(json: try decode(T.JSONSource.self), codingPath: path)
    }

    /// Decodes the next element and passes it to a transform, or returns `nil` when it is `null` or there is none.
    ///
    /// - Throws: the decoder's error for another type; an error of the transform.
    public mutating func decodeIfPresent<T: DecodingTransform>(using transform: T) throws -> T.ValueDestination? {
        let path = codingPath + [IndexKey(index: currentIndex)]
        guard let json = try decodeIfPresent(T.JSONSource.self) else { return nil }
        return try transform.from(json: json, codingPath: path)
    }
}

extension UnkeyedEncodingContainer {
    /// Encodes what a transform makes of the value, as the next element.
    ///
    /// The transform gets the path of the container plus the index.
    ///
    /// - Throws: an error of the transform, and then nothing is written; an error of the encoder.
    public mutating func encode<T: EncodingTransform>(_ value: T.ValueSource, using transform: T) throws {
        try encode(try transform.toJSON(value, codingPath: codingPath + [IndexKey(index: count)]))
    }

    /// Encodes what a transform makes of the value, or `null` when there is none, so that the indices stay the same.
    ///
    /// - Throws: an error of the transform, and then nothing is written; an error of the encoder.
    public mutating func encodeIfPresent<T: EncodingTransform>(_ value: T.ValueSource?, using transform: T) throws {
        guard let value else { return try encodeNil() }
        try encode(value, using: transform)
    }
}
