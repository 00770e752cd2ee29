import Foundation

/// Normalises the value of a request's header field for comparison (RFC 9111, section 4.1). White space around the
/// members of a list is ignored; so are case and order of languages, codings and charsets, which have weights.
enum VaryValue {
    private static let withWeights: Set<String> = ["accept-encoding", "accept-language", "accept-charset"]

    static func normalized(_ value: String?, name: String) -> String? {
        // In a quoted string, white space may be significant.
        guard let value, !value.contains("\"") else { return value }
        guard withWeights.contains(name) else { return parts(of: value, by: ",").joined(separator: ",") }
        let members = parts(of: value.lowercased(), by: ",").map { parts(of: $0, by: ";").joined(separator: ";") }
        return members.filter { !$0.isEmpty }.sorted().joined(separator: ",")
    }

    private static func parts(of value: String, by separator: Character) -> [String] {
        value.split(separator: separator, omittingEmptySubsequences: false).map {
            $0.trimmingCharacters(in: .whitespaces)
        }
    }
}
