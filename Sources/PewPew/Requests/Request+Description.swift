import PiuPiu

extension Request {
    /// The method, the path and the query with their secrets redacted, and how much else there is:
    /// "BasicRequest(POST /posts?draft=1&token=<redacted>, 2 headers, 12 bytes)".
    public var description: String {
        var request = PiuPiu.BasicRequest(method: method, path: path, queryItems: queryItems, headers: headers)
        request.httpBody = httpBody
        return request.description(of: Self.self)
    }

    /// The same as ``description``.
    public var debugDescription: String { description }

    /// Empty: headers and bodies may contain secrets.
    public var customMirror: Mirror { Mirror(self, children: []) }
}

extension BasicRequest: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {}
extension MultiPartRequest: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {}
