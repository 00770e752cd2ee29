extension MultipartForm: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    /// The names of the fields: "MultipartForm(title, photo)".
    public var description: String {
        "MultipartForm(\(parts.map(\.name.escapingControlCharacters).joined(separator: ", ")))"
    }

    /// The same as ``description``.
    public var debugDescription: String { description }

    /// Empty: texts and data may be secrets.
    public var customMirror: Mirror { Mirror(self, children: []) }
}
