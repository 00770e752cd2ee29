// Foundation's description of a request shows the URL with its user, password and query, and all headers.

extension TransferRequest: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    /// The method and the URL, with its secrets redacted: "TransferRequest(GET https://example.com/posts)".
    public var description: String { "TransferRequest(\(urlRequest.exchangeText))" }

    /// The same as ``description``.
    public var debugDescription: String { description }

    /// Empty: headers and bodies may contain secrets.
    public var customMirror: Mirror { Mirror(self, children: []) }
}

extension TransferSettings: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    /// The timeout, and the names of the headers: "TransferSettings(60.0 seconds, Accept, Authorization)".
    public var description: String {
        let names = additionalHeaders.keys.sorted().map(\.escapingControlCharacters)
        return "TransferSettings(\((["\(timeout) seconds"] + names).joined(separator: ", ")))"
    }

    /// The same as ``description``.
    public var debugDescription: String { description }

    /// Empty: the headers may be secrets.
    public var customMirror: Mirror { Mirror(self, children: []) }
}

extension TransferEvent: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    /// The event, without what it carries: "sent(5 of 10 bytes)", "head(200)", "body(5 bytes)", "measured", "finished",
    /// "failed(CancellationError)".
    public var description: String {
        switch self {
        case .sent(let bytes, let expected): "sent(\(expected.map { "\(bytes) of \($0)" } ?? "\(bytes)") bytes)"
        case .head(let head, _): "head(\(head.status.map(String.init) ?? "without a status"))"
        case .body(let data): "body(\(data))"
        case .measured: "measured"
        case .finished: "finished"
        case .failed(let error as any LocalizableError): "failed(\(error))"
        case .failed(let error): "failed(\(readableName(of: type(of: error))))"
        }
    }

    /// The same as ``description``.
    public var debugDescription: String { description }

    /// Empty: heads, bodies and errors may contain secrets.
    public var customMirror: Mirror { Mirror(self, children: []) }
}
