public import Foundation

/// Further transforms after a request. They run in the background (contract rule BACKGROUND).
extension ResponseFuture where Success == Response<Data?> {
    /// The response with its body decoded by a closure, for a format that isn't JSON.
    ///
    /// ```swift
    /// dispatcher.dataFuture(from: request).decoded { try PropertyListDecoder().decode(Post.self, from: $0) }
    /// ```
    ///
    /// The closure runs once, in the background, and isn't called without a body.
    ///
    /// Fails with ``ResponseError/unexpectedEmptyResponse`` if there is no body, and with a ``ResponseDecodingError`` that
    /// holds the error of the closure. If the closure throws a `CancellationError`, the future is cancelled.
    ///
    /// - Parameter decode: makes the value of the body.
    public func decoded<Value: Sendable>(
        by decode: @escaping @Sendable (Data) throws -> Value
    ) -> ResponseFuture<Response<Value>> {
        then { try $0.decoded(by: decode) }
    }

    /// The response with its body as text, in the charset of its `Content-Type`: see
    /// ``ResponseInterface/decodeText()``.
    ///
    /// Fails with ``ResponseError/unexpectedEmptyResponse`` if there is no body, and with
    /// ``ResponseError/failedToDecodeDataToString(encoding:)`` if it isn't text in that encoding.
    public func decodedText() -> ResponseFuture<Response<String>> {
        then { try $0.decodedText() }
    }

    /// The response with its body decoded from JSON, with dates in the given format: see `decoded(_:using:)`.
    public func decoded<Body: Decodable & Sendable>(
        _ type: Body.Type = Body.self, dateDecodingStrategy: JSONDecoder.DateDecodingStrategy
    ) -> ResponseFuture<Response<Body>> {
        then { try $0.decoded(type, dateDecodingStrategy: dateDecodingStrategy) }
    }

    /// The response with its body decoded from JSON, or with `nil` if there is no body, as after a 204.
    ///
    /// Fails with ``ResponseDecodingError`` if there is a body that can't be decoded.
    public func decodedIfPresent<Body: Decodable & Sendable>(
        _ type: Body.Type = Body.self, using decoder: JSONDecoder = JSONDecoder()
    ) -> ResponseFuture<Response<Body?>> {
        then { try $0.decodedIfPresent(type, using: decoder) }
    }

    /// The response with its body decoded from JSON, with dates in the given format, or with `nil` if there is no body.
    ///
    /// Fails with ``ResponseDecodingError`` if there is a body that can't be decoded.
    public func decodedIfPresent<Body: Decodable & Sendable>(
        _ type: Body.Type = Body.self, dateDecodingStrategy: JSONDecoder.DateDecodingStrategy
    ) -> ResponseFuture<Response<Body?>> {
        then { try $0.decodedIfPresent(type, dateDecodingStrategy: dateDecodingStrategy) }
    }
}

/// Further transforms after an HTTP response. They run in the background.
extension ResponseFuture where Success == HTTPResponse<Data?> {
    /// The response with its body decoded by a closure, for a format that isn't JSON.
    ///
    /// The closure runs once, in the background, and isn't called without a body.
    ///
    /// Fails with ``ResponseError/unexpectedEmptyResponse`` if there is no body, and with a ``ResponseDecodingError`` that
    /// holds the error of the closure. If the closure throws a `CancellationError`, the future is cancelled.
    ///
    /// - Parameter decode: makes the value of the body.
    public func decoded<Value: Sendable>(
        by decode: @escaping @Sendable (Data) throws -> Value
    ) -> ResponseFuture<HTTPResponse<Value>> {
        then { try $0.decoded(by: decode) }
    }

    /// The response with its body as text, in the charset of its `Content-Type`: see
    /// ``ResponseInterface/decodeText()``.
    ///
    /// Fails with ``ResponseError/unexpectedEmptyResponse`` if there is no body, and with
    /// ``ResponseError/failedToDecodeDataToString(encoding:)`` if it isn't text in that encoding.
    public func decodedText() -> ResponseFuture<HTTPResponse<String>> {
        then { try $0.decodedText() }
    }

    /// The response with its body decoded from JSON, with dates in the given format: see `decoded(_:using:)`.
    public func decoded<Body: Decodable & Sendable>(
        _ type: Body.Type = Body.self, dateDecodingStrategy: JSONDecoder.DateDecodingStrategy
    ) -> ResponseFuture<HTTPResponse<Body>> {
        then { try $0.decoded(type, dateDecodingStrategy: dateDecodingStrategy) }
    }

    /// The response with its body decoded from JSON, or with `nil` if there is no body, as after a 204.
    ///
    /// Fails with ``ResponseDecodingError`` if there is a body that can't be decoded.
    public func decodedIfPresent<Body: Decodable & Sendable>(
        _ type: Body.Type = Body.self, using decoder: JSONDecoder = JSONDecoder()
    ) -> ResponseFuture<HTTPResponse<Body?>> {
        then { try $0.decodedIfPresent(type, using: decoder) }
    }

    /// The response with its body decoded from JSON, with dates in the given format, or with `nil` if there is no body.
    ///
    /// Fails with ``ResponseDecodingError`` if there is a body that can't be decoded.
    public func decodedIfPresent<Body: Decodable & Sendable>(
        _ type: Body.Type = Body.self, dateDecodingStrategy: JSONDecoder.DateDecodingStrategy
    ) -> ResponseFuture<HTTPResponse<Body?>> {
        then { try $0.decodedIfPresent(type, dateDecodingStrategy: dateDecodingStrategy) }
    }

    /// The response with its body decoded from JSON, with dates in the given format, or with the error of decoding: see
    /// `safeDecoded(_:using:)`.
    public func safeDecoded<Body: Decodable & Sendable>(
        _ type: Body.Type = Body.self, dateDecodingStrategy: JSONDecoder.DateDecodingStrategy
    ) -> ResponseFuture<HTTPResponse<Result<Body, any Error>>> {
        then { $0.safeDecoded(type, dateDecodingStrategy: dateDecodingStrategy) }
    }
}
