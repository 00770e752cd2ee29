import Foundation
import PiuPiu

/// The values that a recording has left out, which match anything.
///
/// Where the recorded request has a placeholder, the request gets the same placeholder. Then the two are compared.
enum RecordedPlaceholders {
    /// The URL as it would have been recorded.
    static func masked(_ url: URL, like recorded: URL) -> String { masked(url, omissions(in: recorded)) }

    /// The URL as it would have been recorded without the values of these items of its query.
    static func masked(_ url: URL, _ omitted: Set<OmittedItem>) -> String {
        omitted.isEmpty ? url.absoluteString : URLText.mappingItems(url.absoluteString) { masked(items: $0, omitted) }
    }

    /// The items of a recorded query whose values were left out.
    static func omissions(in recorded: URL) -> Set<OmittedItem> {
        omissions(in: recorded.query(percentEncoded: true)?[...] ?? "")
    }

    /// The body of a form as it would have been recorded.
    static func masked(_ form: String, like recorded: String) -> String {
        masked(items: form[...], omissions(in: recorded[...]))
    }

    /// JSON from its text, to be compared.
    static func json(_ text: Data) -> Any? {
        guard !text.isEmpty else { return nil }
        return try? JSONSerialization.jsonObject(with: text, options: .fragmentsAllowed)
    }

    /// The text of JSON, in one order; `nil` if it can't be written: numbers may be too large.
    static func sorted(_ json: Any) -> Data? {
        try? JSONSerialization.data(withJSONObject: json, options: [.sortedKeys, .fragmentsAllowed])
    }

    /// Whether a text is the recorded one, whatever was left out of it: JSON by its meaning, other text piece by piece.
    static func matches(_ text: String, _ recorded: String) -> Bool {
        guard recorded.contains(HeaderRedaction.replacement) else { return text == recorded }
        if let json = json(Data(text.utf8)), let expected = Self.json(Data(recorded.utf8)),
            let wanted = sorted(expected)
        {
            return sorted(JSONPlaceholders(in: expected)?.masked(json) ?? json) == wanted
        }
        // A number was replaced by a text, so the quotation marks around a placeholder don't count.
        let pieces = recorded.components(separatedBy: HeaderRedaction.replacement)
        var rest = text[...]
        for (index, piece) in pieces.enumerated() {
            let isLast = index == pieces.count - 1
            let piece = withoutMarks(piece[...], atStart: index > 0, atEnd: !isLast)
            if isLast { return rest.hasSuffix(piece) }
            guard index > 0 else {
                guard rest.hasPrefix(piece) else { return false }
                rest = rest.dropFirst(piece.count)
                continue
            }
            if piece.isEmpty { continue }
            guard let place = rest.range(of: piece) else { return false }
            rest = rest[place.upperBound...]
        }
        return false
    }

    private static func withoutMarks(_ piece: Substring, atStart: Bool, atEnd: Bool) -> Substring {
        var piece = piece
        while atStart, let first = piece.first, first == "\"" || first == "\\" { piece.removeFirst() }
        while atEnd, let last = piece.last, last == "\"" || last == "\\" { piece.removeLast() }
        return piece
    }

    private static func masked(items: Substring, _ omitted: Set<OmittedItem>) -> String {
        var counts: [String: Int] = [:]
        return URLText.mappingValues(items) { name, _ in
            omitted.contains(OmittedItem(name, &counts)) ? SecretBody.encodedReplacement : nil
        }
    }

    /// The items whose values were left out.
    private static func omissions(in items: Substring) -> Set<OmittedItem> {
        var omitted: Set<OmittedItem> = []
        guard items.contains("redacted") else { return omitted }
        var counts: [String: Int] = [:]
        _ = URLText.mappingValues(items) { name, value in
            let item = OmittedItem(name, &counts)
            guard value.removingPercentEncoding == HeaderRedaction.replacement else { return nil }
            omitted.insert(item)
            return String(value)
        }
        return omitted
    }
}
