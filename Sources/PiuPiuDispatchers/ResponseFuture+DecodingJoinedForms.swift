public import Foundation

/// Further transforms after a join of many requests: see those of one response. They run in the background, in the
/// order of the responses, and the first response that fails to decode fails the future.
extension ResponseFuture where Success: Sequence, Success.Element == Response<Data?> {
    /// The responses with their bodies decoded by a closure: see `decoded(by:)` of one response.
    public func decoded<Value: Sendable>(
        by decode: @escaping @Sendable (Data) throws -> Value
    ) -> ResponseFuture<[Response<Value>]> {
        then { try $0.map { try $0.decoded(by: decode) } }
    }

    /// The responses with their bodies as text, each in its own charset: see `decodedText()` of one response.
    public func decodedText() -> ResponseFuture<[Response<String>]> {
        then { try $0.map { try $0.decodedText() } }
    }

    /// The responses with their bodies decoded from JSON, with dates in the given format.
    public func decoded<Body: Decodable & Sendable>(
        _ type: Body.Type = Body.self, dateDecodingStrategy: JSONDecoder.DateDecodingStrategy
    ) -> ResponseFuture<[Response<Body>]> {
        then { try $0.map { try $0.decoded(type, dateDecodingStrategy: dateDecodingStrategy) } }
    }

    /// The responses with their bodies decoded from JSON, or with `nil` where there is no body, as after a 204.
    public func decodedIfPresent<Body: Decodable & Sendable>(
        _ type: Body.Type = Body.self, using decoder: JSONDecoder = JSONDecoder()
    ) -> ResponseFuture<[Response<Body?>]> {
        then { try $0.map { try $0.decodedIfPresent(type, using: decoder) } }
    }

    /// The responses with their bodies decoded from JSON, with dates in the given format, or with `nil` where there is
    /// no body.
    public func decodedIfPresent<Body: Decodable & Sendable>(
        _ type: Body.Type = Body.self, dateDecodingStrategy: JSONDecoder.DateDecodingStrategy
    ) -> ResponseFuture<[Response<Body?>]> {
        then { try $0.map { try $0.decodedIfPresent(type, dateDecodingStrategy: dateDecodingStrategy) } }
    }
}

/// Further transforms after a join of many HTTP responses: see those of one response. They run in the background, in
/// the order of the responses, and the first response that fails to decode fails the future.
extension ResponseFuture where Success: Sequence, Success.Element == HTTPResponse<Data?> {
    /// The responses with their bodies decoded by a closure: see `decoded(by:)` of one response.
    public func decoded<Value: Sendable>(
        by decode: @escaping @Sendable (Data) throws -> Value
    ) -> ResponseFuture<[HTTPResponse<Value>]> {
        then { try $0.map { try $0.decoded(by: decode) } }
    }

    /// The responses with their bodies as text, each in its own charset: see `decodedText()` of one response.
    public func decodedText() -> ResponseFuture<[HTTPResponse<String>]> {
        then { try $0.map { try $0.decodedText() } }
    }

    /// The responses with their bodies decoded from JSON, with dates in the given format.
    public func decoded<Body: Decodable & Sendable>(
        _ type: Body.Type = Body.self, dateDecodingStrategy: JSONDecoder.DateDecodingStrategy
    ) -> ResponseFuture<[HTTPResponse<Body>]> {
        then { try $0.map { try $0.decoded(type, dateDecodingStrategy: dateDecodingStrategy) } }
    }

    /// The responses with their bodies decoded from JSON, or with `nil` where there is no body, as after a 204.
    public func decodedIfPresent<Body: Decodable & Sendable>(
        _ type: Body.Type = Body.self, using decoder: JSONDecoder = JSONDecoder()
    ) -> ResponseFuture<[HTTPResponse<Body?>]> {
        then { try $0.map { try $0.decodedIfPresent(type, using: decoder) } }
    }

    /// The responses with their bodies decoded from JSON, with dates in the given format, or with `nil` where there is
    /// no body.
    public func decodedIfPresent<Body: Decodable & Sendable>(
        _ type: Body.Type = Body.self, dateDecodingStrategy: JSONDecoder.DateDecodingStrategy
    ) -> ResponseFuture<[HTTPResponse<Body?>]> {
        then { try $0.map { try $0.decodedIfPresent(type, dateDecodingStrategy: dateDecodingStrategy) } }
    }

    /// The responses, each with its body decoded from JSON, with dates in the given format, or with the error of
    /// decoding.
    public func safeDecoded<Body: Decodable & Sendable>(
        _ type: Body.Type = Body.self, dateDecodingStrategy: JSONDecoder.DateDecodingStrategy
    ) -> ResponseFuture<[HTTPResponse<Result<Body, any Error>>]> {
        then { $0.map { $0.safeDecoded(type, dateDecodingStrategy: dateDecodingStrategy) } }
    }
}

