public import Foundation

extension BasicRequest {
    /// Makes a request with the JSON of a value as its body.
    ///
    /// ```swift
    /// let request = try BasicRequest(method: .post, path: "posts", json: draft)
    /// ```
    ///
    /// The Content-Type is `application/json`, unless the headers have one, whatever the case of its name. `Data` and a
    /// `String` become a string of JSON: what is JSON already is for `setJSONBody(data:)` or `setJSONBody(string:)`.
    ///
    /// - Parameters:
    ///   - method: the method; a GET with a body can't be sent.
    ///   - path: the path, with or without a leading slash, percent-encoded or not.
    ///   - queryItems: the items of the query, in order, as plain text.
    ///   - headers: the headers, which are checked when the request is made for a server.
    ///   - basePath: whether the URL keeps the path of the base URL.
    ///   - json: the value.
    ///   - encoder: encodes it.
    /// - Throws: ``RequestBodyError`` with the error of the encoder.
    public init<Body: Encodable>(
        method: HTTPMethod, path: String, queryItems: [URLQueryItem] = [], headers: [String: String] = [:],
        basePath: BasePath = .replaced, json: Body, encoder: JSONEncoder = JSONEncoder()
    ) throws(RequestBodyError) {
        self.init(method: method, path: path, queryItems: queryItems, headers: headers, basePath: basePath)
        try setJSONBody(encodable: json, encoder: encoder)
    }

    /// Makes a request with a URL-encoded form as its body.
    ///
    /// ```swift
    /// let login = BasicRequest(method: .post, path: "login", form: ["user": name, "password": password])
    /// ```
    ///
    /// The Content-Type is `application/x-www-form-urlencoded`, unless the headers have one, whatever the case of its
    /// name. A ``URLEncodedFormEncoder`` makes a form of a value.
    ///
    /// - Parameters:
    ///   - method: the method; a GET with a body can't be sent.
    ///   - path: the path, with or without a leading slash, percent-encoded or not.
    ///   - queryItems: the items of the query, in order, as plain text.
    ///   - headers: the headers, which are checked when the request is made for a server.
    ///   - basePath: whether the URL keeps the path of the base URL.
    ///   - form: the form.
    public init(
        method: HTTPMethod, path: String, queryItems: [URLQueryItem] = [], headers: [String: String] = [:],
        basePath: BasePath = .replaced, form: URLEncodedForm
    ) {
        self.init(method: method, path: path, queryItems: queryItems, headers: headers, basePath: basePath)
        setFormBody(form)
    }
}
