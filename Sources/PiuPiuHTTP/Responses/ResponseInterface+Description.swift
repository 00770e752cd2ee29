import Foundation

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

// Foundation's descriptions of a request and of a head show the URL with its user, password and query, and all headers.

extension ResponseInterface {
    /// The request, the status and the body, with secrets of the URL redacted and without headers:
    /// "Response<String>(GET https://example.com/posts?token=<redacted>, 200, Hello)".
    public var description: String {
        let parts = [exchangeText, statusText, String(describing: data)].compactMap(\.self)
        return "\(readableName(of: Self.self))(\(parts.joined(separator: ", ")))"
    }

    /// The same as ``description``.
    public var debugDescription: String { description }

    /// The request, the status and the body, with secrets of the URL redacted and without headers.
    public var customMirror: Mirror {
        Mirror(
            self, children: ["request": exchangeText, "status": statusText as Any, "data": data], displayStyle: .struct)
    }

    private var exchangeText: String { urlRequest.exchangeText }

    private var statusText: String? { (head.status).map(String.init) }
}

extension URLRequest {
    /// The method and the URL, with its secrets redacted.
    package var exchangeText: String {
        let url = url?.text(redacting: .secrets) ?? "(no URL)"
        return [httpMethod?.escapingControlCharacters, url].compactMap(\.self).joined(separator: " ")
    }
}

extension Response: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {}
extension HTTPResponse: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {}

extension TransferRedirect: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    /// The request and the status, with secrets of the URL redacted and without headers.
    public var description: String { "TransferRedirect(\(urlRequest.exchangeText), \(status))" }

    /// The same as ``description``.
    public var debugDescription: String { description }

    /// The request and the status, with secrets of the URL redacted and without headers.
    public var customMirror: Mirror {
        Mirror(self, children: ["request": urlRequest.exchangeText, "status": status], displayStyle: .struct)
    }
}

extension TransferHead: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    /// The status and the URL, with its secrets redacted.
    public var description: String {
        let parts = [status.map(String.init), url?.text(redacting: .secrets)].compactMap(\.self)
        return "TransferHead(\(parts.joined(separator: ", ")))"
    }

    /// The same as ``description``.
    public var debugDescription: String { description }

    /// Nothing: headers may hold secrets.
    public var customMirror: Mirror { Mirror(self, children: []) }
}
