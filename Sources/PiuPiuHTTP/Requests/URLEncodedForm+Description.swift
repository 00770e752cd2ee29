extension URLEncodedForm: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    /// The names of the fields: "URLEncodedForm(username, password)".
    public var description: String {
        "URLEncodedForm(\(fields.map(\.name.escapingControlCharacters).joined(separator: ", ")))"
    }

    /// The same as ``description``.
    public var debugDescription: String { description }

    /// Empty: the values may be secrets.
    public var customMirror: Mirror { Mirror(self, children: []) }
}

extension URLEncodedForm.Field: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    /// The name: "Field(password)".
    public var description: String { "Field(\(name.escapingControlCharacters))" }

    /// The same as ``description``.
    public var debugDescription: String { description }

    /// Empty: the value may be a secret.
    public var customMirror: Mirror { Mirror(self, children: []) }
}
