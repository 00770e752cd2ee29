public import Foundation

/// The request of NetworkKit 4.2, which is JSON from the start.
///
/// It isn't merely renamed: a `BasicRequest` has no Content-Type before `setJSONBody` sets it.
@available(*, deprecated, message: "use BasicRequest with setJSONBody, which sets the Content-Type")
public struct JSONRequest: Request, CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    /// The method.
    public var method: HTTPMethod
    /// The path, with a slash at its beginning.
    public var path: String
    /// The items of the query.
    public var queryItems: [URLQueryItem]
    /// The headers.
    public var headers: [String: String]
    /// The body.
    public var httpBody: Data?

    /// Makes a request without a body. POST, PUT and PATCH get the Content-Type `application/json`.
    public init(
        method: HTTPMethod, path: String, queryItems: [URLQueryItem] = [], headers: [String: String] = [:]
    ) {
        var request = BasicRequest(method: method, path: path, queryItems: queryItems, headers: headers)
        switch method {
        case .post, .put, .patch: request.ensureJSONContentType()
        default: break
        }
        self.method = method
        self.path = path
        self.queryItems = queryItems
        self.headers = request.headers
    }

    /// Sets the body to the JSON of a value.
    public mutating func setHTTPBody<T: Encodable>(
        encodable: T, dateEncodingStrategy: JSONEncoder.DateEncodingStrategy = .rfc3339
    ) throws {
        let encoder = JSONEncoder()
        encoder.dateEncodingStrategy = dateEncodingStrategy
        httpBody = try encoder.encode(encodable)
    }

    /// Sets the body to the JSON of a value: the same as ``setHTTPBody(encodable:dateEncodingStrategy:)``.
    public mutating func setHTTPBody<T: Encodable>(
        _ encodable: T, dateEncodingStrategy: JSONEncoder.DateEncodingStrategy = .rfc3339
    ) throws {
        try setHTTPBody(encodable: encodable, dateEncodingStrategy: dateEncodingStrategy)
    }

    /// Sets the body to a text, or to `nil` if the encoding lacks a character of it.
    public mutating func setHTTPBody(string: String, encoding: String.Encoding = .utf8) {
        var basic = BasicRequest(method: method, path: path)
        basic.setHTTPBody(string: string, encoding: encoding)
        httpBody = basic.httpBody
    }

    /// Sets the body to a text, under the label of 4.2.0.
    public mutating func setHTTPBody(jsonString: String, encoding: String.Encoding = .utf8) {
        setHTTPBody(string: jsonString, encoding: encoding)
    }

    /// Sets the body to a JSON object; a `nil` becomes the JSON `null`.
    public mutating func setHTTPBody(
        jsonObject: [String: Any?], options: JSONSerialization.WritingOptions = []
    ) throws {
        var json = BasicRequest(method: method, path: path)
        try json.setJSONBody(jsonObject: jsonObject, options: options)
        httpBody = json.httpBody
    }

    /// The method, the path and the query with their secrets redacted, and how much else there is:
    /// "JSONRequest(POST /posts?draft=1&token=<redacted>, 2 headers, 12 bytes)".
    public var description: String { redactedDescription }

    /// The same as ``description``.
    public var debugDescription: String { description }

    /// Empty: headers and bodies may contain secrets.
    public var customMirror: Mirror { Mirror(self, children: []) }
}
