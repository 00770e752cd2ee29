import Foundation

extension BasicRequest: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    /// The method, the path and the query with their secrets redacted, and how much else there is:
    /// "BasicRequest(POST /posts?draft=1&token=<redacted>, 2 headers, 12 bytes)".
    public var description: String { description(of: Self.self) }

    /// The same for a request of another type in the same parts.
    package func description(of type: Any.Type) -> String {
        let query = queryItems.percentEncodedQuery.map { "?" + $0 } ?? ""
        let target = URLText.redacted(path + query, by: .secrets).escapingControlCharacters
        let headers = headers.isEmpty ? nil : headers.count == 1 ? "1 header" : "\(headers.count) headers"
        let parts = ["\(method.rawValue) \(target)", headers, httpBody.map { "\($0)" }]
        return "\(readableName(of: type))(\(parts.compactMap(\.self).joined(separator: ", ")))"
    }

    /// The same as ``description``.
    public var debugDescription: String { description }

    /// Empty: headers and bodies may contain secrets.
    public var customMirror: Mirror { Mirror(self, children: []) }
}
