public import Foundation

/// Further transforms after a request. They run in the background (contract rule BACKGROUND).
extension ResponseFuture where Success == Response<Data?> {
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
