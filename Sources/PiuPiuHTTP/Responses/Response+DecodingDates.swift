public import Foundation

extension Response where Body == Data? {
    /// The same response with its body decoded from JSON, with dates in the given format: see ``decoded(_:using:)``.
    public func decoded<D: Decodable & Sendable>(
        _ type: D.Type = D.self, dateDecodingStrategy: JSONDecoder.DateDecodingStrategy
    ) throws -> Response<D> {
        try decoded(type, using: JSONDecoder(dateDecodingStrategy: dateDecodingStrategy))
    }

    /// The same response with its body decoded from JSON, with dates in the given format, or with `nil` when there is
    /// no body: see ``decodedIfPresent(_:using:)``.
    public func decodedIfPresent<D: Decodable & Sendable>(
        _ type: D.Type = D.self, dateDecodingStrategy: JSONDecoder.DateDecodingStrategy
    ) throws -> Response<D?> {
        try decodedIfPresent(type, using: JSONDecoder(dateDecodingStrategy: dateDecodingStrategy))
    }
}

extension HTTPResponse where Body == Data? {
    /// The same response with its body decoded from JSON, with dates in the given format: see ``decoded(_:using:)``.
    public func decoded<D: Decodable & Sendable>(
        _ type: D.Type = D.self, dateDecodingStrategy: JSONDecoder.DateDecodingStrategy
    ) throws -> HTTPResponse<D> {
        try decoded(type, using: JSONDecoder(dateDecodingStrategy: dateDecodingStrategy))
    }

    /// The same response with its body decoded from JSON, with dates in the given format, or with `nil` when there is
    /// no body: see ``decodedIfPresent(_:using:)``.
    public func decodedIfPresent<D: Decodable & Sendable>(
        _ type: D.Type = D.self, dateDecodingStrategy: JSONDecoder.DateDecodingStrategy
    ) throws -> HTTPResponse<D?> {
        try decodedIfPresent(type, using: JSONDecoder(dateDecodingStrategy: dateDecodingStrategy))
    }

    /// The same response with its body decoded from JSON, with dates in the given format, or with the error of
    /// decoding: see ``safeDecoded(_:using:)``.
    public func safeDecoded<D: Decodable & Sendable>(
        _ type: D.Type = D.self, dateDecodingStrategy: JSONDecoder.DateDecodingStrategy
    ) -> HTTPResponse<Result<D, any Error>> {
        safeDecoded(type, using: JSONDecoder(dateDecodingStrategy: dateDecodingStrategy))
    }
}
