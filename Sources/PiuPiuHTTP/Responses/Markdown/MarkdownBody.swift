import Foundation

/// A body in Markdown, in a fence that it can't close.
enum MarkdownBody {
    /// A body that is a stream.
    static let stream = ["### Body", "(A stream, which isn't read here.)"]

    /// The body of a request; without a coded one, in which secrets aren't found.
    static func lines(
        ofRequest body: Data, contentType: String?, contentEncoding: String?, limit: Int?,
        redacting redaction: HeaderRedaction, showsBytes: Bool = true
    ) -> [String] {
        guard !SecretBody.isLeftOut(contentEncoding: contentEncoding, by: redaction) else {
            return ["### Body", "(\(body.count) bytes with a content coding, which may contain secrets.)"]
        }
        return lines(
            body, contentType: contentType, limit: limit, redacting: redaction, for: .requestText,
            showsBytes: showsBytes)
    }

    /// A title, the fenced body, and a note if it was cut.
    ///
    /// - Parameters:
    ///   - excerpt: what is known of the whole, if `body` may be only its first bytes.
    ///   - showsBytes: whether a body that is no text is shown in base64, and not only its length.
    static func lines(
        _ body: Data, of excerpt: BodyExcerpt? = nil, contentType: String?, limit: Int?,
        redacting redaction: HeaderRedaction, for purpose: SecretBody.Purpose, showsBytes: Bool = true
    ) -> [String] {
        let end = min(max(0, limit ?? .max), body.count), isCut = end < body.count || excerpt?.isWhole == false
        let length = excerpt.map { ($0.isPart ? "at least " : "") + "\($0.length)" } ?? "\(body.count)"
        var shown = body.prefix(end)
        // The limit may cut a character.
        if isCut { shown.removeLast(shown.lengthOfUnfinishedCharacter) }
        let lines: [String]
        if let plain = shown.plainText {
            let text = SecretBody.redacted(
                plain, contentType: contentType, by: redaction, for: purpose, isCut: isCut)
            let fence = String(repeating: "`", count: max(3, text.longestRunOfBackticks + 1))
            let isJSON = contentType.map { $0.lowercased().contains("json") } ?? true
            lines = ["### Body", fence + (isJSON ? "json" : ""), text, fence]
        } else if !showsBytes {
            return ["### Body", "(\(length) bytes that are no text.)"]
        } else {
            shown = body.prefix(end)
            let bytes = SecretBody.redacted(
                shown, contentType: contentType, by: redaction, for: purpose, isCut: isCut)
            lines = ["### Body", "```base64", bytes.base64EncodedString(), "```"]
        }
        return isCut ? lines + ["(The first \(shown.count) of \(length) bytes.)"] : lines
    }
}

extension Data {
    /// How many bytes at the end belong to a cut character of UTF-8.
    var lengthOfUnfinishedCharacter: Int {
        for length in 1...3 where length <= count {
            let byte = self[endIndex - length]
            let announced =
                switch byte {
                case 0xC2...0xDF: 2
                case 0xE0...0xEF: 3
                case 0xF0...0xF4: 4
                default: 1
                }
            if announced > length { return length }
            // Every byte but a continuation byte begins a character. Here it is complete, or no UTF-8 at all.
            if byte & 0xC0 != 0x80 { return 0 }
        }
        return 0
    }
}

extension String {
    fileprivate var longestRunOfBackticks: Int {
        var longest = 0
        var current = 0
        for byte in utf8 {
            current = byte == UInt8(ascii: "`") ? current + 1 : 0
            longest = max(longest, current)
        }
        return longest
    }
}
