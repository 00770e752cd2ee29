public import Foundation

/// The usual transforms after a request. They run in the background (contract rule BACKGROUND).
extension ResponseFuture {
    /// The response as an HTTP response, with its status.
    ///
    /// Fails with ``ResponseError/notHTTPResponse`` if it isn't one.
    public func makeHTTPResponse<Body: Sendable>() -> ResponseFuture<HTTPResponse<Body>>
    where Success == Response<Body> {
        then { try $0.makeHTTPResponse() }
    }
}

/// The usual transforms after a request. They run in the background (contract rule BACKGROUND).
extension ResponseFuture where Success == Response<Data?> {
    /// The response with its body decoded from JSON.
    ///
    /// ```swift
    /// let posts = try await dispatcher.dataFuture(from: request).decoded([Post].self).value.data
    /// ```
    ///
    /// Fails with ``ResponseError/unexpectedEmptyResponse`` if there is no body, and with ``ResponseDecodingError`` if
    /// it can't be decoded.
    public func decoded<Body: Decodable & Sendable>(
        _ type: Body.Type = Body.self, using decoder: JSONDecoder = JSONDecoder()
    ) -> ResponseFuture<Response<Body>> {
        then { try $0.decoded(type, using: decoder) }
    }

    /// The response with its body as text.
    ///
    /// Fails with ``ResponseError/unexpectedEmptyResponse`` if there is no body, and with
    /// ``ResponseError/failedToDecodeDataToString(encoding:)`` if it isn't text in that encoding.
    public func decodedString(encoding: String.Encoding = .utf8) -> ResponseFuture<Response<String>> {
        then { try $0.decodedString(encoding: encoding) }
    }
}

/// The usual transforms after an HTTP response. They run in the background.
extension ResponseFuture where Success == HTTPResponse<Data?> {
    /// The response with its body decoded from JSON.
    ///
    /// Fails with ``ResponseError/unexpectedEmptyResponse`` if there is no body, and with ``ResponseDecodingError`` if
    /// it can't be decoded. The status is ignored: see ``HTTPResponse/httpError``.
    public func decoded<Body: Decodable & Sendable>(
        _ type: Body.Type = Body.self, using decoder: JSONDecoder = JSONDecoder()
    ) -> ResponseFuture<HTTPResponse<Body>> {
        then { try $0.decoded(type, using: decoder) }
    }

    /// The response with its body decoded from JSON, or with the error of decoding: a ``ResponseDecodingError``, or
    /// ``ResponseError/unexpectedEmptyResponse`` if there is no body.
    public func safeDecoded<Body: Decodable & Sendable>(
        _ type: Body.Type = Body.self, using decoder: JSONDecoder = JSONDecoder()
    ) -> ResponseFuture<HTTPResponse<Result<Body, any Error>>> {
        then { $0.safeDecoded(type, using: decoder) }
    }

    /// The response with its body as text.
    ///
    /// Fails with ``ResponseError/unexpectedEmptyResponse`` if there is no body, and with
    /// ``ResponseError/failedToDecodeDataToString(encoding:)`` if it isn't text in that encoding.
    public func decodedString(encoding: String.Encoding = .utf8) -> ResponseFuture<HTTPResponse<String>> {
        then { try $0.decodedString(encoding: encoding) }
    }
}
