public import Foundation

#if canImport(FoundationNetworking)
    public import FoundationNetworking
#endif

extension URLRequest {
    /// Makes a request with a method and headers.
    ///
    /// ```swift
    /// dispatcher.dataFuture { try URLRequest(url: url, method: .get, headers: ["Accept": "text/csv"]) }
    /// ```
    ///
    /// If several header names differ only in case, the last one in the order of Unicode counts.
    ///
    /// - Throws: ``InvalidRequestError/invalidHeaderName(_:url:)`` and
    ///   ``InvalidRequestError/invalidHeaderValue(name:url:)`` for a header that would be none, or several. On Linux
    ///   `setValue(_:forHTTPHeaderField:)` drops such a header silently.
    public init(url: URL, method: HTTPMethod, headers: [String: String]) throws(InvalidRequestError) {
        self.init(url: url, method: method)
        try setHeaders(headers, url: url)
    }

    /// Makes a request with the JSON of a value as its body.
    ///
    /// ```swift
    /// let posted = dispatcher.dataFuture { try URLRequest(url: url, method: .post, json: draft) }
    ///     .validated()
    ///     .decoded(Post.self)
    /// ```
    ///
    /// The Content-Type is `application/json`, unless the headers have one, whatever the case of its name. `Data` and a
    /// `String` become a string of JSON: what is JSON already is for `setJSONBody(data:)` or `setJSONBody(string:)`.
    ///
    /// - Parameters:
    ///   - url: the URL.
    ///   - method: the method; a GET with a body can't be sent.
    ///   - headers: the headers. If several names differ only in case, the last one in the order of Unicode counts.
    ///   - json: the value.
    ///   - encoder: encodes it.
    /// - Throws: ``InvalidRequestError`` as ``init(url:method:headers:)`` does, and ``RequestBodyError`` with the error
    ///   of the encoder.
    public init<Body: Encodable>(
        url: URL, method: HTTPMethod, headers: [String: String] = [:], json: Body, encoder: JSONEncoder = JSONEncoder()
    ) throws {
        try self.init(url: url, method: method, headers: headers)
        try setJSONBody(encodable: json, encoder: encoder)
    }

    /// Makes a request with a URL-encoded form as its body.
    ///
    /// ```swift
    /// let login = try URLRequest(url: url, method: .post, form: ["user": name, "password": password])
    /// ```
    ///
    /// The Content-Type is `application/x-www-form-urlencoded`, unless the headers have one, whatever the case of its
    /// name. A ``URLEncodedFormEncoder`` makes a form of a value.
    ///
    /// - Parameters:
    ///   - url: the URL.
    ///   - method: the method; a GET with a body can't be sent.
    ///   - headers: the headers. If several names differ only in case, the last one in the order of Unicode counts.
    ///   - form: the form.
    /// - Throws: ``InvalidRequestError`` as ``init(url:method:headers:)`` does.
    public init(
        url: URL, method: HTTPMethod, headers: [String: String] = [:], form: URLEncodedForm
    ) throws(InvalidRequestError) {
        try self.init(url: url, method: method, headers: headers)
        setFormBody(form)
    }

    /// Sets headers, checked before Foundation gets them.
    mutating func setHeaders(_ headers: [String: String], url: URL) throws(InvalidRequestError) {
        for (name, value) in headers.sorted(by: { $0.key < $1.key }) {
            try InvalidRequestError.check(header: name, value, url: url)
            setValue(value, forHTTPHeaderField: name)
        }
    }
}
