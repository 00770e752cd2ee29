public import Foundation

extension URL {
    /// The URL with more segments at the end of its path, each of them plain text.
    ///
    /// ```swift
    /// let url = try URL(string: "https://example.com/tags?page=2")?.appendingPathSegments("AC/DC", "100%")
    /// // https://example.com/tags/AC%2FDC/100%25?page=2
    /// ```
    ///
    /// Every character that isn't a letter or a digit of ASCII, or one of `-._~`, is encoded, so a segment stays one,
    /// whatever its text is. With `appending(path:)` a slash begins another segment. The rest of the URL stays as it
    /// is, byte for byte.
    ///
    /// Some servers decode `%2F` before they resolve the path, so that `../a` in a text that you don't trust leaves the
    /// path of the URL there: a ``BasicRequest`` with ``BasicRequest/BasePath/kept`` refuses it.
    ///
    /// - Throws: ``InvalidRequestError/invalidPathSegment(_:url:)`` for a segment that is empty, "." or "..", and
    ///   ``InvalidRequestError/invalidURL(baseURL:path:)`` if they make no URL.
    public func appendingPathSegments(_ segments: String...) throws(InvalidRequestError) -> URL {
        let end = try segments.percentEncodedPath(for: self)
        var components = URLComponents(url: self, resolvingAgainstBaseURL: true)
        if !segments.isEmpty, let path = components?.percentEncodedPath {
            components?.percentEncodedPath = (path.hasSuffix("/") ? path.dropLast() : path[...]) + end
        }
        guard let url = components?.url else { throw .invalidURL(baseURL: self, path: end) }
        return url
    }
}

extension BasicRequest {
    /// Makes a request without a body, with a path of segments that are plain text.
    ///
    /// ```swift
    /// let request = try BasicRequest(method: .get, pathSegments: ["tags", tag])  // AC/DC: /tags/AC%2FDC
    /// ```
    ///
    /// Every character that isn't a letter or a digit of ASCII, or one of `-._~`, is encoded, so a segment stays one,
    /// whatever its text is. In `path: "tags/\(tag)"` a slash begins another segment, ".." removes one, and `%41` is an
    /// `A`. The ``path`` is the encoded text, and arrives byte for byte.
    ///
    /// With ``BasePath/kept`` a segment such as `../a` leads to ``InvalidRequestError/pathLeavesBase(baseURL:path:)``
    /// later, as some servers decode the slash first.
    ///
    /// - Parameters:
    ///   - method: the method.
    ///   - pathSegments: the segments of the path, in order, as plain text. Without any the path is empty.
    ///   - queryItems: the items of the query, in order, as plain text.
    ///   - headers: the headers.
    ///   - basePath: whether the URL keeps the path of the base URL.
    /// - Throws: ``InvalidRequestError/invalidPathSegment(_:url:)`` for a segment that is empty, "." or "..".
    public init(
        method: HTTPMethod, pathSegments: [String], queryItems: [URLQueryItem] = [], headers: [String: String] = [:],
        basePath: BasePath = .replaced
    ) throws(InvalidRequestError) {
        let path = try pathSegments.percentEncodedPath(for: nil)
        self.init(method: method, path: path, queryItems: queryItems, headers: headers, basePath: basePath)
    }

    /// Makes a request with the JSON of a value as its body, and with a path of segments that are plain text.
    ///
    /// ```swift
    /// let request = try BasicRequest(method: .put, pathSegments: ["tags", tag], json: description)
    /// ```
    ///
    /// The path is that of ``init(method:pathSegments:queryItems:headers:basePath:)``, the body that of
    /// ``init(method:path:queryItems:headers:basePath:json:encoder:)``.
    ///
    /// - Parameters:
    ///   - method: the method; a GET with a body can't be sent.
    ///   - pathSegments: the segments of the path, in order, as plain text. Without any the path is empty.
    ///   - queryItems: the items of the query, in order, as plain text.
    ///   - headers: the headers, which are checked when the request is made for a server.
    ///   - basePath: whether the URL keeps the path of the base URL.
    ///   - json: the value.
    ///   - encoder: encodes it.
    /// - Throws: ``InvalidRequestError/invalidPathSegment(_:url:)`` for a segment that is empty, "." or "..", and
    ///   ``RequestBodyError`` with the error of the encoder.
    public init<Body: Encodable>(
        method: HTTPMethod, pathSegments: [String], queryItems: [URLQueryItem] = [], headers: [String: String] = [:],
        basePath: BasePath = .replaced, json: Body, encoder: JSONEncoder = JSONEncoder()
    ) throws {
        try self.init(
            method: method, pathSegments: pathSegments, queryItems: queryItems, headers: headers, basePath: basePath)
        try setJSONBody(encodable: json, encoder: encoder)
    }

    /// Makes a request with a URL-encoded form as its body, and with a path of segments that are plain text.
    ///
    /// ```swift
    /// let request = try BasicRequest(method: .post, pathSegments: ["tags", tag], form: ["color": "red"])
    /// ```
    ///
    /// The path is that of ``init(method:pathSegments:queryItems:headers:basePath:)``, the body that of
    /// ``init(method:path:queryItems:headers:basePath:form:)``.
    ///
    /// - Parameters:
    ///   - method: the method; a GET with a body can't be sent.
    ///   - pathSegments: the segments of the path, in order, as plain text. Without any the path is empty.
    ///   - queryItems: the items of the query, in order, as plain text.
    ///   - headers: the headers, which are checked when the request is made for a server.
    ///   - basePath: whether the URL keeps the path of the base URL.
    ///   - form: the form.
    /// - Throws: ``InvalidRequestError/invalidPathSegment(_:url:)`` for a segment that is empty, "." or "..".
    public init(
        method: HTTPMethod, pathSegments: [String], queryItems: [URLQueryItem] = [], headers: [String: String] = [:],
        basePath: BasePath = .replaced, form: URLEncodedForm
    ) throws(InvalidRequestError) {
        try self.init(
            method: method, pathSegments: pathSegments, queryItems: queryItems, headers: headers, basePath: basePath)
        setFormBody(form)
    }
}

extension [String] {
    /// The path of these segments, with a slash before each.
    ///
    /// - Parameter url: the URL that gets them, for an error.
    fileprivate func percentEncodedPath(for url: URL?) throws(InvalidRequestError) -> String {
        var path = ""
        for segment in self {
            // URL parsers and servers resolve two of them, and many servers drop the third.
            guard ![".", "..", ""].contains(segment) else { throw .invalidPathSegment(segment, url: url) }
            path += "/" + PercentEncoding.encoded(segment.utf8, keeping: PercentEncoding.isUnreserved)
        }
        return path
    }
}
