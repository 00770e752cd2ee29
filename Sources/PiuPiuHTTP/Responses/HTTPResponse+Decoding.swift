public import Foundation

extension HTTPResponse where Body == Data? {
    /// The same response with its body decoded from JSON.
    ///
    /// - Throws: what ``ResponseInterface/decode(_:using:)`` throws: ``ResponseError/unexpectedEmptyResponse`` or
    ///   ``ResponseDecodingError``.
    public func decoded<D: Decodable & Sendable>(
        _ type: D.Type = D.self, using decoder: JSONDecoder = JSONDecoder()
    ) throws -> HTTPResponse<D> {
        replacingData(with: try decode(type, using: decoder))
    }

    /// The same response with its body decoded from JSON, or with `nil` when there is no body or one of zero bytes.
    ///
    /// - Throws: ``ResponseDecodingError`` when there is a body that can't be decoded.
    public func decodedIfPresent<D: Decodable & Sendable>(
        _ type: D.Type = D.self, using decoder: JSONDecoder = JSONDecoder()
    ) throws -> HTTPResponse<D?> {
        replacingData(with: try decodeIfPresent(type, using: decoder))
    }

    /// The same response with its body decoded from JSON, or with the error of decoding:
    /// ``ResponseDecodingError``, or ``ResponseError/unexpectedEmptyResponse`` when there is no body.
    public func safeDecoded<D: Decodable & Sendable>(
        _ type: D.Type = D.self, using decoder: JSONDecoder = JSONDecoder()
    ) -> HTTPResponse<Result<D, any Error>> {
        replacingData(with: Result { try decode(type, using: decoder) })
    }

    /// The same response with its body decoded by a closure: see ``ResponseInterface/decode(by:)``.
    ///
    /// - Throws: ``ResponseError/unexpectedEmptyResponse`` when there is no body, or one of zero bytes;
    ///   ``ResponseDecodingError``, which holds the error of the closure; a cancellation of the closure as it is.
    public func decoded<Value: Sendable>(by decode: (Data) throws -> Value) throws -> HTTPResponse<Value> {
        replacingData(with: try self.decode(by: decode))
    }

    /// The same response with its body as text, in the charset of its `Content-Type`: see
    /// ``ResponseInterface/decodeText()``.
    ///
    /// - Throws: ``ResponseError/unexpectedEmptyResponse`` when there is no body, or one of zero bytes;
    ///   ``ResponseError/failedToDecodeDataToString(encoding:)`` when it isn't text in that encoding.
    public func decodedText() throws -> HTTPResponse<String> {
        replacingData(with: try decodeText())
    }

    /// The same response with its body as text.
    ///
    /// - Throws: ``ResponseError/unexpectedEmptyResponse`` when there is no body, or one of zero bytes;
    ///   ``ResponseError/failedToDecodeDataToString(encoding:)`` when it isn't text in that encoding.
    public func decodedString(encoding: String.Encoding = .utf8) throws -> HTTPResponse<String> {
        replacingData(with: try decodeString(encoding: encoding))
    }

    private func replacingData<NewBody: Sendable>(with data: NewBody) -> HTTPResponse<NewBody> {
        HTTPResponse<NewBody>(data: data, urlRequest: urlRequest, head: head)
    }
}
