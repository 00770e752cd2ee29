public import Foundation

extension ResponseInterface where Body == Data? {
    /// The body, which is required.
    ///
    /// - Throws: ``ResponseError/unexpectedEmptyResponse`` when there is no body, or one of zero bytes.
    public func unwrapData() throws -> Data {
        guard let data, !data.isEmpty else { throw ResponseError.unexpectedEmptyResponse }
        return data
    }

    /// The body as text.
    ///
    /// - Parameter encoding: the encoding of the text; a charset in the response's head is ignored.
    /// - Throws: ``ResponseError/unexpectedEmptyResponse`` when there is no body, or one of zero bytes;
    ///   ``ResponseError/failedToDecodeDataToString(encoding:)`` when it isn't text in that encoding.
    public func decodeString(encoding: String.Encoding = .utf8) throws -> String {
        guard let string = String(try unwrapData(), in: encoding) else {
            throw ResponseError.failedToDecodeDataToString(encoding: encoding)
        }
        return string
    }

    /// The body as text, in the charset of its `Content-Type`.
    ///
    /// The names of charsets mean what they mean to browsers (WHATWG Encoding): "iso-8859-1" is windows-1252, for example.
    /// Known are UTF-8, UTF-16, ISO-8859-1 and -2, windows-1250 to -1252, and Shift_JIS. A byte order mark counts more,
    /// and isn't a part of the text. Without a charset, or with an unknown one, it is UTF-8.
    ///
    /// - Throws: ``ResponseError/unexpectedEmptyResponse`` when there is no body, or one of zero bytes;
    ///   ``ResponseError/failedToDecodeDataToString(encoding:)`` when it isn't text in that encoding.
    public func decodeText() throws -> String {
        let data = try unwrapData(), encoding = TextEncoding(of: data, charset: head.charset)
        guard let text = encoding.text(of: data) else {
            throw ResponseError.failedToDecodeDataToString(encoding: encoding.encoding)
        }
        return text
    }

    /// Decodes the body by a closure, for a format that isn't JSON.
    ///
    /// ```swift
    /// let post = try response.decode { try PropertyListDecoder().decode(Post.self, from: $0) }
    /// ```
    ///
    /// It works on the calling thread, and ignores the status: check `httpError` first.
    ///
    /// - Parameter decode: makes the value of the body.
    /// - Throws: ``ResponseError/unexpectedEmptyResponse`` when there is no body, or one of zero bytes;
    ///   ``ResponseDecodingError``, which holds the error of the closure; a cancellation of the closure as it is.
    public func decode<Value>(by decode: (Data) throws -> Value) throws -> Value {
        let data = try unwrapData()
        do {
            return try decode(data)
        } catch {
            guard !error.isCancellation else { throw error }
            throw ResponseDecodingError(
                decoding: readableName(of: Value.self), from: self, body: data, underlyingError: error)
        }
    }

    /// Decodes the body from JSON.
    ///
    /// ```swift
    /// let posts = try response.decode([Post].self)
    /// ```
    ///
    /// It works on the calling thread, and ignores the status: check `httpError` first.
    ///
    /// - Throws: ``ResponseError/unexpectedEmptyResponse`` when there is no body, or one of zero bytes;
    ///   ``ResponseDecodingError``, which holds the decoder's error, when it can't be decoded.
    public func decode<D: Decodable>(_ type: D.Type, using decoder: JSONDecoder = JSONDecoder()) throws -> D {
        let data = try unwrapData()
        do {
            return try decoder.decode(type, from: data)
        } catch {
            throw ResponseDecodingError(
                decoding: readableName(of: type), from: self, body: data, underlyingError: error)
        }
    }

    /// Decodes the body from JSON, with dates in the given format.
    ///
    /// ```swift
    /// let post = try response.decode(Post.self, dateDecodingStrategy: .iso8601)
    /// ```
    ///
    /// - Throws: what ``decode(_:using:)`` throws.
    public func decode<D: Decodable>(
        _ type: D.Type, dateDecodingStrategy: JSONDecoder.DateDecodingStrategy
    ) throws -> D {
        try decode(type, using: JSONDecoder(dateDecodingStrategy: dateDecodingStrategy))
    }

    /// Decodes the body from JSON, or returns `nil` when there is no body or one of zero bytes, as after a 204.
    ///
    /// - Throws: ``ResponseDecodingError`` when there is a body that can't be decoded; the JSON `null` is such a body,
    ///   unless the type is an optional.
    public func decodeIfPresent<D: Decodable>(
        _ type: D.Type, using decoder: JSONDecoder = JSONDecoder()
    ) throws -> D? {
        guard let data, !data.isEmpty else { return nil }
        return try decode(type, using: decoder)
    }

    /// Decodes the body from JSON, with dates in the given format, or returns `nil` when there is no body or one of
    /// zero bytes.
    ///
    /// - Throws: what ``decodeIfPresent(_:using:)`` throws.
    public func decodeIfPresent<D: Decodable>(
        _ type: D.Type, dateDecodingStrategy: JSONDecoder.DateDecodingStrategy
    ) throws -> D? {
        try decodeIfPresent(type, using: JSONDecoder(dateDecodingStrategy: dateDecodingStrategy))
    }

    /// The body as the dictionaries, arrays, strings, numbers, booleans and nulls of its JSON.
    ///
    /// ```swift
    /// let post = try response.decodeJSONObject() as? [String: Any]
    /// ```
    ///
    /// - Parameter options: the options. By default containers are mutable, `NSMutableArray` and `NSMutableDictionary`.
    ///   A body that is a single value needs `.fragmentsAllowed`.
    /// - Throws: ``ResponseError/unexpectedEmptyResponse`` when there is no body, or one of zero bytes;
    ///   ``ResponseDecodingError``, which holds Foundation's error, when it isn't JSON.
    public func decodeJSONObject(options: JSONSerialization.ReadingOptions = .mutableContainers) throws -> Any {
        let data = try unwrapData()
        do {
            return try JSONSerialization.jsonObject(with: data, options: options)
        } catch {
            throw ResponseDecodingError(
                decoding: "a JSON object", from: self, body: data, underlyingError: error)
        }
    }
}

extension JSONDecoder {
    /// A decoder that reads dates in the given format.
    convenience init(dateDecodingStrategy: DateDecodingStrategy) {
        self.init()
        self.dateDecodingStrategy = dateDecodingStrategy
    }
}
