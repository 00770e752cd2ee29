// A configuration may have secret headers, cookies and keys, and an adapter may have tokens.

extension URLRequestDispatcher: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    /// The types of its engine and its adapters: "URLRequestDispatcher(CurlEngine, TokenAdapter)".
    public var description: String {
        "URLRequestDispatcher(\(kindsOfParts.map { readableName(of: $0) }.joined(separator: ", ")))"
    }

    /// The same as ``description``.
    public var debugDescription: String { description }

    /// Nothing: the parts may hold secrets.
    public var customMirror: Mirror { Mirror(self, children: []) }
}

extension RequestSerializer: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    /// The dispatcher that it sends through.
    public var description: String { "RequestSerializer(\(dispatcher))" }

    /// The same as ``description``.
    public var debugDescription: String { description }

    /// Nothing: the parts may hold secrets.
    public var customMirror: Mirror { Mirror(self, children: []) }
}
