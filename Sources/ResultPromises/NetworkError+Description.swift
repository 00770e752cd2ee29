import Foundation

// The compiler's own description of an error shows its cause. That of a `URLError` shows the URL with its query.

extension NetworkError: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    /// The name of the case, and the text of the cause, without secrets: "network: The request timed out."
    public var description: String {
        switch self {
        case .request: "request"
        case .network(let cause): text(of: cause, for: "network")
        case .deserialisation(let cause): text(of: cause, for: "deserialisation")
        case .missedData: "missedData"
        case .http(let code): "http(code: \(code))"
        case .other(let cause): text(of: cause, for: "other")
        }
    }

    /// The same as ``description``.
    public var debugDescription: String { description }

    /// Empty: the cause may contain secrets.
    public var customMirror: Mirror { Mirror(self, children: []) }
}

private func text(of cause: (any Error)?, for name: String) -> String {
    cause.map { "\(name): \($0.localizedDescription)" } ?? name
}
