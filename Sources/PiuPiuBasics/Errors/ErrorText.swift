/// An English text with named values: `"The host of \(url, as: "url") could not be found."`
///
/// The names, not the values, are part of what a translator sees: "The host of {url} could not be found."
package struct ErrorText: ExpressibleByStringInterpolation, Sendable {
    private var template: String
    private var values: [String: String]

    package init(stringLiteral value: String) {
        template = value
        values = [:]
    }

    package init(stringInterpolation: Interpolation) {
        template = stringInterpolation.template
        values = stringInterpolation.values
    }

    /// The text under this key, or the English one, with the values in their places.
    package func localized(_ key: String) -> String {
        let text = ErrorLocalization.current.text(key, template)
        return values.isEmpty ? text : Self.filling(text, with: values)
    }

    /// In one pass, so that braces in a value are never taken for a placeholder. A name without a value stays.
    private static func filling(_ text: String, with values: [String: String]) -> String {
        var filled = ""
        var rest = text[...]
        while let start = rest.firstIndex(of: "{"), let end = rest[start...].firstIndex(of: "}") {
            filled += rest[..<start]
            if let value = values[String(rest[rest.index(after: start)..<end])] {
                filled += value
                rest = rest[rest.index(after: end)...]
            } else {
                filled += "{"
                rest = rest[rest.index(after: start)...]
            }
        }
        return filled + rest
    }

    package struct Interpolation: StringInterpolationProtocol {
        fileprivate var template = ""
        fileprivate var values: [String: String] = [:]

        package init(literalCapacity: Int, interpolationCount: Int) {
            template.reserveCapacity(literalCapacity)
        }

        package mutating func appendLiteral(_ literal: String) {
            template += literal
        }

        /// A value, and the name that stands for it in braces.
        package mutating func appendInterpolation(_ value: some CustomStringConvertible, as name: String) {
            template += "{\(name)}"
            values[name] = value.description
        }
    }
}
