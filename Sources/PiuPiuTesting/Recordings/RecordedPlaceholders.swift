import Foundation
import PiuPiu

/// The values that a recording has left out, which match anything.
///
/// Where the recorded request has a placeholder, the request gets the same placeholder. Then the two are compared.
enum RecordedPlaceholders {
    /// The URL as it would have been recorded.
    static func masked(_ url: URL, like recorded: URL) -> String {
        let names = names(in: recorded.query(percentEncoded: true)?[...] ?? "")
        return names.isEmpty
            ? url.absoluteString : URLText.mappingItems(url.absoluteString) { masked(items: $0, names) }
    }

    /// The body of a form as it would have been recorded.
    static func masked(_ form: String, like recorded: String) -> String {
        masked(items: form[...], names(in: recorded[...]))
    }

    /// The JSON as it would have been recorded. Both come from `JSONSerialization`, which limits their depth.
    static func masked(_ json: Any, like recorded: Any) -> Any {
        switch (json, recorded) {
        case (_, HeaderRedaction.replacement as String): recorded
        case (let object as [String: Any], let recorded as [String: Any]):
            Dictionary(
                uniqueKeysWithValues: object.map { name, value in
                    (name, recorded[name].map { masked(value, like: $0) } ?? value)
                })
        case (let array as [Any], let recorded as [Any]) where array.count == recorded.count:
            zip(array, recorded).map { masked($0, like: $1) }
        default: json
        }
    }

    private static func masked(items: Substring, _ names: Set<String>) -> String {
        URLText.mappingValues(items) { name, value in
            names.contains(name) ? SecretBody.encodedReplacement[...] : value
        }
    }

    /// The names of the items whose values were left out.
    private static func names(in items: Substring) -> Set<String> {
        var names: Set<String> = []
        guard items.contains("redacted") else { return names }
        _ = URLText.mappingValues(items) { name, value in
            if value.removingPercentEncoding == HeaderRedaction.replacement { names.insert(name) }
            return value
        }
        return names
    }
}
