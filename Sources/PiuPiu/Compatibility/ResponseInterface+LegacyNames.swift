public import Foundation

#if canImport(FoundationNetworking)
    public import FoundationNetworking
#endif

/// The members of responses in PiuPiu 1.4, when all of them were HTTP responses.
extension ResponseInterface {
    /// The type of the body, under its name until PiuPiu 1.10.
    @available(*, deprecated, renamed: "Body")
    public typealias T = Body

    /// The status; `.other(0)` for a response that didn't come over HTTP, which PiuPiu 1.4 refused.
    @available(*, deprecated, message: "Use status, which is nil without HTTP, or httpError.")
    public var statusCode: StatusCode { status ?? .other(0) }

    /// The head of the response; an empty one with a status of 0 for a response that didn't come over HTTP.
    @available(*, deprecated, message: "Use makeHTTPResponse().httpResponse.")
    public var httpResponse: HTTPURLResponse { urlResponse as? HTTPURLResponse ?? .withoutHTTP }

    /// The error of PiuPiu 1.4 that the status stands for, or `nil` for a status from 100 to 399.
    ///
    /// It differs from ``httpError``: code that throws one must not catch the other.
    @available(*, deprecated, message: "Use httpError, an HTTPError: change what catches it, too.")
    public var error: ResponseError? { statusCode.error }

    /// Prints the request to the standard output, as Markdown, with secrets redacted.
    @available(*, deprecated, message: "Use print(response.makeRequestMarkdown()), or debug() for both.")
    public func printRequest() {
        print(makeRequestMarkdown())
    }
}

extension ResponseInterface where Body == Data? {
    /// Prints the response to the standard output, as Markdown, with secrets redacted.
    @available(*, deprecated, message: "Use print(response.makeResponseMarkdown()), or debug() for both.")
    public func printResponse() {
        print(makeResponseMarkdown())
    }

    /// Decodes the body from JSON, with dates as numbers, as in PiuPiu 1.11, or as texts such as 2018-05-01T09:30:00Z,
    /// as in PiuPiu 1.4.
    ///
    /// ```swift
    /// let posts = try response.decode([Post].self)
    /// ```
    ///
    /// Otherwise the same as ``decode(_:using:)`` with a plain `JSONDecoder`, and it throws the same. Only this method
    /// reads both: with `decoded`, `decodeIfPresent` and the like write `dateDecodingStrategy: .rfc3339` for texts.
    public func decode<D: Decodable>(_ type: D.Type) throws -> D {
        try decode(type, dateDecodingStrategy: .deferredToDateOrRFC3339)
    }
}

extension JSONDecoder.DateDecodingStrategy {
    fileprivate static var deferredToDateOrRFC3339: JSONDecoder.DateDecodingStrategy {
        .custom { decoder in
            do {
                return try Date(from: decoder)
            } catch {
                let container = try decoder.singleValueContainer()
                guard (try? container.decode(String.self)) != nil else { throw error }
                return try container.decode(using: RFC3339DateTransform())
            }
        }
    }
}

extension Response {
    /// Makes an HTTP response as in PiuPiu 1.4; the status is that of the head.
    @available(*, deprecated, message: "Use init(data:urlRequest:urlResponse:): the head has the status.")
    public init(data: Body, httpResponse: HTTPURLResponse, urlRequest: URLRequest, statusCode: StatusCode) {
        self.init(data: data, urlRequest: urlRequest, urlResponse: httpResponse)
    }
}

extension HTTPResponse {
    /// Makes a response as in PiuPiu 1.4; the status is that of the head.
    @available(*, deprecated, message: "Use init(data:urlRequest:httpResponse:): the head has the status.")
    public init(data: Body, httpResponse: HTTPURLResponse, urlRequest: URLRequest, statusCode: StatusCode) {
        self.init(data: data, urlRequest: urlRequest, httpResponse: httpResponse)
    }

    /// Makes a response with the head and the request of another one, and its own body.
    ///
    /// A response that didn't come over HTTP gets an empty head with a status of 0.
    @available(*, deprecated, message: "Use try init(response:data:), which throws for what isn't an HTTP response.")
    public init(data: Body, response: some ResponseInterface) {
        self.init(data: data, urlRequest: response.urlRequest, httpResponse: response.httpResponse)
    }
}

/// The name of ``HTTPResponse`` in PiuPiu 1.4.
@available(*, deprecated, renamed: "HTTPResponse")
public typealias SuccessResponse = HTTPResponse
