import PiuPiu

// The compiler's own description of a response shows the URL with its user, password and query, and all headers.

extension ResponseInterface {
    /// The request, the status and the body, with secrets of the URL redacted and without headers:
    /// "Response<String>(GET https://example.com/posts?token=<redacted>, 200, Hello)".
    public var description: String {
        let parts = [urlRequest.exchangeText, String(statusCode.rawValue), String(describing: data)]
        return "\(readableName(of: Self.self))(\(parts.joined(separator: ", ")))"
    }

    /// The same as ``description``.
    public var debugDescription: String { description }

    /// The request, the status and the body, with secrets of the URL redacted and without headers.
    public var customMirror: Mirror {
        Mirror(
            self, children: ["request": urlRequest.exchangeText, "status": statusCode.rawValue, "data": data],
            displayStyle: .struct)
    }
}

extension Response: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {}
extension SuccessResponse: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {}
extension ErrorResponse: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {}
