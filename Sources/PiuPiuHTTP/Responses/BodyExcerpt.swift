package import Foundation

/// The beginning of a body, for the text of an error.
package struct BodyExcerpt: Sendable {
    /// How many bytes are kept.
    package static let limit = 4 << 10

    /// How many characters are shown.
    private static let shownLimit = 500

    /// The first bytes.
    private(set) var data = Data()

    /// The length of the whole body, or of the part that was read.
    package private(set) var length: Int64 = 0

    /// Whether there may be more that wasn't read.
    package private(set) var isPart: Bool

    package init(isPart: Bool = false) {
        self.isPart = isPart
    }

    package init(_ body: Data) {
        self.init()
        append(body)
    }

    /// The beginning of the body of a response; `nil` if it is no longer at hand, for example after decoding.
    package init?(of response: some ResponseInterface) {
        let data: Any = response.data
        if let kept = response.head.unsavedBody {
            self = kept
        } else if let data = data as? Data? {
            self.init(data ?? Data())
        } else if let text = data as? String {
            self.init(Data(text.utf8))
        } else {
            return nil
        }
    }

    /// Adds the next part of the body.
    package mutating func append(_ chunk: Data) {
        length += Int64(chunk.count)
        // Copied: a slice would retain the whole chunk.
        data.append(contentsOf: chunk.prefix(Self.limit - data.count))
    }

    /// Whether no more is kept.
    package var isFull: Bool { data.count >= Self.limit }

    /// Notes that everything was read.
    package mutating func end() {
        isPart = false
    }

    /// Whether the body is longer than the bytes kept, as far as known.
    private var isCut: Bool { isPart || length > Int64(data.count) }

    /// The first bytes as text, if they are text in UTF-8.
    package var text: String? {
        guard isCut else { return data.plainText }
        // The limit may cut a character.
        return data.dropLast(data.lengthOfUnfinishedCharacter).plainText
    }

    /// The text on one line, without secrets, and cut if it is long; the length of a body that is no text.
    package var shown: String {
        guard length > 0 else { return ErrorText("(no body)").localized("UnacceptableStatusError.noBody") }
        guard let text else {
            return ErrorText("(\(length, as: "length") bytes that are no text)")
                .localized("UnacceptableStatusError.noText")
        }
        let line = SecretText.redacted(text).split(whereSeparator: \.isWhitespace).joined(separator: " ")
        let isCut = line.count > Self.shownLimit || isCut
        return line.prefix(Self.shownLimit).description.escapingControlCharacters + (isCut ? "…" : "")
    }
}
