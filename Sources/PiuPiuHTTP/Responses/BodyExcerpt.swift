package import Foundation

/// The beginning of a body, for an error and its text.
package struct BodyExcerpt: Sendable {
    /// How many bytes are kept of a body that isn't collected in memory, and how many the text of an error is made of.
    package static let shortLimit = 4 << 10

    /// How many bytes are kept of a body that is in memory.
    package static let longLimit = 1 << 20

    /// How many characters are shown.
    private static let shownLimit = 500

    /// The first bytes.
    package private(set) var data = Data()

    /// The length of the whole body, or of the part that was read.
    package private(set) var length: Int64 = 0

    /// Whether there may be more that wasn't read.
    package private(set) var isPart: Bool

    /// The length of the whole body; `nil` while there may be more.
    var wholeLength: Int64? { isPart ? nil : length }

    /// How many bytes are kept.
    private let limit: Int

    /// Begins an excerpt of a body that arrives.
    package init(isPart: Bool = false) {
        self.init(isPart: isPart, limit: Self.shortLimit)
    }

    /// Makes an excerpt of a body in memory.
    package init(_ body: Data) {
        self.init(isPart: false, limit: Self.longLimit)
        append(body)
    }

    private init(isPart: Bool, limit: Int) {
        self.isPart = isPart
        self.limit = limit
    }

    /// The beginning of the body of a response; `nil` if it is no longer at hand, for example after decoding.
    package init?(of response: some ResponseInterface) {
        let data: Any = response.data
        if let kept = response.head.unsavedBody {
            self = kept
        } else if let data = data as? Data? {
            self.init(data ?? Data())
        } else if let text = data as? String {
            self.init(Data(text.utf8.prefix(Self.longLimit)))
            length = Int64(text.utf8.count)
        } else {
            return nil
        }
    }

    /// The same body, of which no more is kept than of one that isn't collected in memory.
    var shortened: BodyExcerpt {
        var excerpt = BodyExcerpt(isPart: isPart)
        excerpt.append(data)
        excerpt.length = length
        return excerpt
    }

    /// Adds the next part of the body.
    package mutating func append(_ chunk: Data) {
        length += Int64(chunk.count)
        // Copied: a slice would retain the whole chunk.
        data.append(contentsOf: chunk.prefix(limit - data.count))
    }

    /// Whether more has come than is kept.
    package var isCut: Bool { length > Int64(limit) }

    /// Notes that everything was read.
    package mutating func end() {
        isPart = false
    }

    /// Whether all of the body is kept.
    package var isWhole: Bool { !goesOn(after: data) }

    /// Whether the body is longer than its first bytes, as far as known.
    private func goesOn(after bytes: Data) -> Bool { isPart || length > Int64(bytes.count) }

    /// The first bytes as text, if they are text in UTF-8.
    package var text: String? { text(of: data) }

    private func text(of bytes: Data) -> String? {
        guard goesOn(after: bytes) else { return bytes.plainText }
        // The end may cut a character.
        return bytes.dropLast(bytes.lengthOfUnfinishedCharacter).plainText
    }

    /// The text on one line, without secrets, and cut if it is long; the length of a body that is no text.
    package var shown: String {
        guard length > 0 else { return ErrorText("(no body)").localized("UnacceptableStatusError.noBody") }
        // Looking for secrets in all of a long body would take long.
        let start = data.prefix(Self.shortLimit)
        guard let text = text(of: start) else {
            return ErrorText("(\(length, as: "length") bytes that are no text)")
                .localized("UnacceptableStatusError.noText")
        }
        let goesOn = goesOn(after: start), redacted = SecretText.redacted(text, isCut: goesOn)
        let line = redacted.split(whereSeparator: \.isWhitespace).joined(separator: " ")
        let isCut = line.count > Self.shownLimit || goesOn
        return line.prefix(Self.shownLimit).description.escapingControlCharacters + (isCut ? "…" : "")
    }
}
