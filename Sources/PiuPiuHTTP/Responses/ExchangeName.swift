package import Foundation

/// An exchange for the text of an error: "GET https://example.com/posts (404)".
package struct ExchangeName: CustomStringConvertible {
    package let description: String

    package init(method: String?, url: URL?, statusCode: StatusCode? = nil) {
        let parts = [method?.cutForErrors.escapingControlCharacters, url.textForErrors]
        description = (parts + [statusCode.map { "(\($0.rawValue))" }]).compactMap(\.self).joined(separator: " ")
    }
}

extension String {
    /// The text on one line, and without control characters that a terminal would interpret.
    package var escapingControlCharacters: String { escapingAllControlCharacters(except: "") }

    /// The text without control characters that a terminal would interpret, except these.
    package func escapingAllControlCharacters(except kept: String) -> String {
        unicodeScalars.reduce(into: "") { text, scalar in
            switch scalar.properties.generalCategory {
            case .control, .lineSeparator, .paragraphSeparator:
                text += kept.unicodeScalars.contains(scalar) ? String(scalar) : scalar.escaped(asASCII: true)
            default: text.unicodeScalars.append(scalar)
            }
        }
    }
}
