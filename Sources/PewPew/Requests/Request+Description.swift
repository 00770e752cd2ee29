import PiuPiu

extension Request {
    /// The method, the path and the query with their secrets redacted, and how much else there is. It isn't public:
    /// each type of an app that conforms would have it.
    package var redactedDescription: String {
        var request = PiuPiu.BasicRequest(method: method, path: path, queryItems: queryItems, headers: headers)
        request.httpBody = httpBody
        return request.description(of: Self.self)
    }
}

extension BasicRequest: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    /// The method, the path and the query with their secrets redacted, and how much else there is:
    /// "BasicRequest(POST /posts?draft=1&token=<redacted>, 2 headers, 12 bytes)".
    public var description: String { redactedDescription }

    /// The same as ``description``.
    public var debugDescription: String { description }

    /// Empty: headers and bodies may contain secrets.
    public var customMirror: Mirror { Mirror(self, children: []) }
}

extension MultiPartRequest: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    /// The method, the path and the query with their secrets redacted, and how much else there is:
    /// "MultiPartRequest(POST /photos, 2 headers, 4096 bytes)".
    public var description: String { redactedDescription }

    /// The same as ``description``.
    public var debugDescription: String { description }

    /// Empty: headers and bodies may contain secrets.
    public var customMirror: Mirror { Mirror(self, children: []) }
}
