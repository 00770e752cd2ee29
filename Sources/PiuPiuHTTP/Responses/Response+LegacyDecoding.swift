public import Foundation

// The spellings that PiuPiu 1.x had already deprecated.
extension Response where Body == Data? {
    /// The same as ``decoded(_:using:)``.
    @available(*, deprecated, renamed: "decoded(_:using:)")
    public func decodedResponse<D: Decodable & Sendable>(
        _ type: D.Type, using decoder: JSONDecoder = JSONDecoder()
    ) throws -> Response<D> {
        try decoded(type, using: decoder)
    }

    /// The same as ``decodedIfPresent(_:using:)``.
    @available(*, deprecated, renamed: "decodedIfPresent(_:using:)")
    public func decodedResponseIfPresent<D: Decodable & Sendable>(
        _ type: D.Type, using decoder: JSONDecoder = JSONDecoder()
    ) throws -> Response<D?> {
        try decodedIfPresent(type, using: decoder)
    }
}

extension HTTPResponse where Body == Data? {
    /// The same as ``decoded(_:using:)``.
    @available(*, deprecated, renamed: "decoded(_:using:)")
    public func decodedResponse<D: Decodable & Sendable>(
        _ type: D.Type, using decoder: JSONDecoder = JSONDecoder()
    ) throws -> HTTPResponse<D> {
        try decoded(type, using: decoder)
    }

    /// The same as ``decodedIfPresent(_:using:)``.
    @available(*, deprecated, renamed: "decodedIfPresent(_:using:)")
    public func decodedResponseIfPresent<D: Decodable & Sendable>(
        _ type: D.Type, using decoder: JSONDecoder = JSONDecoder()
    ) throws -> HTTPResponse<D?> {
        try decodedIfPresent(type, using: decoder)
    }
}
