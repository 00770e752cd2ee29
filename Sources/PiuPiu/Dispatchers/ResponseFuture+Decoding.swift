public import Foundation

/// What usually comes after a request. All of it runs in the background (contract rule BACKGROUND).
extension ResponseFuture {
    /// The response as an HTTP response, with its status.
    ///
    /// Fails with ``ResponseError/notHTTPResponse`` if it is none.
    public func makeHTTPResponse<Body: Sendable>() -> ResponseFuture<HTTPResponse<Body>>
    where Success == Response<Body> {
        then { try $0.makeHTTPResponse() }
    }
}

/// What usually comes after a request. All of it runs in the background (contract rule BACKGROUND).
extension ResponseFuture where Success == Response<Data?> {
    /// The response with its body decoded from JSON.
    ///
    /// ```swift
    /// let posts = try await dispatcher.dataFuture(from: request).decoded([Post].self).value.data
    /// ```
    ///
    /// Fails with ``ResponseError/unexpectedEmptyResponse`` if there is no body, and with ``ResponseDecodingError`` if
    /// it isn't what was expected.
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

/// What usually comes after a request that was answered over HTTP. All of it runs in the background.
extension ResponseFuture where Success == HTTPResponse<Data?> {
    /// The response with its body decoded from JSON.
    ///
    /// Fails with ``ResponseError/unexpectedEmptyResponse`` if there is no body, and with ``ResponseDecodingError`` if
    /// it isn't what was expected. The status isn't looked at: see ``HTTPResponse/httpError``.
    public func decoded<Body: Decodable & Sendable>(
        _ type: Body.Type = Body.self, using decoder: JSONDecoder = JSONDecoder()
    ) -> ResponseFuture<HTTPResponse<Body>> {
        then { try $0.decoded(type, using: decoder) }
    }

    /// The response with its body decoded from JSON, or with the error that came of decoding it: a
    /// ``ResponseDecodingError``, or ``ResponseError/unexpectedEmptyResponse`` if there is no body.
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
