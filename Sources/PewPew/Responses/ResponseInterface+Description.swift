import PiuPiu

// The compiler's own description of a response shows the URL with its user, password and query, and all headers.
// The members of the protocol aren't public: each type of an app that conforms would have them.

extension ResponseInterface {
    fileprivate var redactedDescription: String {
        let parts = [urlRequest.exchangeText, String(statusCode.rawValue), String(describing: data)]
        return "\(readableName(of: Self.self))(\(parts.joined(separator: ", ")))"
    }

    fileprivate var redactedMirror: Mirror {
        Mirror(
            self, children: ["request": urlRequest.exchangeText, "status": statusCode.rawValue, "data": data],
            displayStyle: .struct)
    }
}

extension Response: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    /// The request, the status and the body, with secrets of the URL redacted and without headers:
    /// "Response<String>(GET https://example.com/posts?token=<redacted>, 200, Hello)".
    public var description: String { redactedDescription }

    /// The same as ``description``.
    public var debugDescription: String { description }

    /// The request, the status and the body, with secrets of the URL redacted and without headers.
    public var customMirror: Mirror { redactedMirror }
}

extension SuccessResponse: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    /// The request, the status and the body, with secrets of the URL redacted and without headers:
    /// "SuccessResponse<String>(GET https://example.com/posts?token=<redacted>, 200, Hello)".
    public var description: String { redactedDescription }

    /// The same as ``description``.
    public var debugDescription: String { description }

    /// The request, the status and the body, with secrets of the URL redacted and without headers.
    public var customMirror: Mirror { redactedMirror }
}

extension ErrorResponse: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    /// The request, the status and the body, with secrets of the URL redacted and without headers:
    /// "ErrorResponse<String>(GET https://example.com/posts?token=<redacted>, 404, Not found)".
    public var description: String { redactedDescription }

    /// The same as ``description``.
    public var debugDescription: String { description }

    /// The request, the status and the body, with secrets of the URL redacted and without headers.
    public var customMirror: Mirror { redactedMirror }
}
