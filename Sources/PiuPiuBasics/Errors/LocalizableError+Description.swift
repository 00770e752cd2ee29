import Foundation

// The compiler's own description of a value shows everything in it, also the URL with its user, password and query.

extension LocalizableError {
    /// The key and the text, for logs: without user, password and query of a URL, like the text.
    public var description: String { "\(errorKey): \(localizedDescription)" }

    /// The same as ``description``.
    public var debugDescription: String { description }

    /// Empty: the contents may include secrets.
    public var customMirror: Mirror { Mirror(self, children: []) }
}
