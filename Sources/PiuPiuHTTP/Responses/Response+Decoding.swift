public import Foundation

extension Response {
    /// The same response with its HTTP status.
    ///
    /// - Throws: ``ResponseError/notHTTPResponse`` when it came by another protocol, such as from a `file:` URL.
    public func makeHTTPResponse() throws -> HTTPResponse<Body> {
        try HTTPResponse(response: self, data: data)
    }
}

extension Response where Body == Data? {
    /// The same response with its body decoded from JSON.
    ///
    /// - Throws: what ``ResponseInterface/decode(_:using:)`` throws: ``ResponseError/unexpectedEmptyResponse`` or
    ///   ``ResponseDecodingError``.
    public func decoded<D: Decodable & Sendable>(
        _ type: D.Type = D.self, using decoder: JSONDecoder = JSONDecoder()
    ) throws -> Response<D> {
        Response<D>(response: self, data: try decode(type, using: decoder))
    }

    /// The same response with its body decoded from JSON, or with `nil` when there is no body or one of zero bytes.
    ///
    /// - Throws: ``ResponseDecodingError`` when there is a body that can't be decoded.
    public func decodedIfPresent<D: Decodable & Sendable>(
        _ type: D.Type = D.self, using decoder: JSONDecoder = JSONDecoder()
    ) throws -> Response<D?> {
        Response<D?>(response: self, data: try decodeIfPresent(type, using: decoder))
    }

    /// The same response with its body decoded by a closure: see ``ResponseInterface/decode(by:)``.
    ///
    /// - Throws: ``ResponseError/unexpectedEmptyResponse`` when there is no body, or one of zero bytes;
    ///   ``ResponseDecodingError``, which holds the error of the closure; a cancellation of the closure as it is.
    public func decoded<Value: Sendable>(by decode: (Data) throws -> Value) throws -> Response<Value> {
        Response<Value>(response: self, data: try self.decode(by: decode))
    }

    /// The same response with its body as text, in the charset of its `Content-Type`: see
    /// ``ResponseInterface/decodeText()``.
    ///
    /// - Throws: ``ResponseError/unexpectedEmptyResponse`` when there is no body, or one of zero bytes;
    ///   ``ResponseError/failedToDecodeDataToString(encoding:)`` when it isn't text in that encoding.
    public func decodedText() throws -> Response<String> {
        Response<String>(response: self, data: try decodeText())
    }

    /// The same response with its body as text.
    ///
    /// - Throws: ``ResponseError/unexpectedEmptyResponse`` when there is no body, or one of zero bytes;
    ///   ``ResponseError/failedToDecodeDataToString(encoding:)`` when it isn't text in that encoding.
    public func decodedString(encoding: String.Encoding = .utf8) throws -> Response<String> {
        Response<String>(response: self, data: try decodeString(encoding: encoding))
    }
}