/// Further transforms after a join of two requests: see those of one response. They run in the background.
extension ResponseFuture where Success == (Response<Data?>, Response<Data?>) {
    /// Both responses with their bodies as text, each in its own charset: see `decodedText()` of one response.
    public func decodedText() -> ResponseFuture<(Response<String>, Response<String>)> {
        then { (try $0.decodedText(), try $1.decodedText()) }
    }

    /// Both responses with their bodies decoded from JSON, with dates in the given format.
    public func decoded<First: Decodable & Sendable, Second: Decodable & Sendable>(
        _ first: First.Type, _ second: Second.Type, dateDecodingStrategy: JSONDecoder.DateDecodingStrategy
    ) -> ResponseFuture<(Response<First>, Response<Second>)> {
        then {
            (
                try $0.decoded(first, dateDecodingStrategy: dateDecodingStrategy),
                try $1.decoded(second, dateDecodingStrategy: dateDecodingStrategy)
            )
        }
    }

    /// Both responses with their bodies decoded from JSON, or with `nil` where there is no body, as after a 204.
    public func decodedIfPresent<First: Decodable & Sendable, Second: Decodable & Sendable>(
        _ first: First.Type, _ second: Second.Type, using decoder: JSONDecoder = JSONDecoder()
    ) -> ResponseFuture<(Response<First?>, Response<Second?>)> {
        then { (try $0.decodedIfPresent(first, using: decoder), try $1.decodedIfPresent(second, using: decoder)) }
    }

    /// Both responses with their bodies decoded from JSON, with dates in the given format, or with `nil` where there is
    /// no body.
    public func decodedIfPresent<First: Decodable & Sendable, Second: Decodable & Sendable>(
        _ first: First.Type, _ second: Second.Type, dateDecodingStrategy: JSONDecoder.DateDecodingStrategy
    ) -> ResponseFuture<(Response<First?>, Response<Second?>)> {
        then {
            (
                try $0.decodedIfPresent(first, dateDecodingStrategy: dateDecodingStrategy),
                try $1.decodedIfPresent(second, dateDecodingStrategy: dateDecodingStrategy)
            )
        }
    }
}

/// Further transforms after a join of two HTTP responses: see those of one response. They run in the background.
extension ResponseFuture where Success == (HTTPResponse<Data?>, HTTPResponse<Data?>) {
    /// Both responses with their bodies as text, each in its own charset: see `decodedText()` of one response.
    public func decodedText() -> ResponseFuture<(HTTPResponse<String>, HTTPResponse<String>)> {
        then { (try $0.decodedText(), try $1.decodedText()) }
    }

    /// Both responses with their bodies decoded from JSON, with dates in the given format.
    public func decoded<First: Decodable & Sendable, Second: Decodable & Sendable>(
        _ first: First.Type, _ second: Second.Type, dateDecodingStrategy: JSONDecoder.DateDecodingStrategy
    ) -> ResponseFuture<(HTTPResponse<First>, HTTPResponse<Second>)> {
        then {
            (
                try $0.decoded(first, dateDecodingStrategy: dateDecodingStrategy),
                try $1.decoded(second, dateDecodingStrategy: dateDecodingStrategy)
            )
        }
    }

    /// Both responses with their bodies decoded from JSON, or with `nil` where there is no body, as after a 204.
    public func decodedIfPresent<First: Decodable & Sendable, Second: Decodable & Sendable>(
        _ first: First.Type, _ second: Second.Type, using decoder: JSONDecoder = JSONDecoder()
    ) -> ResponseFuture<(HTTPResponse<First?>, HTTPResponse<Second?>)> {
        then { (try $0.decodedIfPresent(first, using: decoder), try $1.decodedIfPresent(second, using: decoder)) }
    }

    /// Both responses with their bodies decoded from JSON, with dates in the given format, or with `nil` where there is
    /// no body.
    public func decodedIfPresent<First: Decodable & Sendable, Second: Decodable & Sendable>(
        _ first: First.Type, _ second: Second.Type, dateDecodingStrategy: JSONDecoder.DateDecodingStrategy
    ) -> ResponseFuture<(HTTPResponse<First?>, HTTPResponse<Second?>)> {
        then {
            (
                try $0.decodedIfPresent(first, dateDecodingStrategy: dateDecodingStrategy),
                try $1.decodedIfPresent(second, dateDecodingStrategy: dateDecodingStrategy)
            )
        }
    }

    /// Both responses, each with its body decoded from JSON, with dates in the given format, or with the error of
    /// decoding.
    public func safeDecoded<First: Decodable & Sendable, Second: Decodable & Sendable>(
        _ first: First.Type, _ second: Second.Type, dateDecodingStrategy: JSONDecoder.DateDecodingStrategy
    ) -> ResponseFuture<(HTTPResponse<Result<First, any Error>>, HTTPResponse<Result<Second, any Error>>)> {
        then {
            (
                $0.safeDecoded(first, dateDecodingStrategy: dateDecodingStrategy),
                $1.safeDecoded(second, dateDecodingStrategy: dateDecodingStrategy)
            )
        }
    }
}
