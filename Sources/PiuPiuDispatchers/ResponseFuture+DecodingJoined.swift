public import Foundation

/// The usual transforms after a join of many requests. They run in the background, in the order of the responses. The
/// first response that fails to decode fails the future.
extension ResponseFuture where Success: Sequence, Success.Element == Response<Data?> {
    /// The responses as HTTP responses: see `makeHTTPResponse()` of one response.
    public func makeHTTPResponse() -> ResponseFuture<[HTTPResponse<Data?>]> {
        then { try $0.map { try $0.makeHTTPResponse() } }
    }

    /// The responses with their bodies decoded from JSON: see `decoded(_:using:)` of one response.
    ///
    /// ```swift
    /// let all = requests.map { dispatcher.dataFuture(from: $0) }
    /// let posts = ResponseFuture<[Response<Data?>]>(childFutures: all).decoded(Post.self)
    /// ```
    public func decoded<Body: Decodable & Sendable>(
        _ type: Body.Type = Body.self, using decoder: JSONDecoder = JSONDecoder()
    ) -> ResponseFuture<[Response<Body>]> {
        then { try $0.map { try $0.decoded(type, using: decoder) } }
    }

    /// The responses with their bodies as text: see `decodedString(encoding:)` of one response.
    public func decodedString(encoding: String.Encoding = .utf8) -> ResponseFuture<[Response<String>]> {
        then { try $0.map { try $0.decodedString(encoding: encoding) } }
    }
}

/// The usual transforms after a join of many HTTP responses. They run in the background, in the order of the responses.
/// The first response that fails to decode fails the future.
extension ResponseFuture where Success: Sequence, Success.Element == HTTPResponse<Data?> {
    /// The responses with their bodies decoded from JSON: see `decoded(_:using:)` of one response.
    public func decoded<Body: Decodable & Sendable>(
        _ type: Body.Type = Body.self, using decoder: JSONDecoder = JSONDecoder()
    ) -> ResponseFuture<[HTTPResponse<Body>]> {
        then { try $0.map { try $0.decoded(type, using: decoder) } }
    }

    /// The responses, each with its body decoded from JSON or with the error of decoding: see `safeDecoded(_:using:)`
    /// of one response.
    public func safeDecoded<Body: Decodable & Sendable>(
        _ type: Body.Type = Body.self, using decoder: JSONDecoder = JSONDecoder()
    ) -> ResponseFuture<[HTTPResponse<Result<Body, any Error>>]> {
        then { $0.map { $0.safeDecoded(type, using: decoder) } }
    }

    /// The responses with their bodies as text: see `decodedString(encoding:)` of one response.
    public func decodedString(encoding: String.Encoding = .utf8) -> ResponseFuture<[HTTPResponse<String>]> {
        then { try $0.map { try $0.decodedString(encoding: encoding) } }
    }
}

/// The usual transforms after a join of two requests. They run in the background.
extension ResponseFuture {
    /// Both responses as HTTP responses: see `makeHTTPResponse()` of one response.
    public func makeHTTPResponse() -> ResponseFuture<(HTTPResponse<Data?>, HTTPResponse<Data?>)>
    where Success == (Response<Data?>, Response<Data?>) {
        then { (try $0.makeHTTPResponse(), try $1.makeHTTPResponse()) }
    }

    /// Both responses with their bodies decoded from JSON: see `decoded(_:using:)` of one response.
    ///
    /// ```swift
    /// posts.parallelJoin { users }.decoded([Post].self, [User].self)
    /// ```
    public func decoded<First: Decodable & Sendable, Second: Decodable & Sendable>(
        _ first: First.Type, _ second: Second.Type, using decoder: JSONDecoder = JSONDecoder()
    ) -> ResponseFuture<(Response<First>, Response<Second>)> where Success == (Response<Data?>, Response<Data?>) {
        then { (try $0.decoded(first, using: decoder), try $1.decoded(second, using: decoder)) }
    }

    /// Both responses with their bodies decoded from JSON: see `decoded(_:using:)` of one response.
    public func decoded<First: Decodable & Sendable, Second: Decodable & Sendable>(
        _ first: First.Type, _ second: Second.Type, using decoder: JSONDecoder = JSONDecoder()
    ) -> ResponseFuture<(HTTPResponse<First>, HTTPResponse<Second>)>
    where Success == (HTTPResponse<Data?>, HTTPResponse<Data?>) {
        then { (try $0.decoded(first, using: decoder), try $1.decoded(second, using: decoder)) }
    }

    /// Both responses, each with its body decoded from JSON or with the error of decoding: see `safeDecoded(_:using:)`
    /// of one response.
    public func safeDecoded<First: Decodable & Sendable, Second: Decodable & Sendable>(
        _ first: First.Type, _ second: Second.Type, using decoder: JSONDecoder = JSONDecoder()
    ) -> ResponseFuture<(HTTPResponse<Result<First, any Error>>, HTTPResponse<Result<Second, any Error>>)>
    where Success == (HTTPResponse<Data?>, HTTPResponse<Data?>) {
        then { ($0.safeDecoded(first, using: decoder), $1.safeDecoded(second, using: decoder)) }
    }

    /// Both responses with their bodies as text: see `decodedString(encoding:)` of one response.
    public func decodedString(
        encoding: String.Encoding = .utf8
    ) -> ResponseFuture<(Response<String>, Response<String>)> where Success == (Response<Data?>, Response<Data?>) {
        then { (try $0.decodedString(encoding: encoding), try $1.decodedString(encoding: encoding)) }
    }

    /// Both responses with their bodies as text: see `decodedString(encoding:)` of one response.
    public func decodedString(
        encoding: String.Encoding = .utf8
    ) -> ResponseFuture<(HTTPResponse<String>, HTTPResponse<String>)>
    where Success == (HTTPResponse<Data?>, HTTPResponse<Data?>) {
        then { (try $0.decodedString(encoding: encoding), try $1.decodedString(encoding: encoding)) }
    }
}
