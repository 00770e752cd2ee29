/// Redacts the members of JSON objects with secret names, in text that may be cut, or JSON only in part.
///
/// It changes nothing else of the text. If a secret member is an object or an array, all of its values are left out.
/// The time is linear in the length of the text.
package struct SecretMembers {
    private let bytes: [UInt8]
    private let isSecret: (String) -> Bool
    private let showsErrorCodes: Bool
    private let number: [UInt8]
    private var place = 0
    private var output: [UInt8] = []

    /// The replacement for a text, a text itself, so that it still decodes.
    private static let replacement = Array("\"\(HeaderRedaction.replacement)\"".utf8)

    /// The bytes with `"<redacted>"` for the values of secrets. `true`, `false` and `null` stay.
    ///
    /// - Parameters:
    ///   - keepsTypes: whether a 0 replaces a number, so that the text still decodes.
    ///   - showsErrorCodes: whether a member named `code` stays if its value is a number, or words of ASCII letters. In
    ///     the answers of servers it is the code of an error, such as `{"code": "not_found"}`.
    ///   - isSecret: decides by the name of the member.
    package static func redacted(
        _ bytes: [UInt8], keepsTypes: Bool, showsErrorCodes: Bool = false, where isSecret: (String) -> Bool
    ) -> [UInt8] {
        withoutActuallyEscaping(isSecret) { isSecret in
            var members = Self(bytes, keepsTypes: keepsTypes, showsErrorCodes: showsErrorCodes, isSecret)
            members.redact()
            return members.output
        }
    }

    private init(
        _ bytes: [UInt8], keepsTypes: Bool, showsErrorCodes: Bool, _ isSecret: @escaping (String) -> Bool
    ) {
        self.bytes = bytes
        number = keepsTypes ? [UInt8(ascii: "0")] : Self.replacement
        self.showsErrorCodes = showsErrorCodes
        self.isSecret = isSecret
        output.reserveCapacity(bytes.count)
    }

    private mutating func redact() {
        var start = 0
        while let opening = bytes[start...].firstIndex(of: .quote) {
            let closing = endOfString(at: opening)
            if let value = startOfValue(after: closing), isSecret(name(opening + 1..<closing), at: value) {
                copy(to: value)
                redactValue()
                start = bytes[place - 1] == .quote ? place - 1 : place
            } else {
                copy(to: closing)
                start = closing
            }
            // A closing quote may also open a string: text that isn't JSON is ambiguous.
        }
        copy(to: bytes.count)
    }

    private func isSecret(_ name: String, at value: Int) -> Bool {
        guard isSecret(name) else { return false }
        return !(showsErrorCodes && SecretName.key(name) == "code" && isErrorCode(at: value))
    }

    /// Whether the value is a number or a text of words, so neither an authorization code nor a one-time password.
    private func isErrorCode(at value: Int) -> Bool {
        guard value < bytes.count else { return false }
        if bytes[value] == .quote {
            let closing = endOfString(at: value)
            return closing < bytes.count && bytes[value + 1..<closing].allSatisfy(\.isOfWords)
        }
        let word = bytes[value...].prefix { !$0.endsWord }
        let digits = word.first == UInt8(ascii: "-") ? word.dropFirst() : word
        return !digits.isEmpty && digits.allSatisfy { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }
    }

    private mutating func redactValue() {
        guard place < bytes.count else { return }
        switch bytes[place] {
        case .quote: redactString()
        case UInt8(ascii: "{"), UInt8(ascii: "["): redactLeaves()
        default: redactWord()
        }
    }

    /// Redacts from the bracket at the place to its closing bracket.
    private mutating func redactLeaves() {
        var depth = 0
        repeat {
            switch bytes[place] {
            case UInt8(ascii: "{"), UInt8(ascii: "["):
                depth += 1
                copy(to: place + 1)
            case UInt8(ascii: "}"), UInt8(ascii: "]"):
                depth -= 1
                copy(to: place + 1)
            case .quote:
                let closing = endOfString(at: place)
                if let value = startOfValue(after: closing) { copy(to: value) } else { redactString() }
            case let byte where byte.endsWord: copy(to: place + 1)
            default: redactWord()
            }
        } while depth > 0 && place < bytes.count
    }

    private mutating func redactString() {
        place = min(endOfString(at: place) + 1, bytes.count)
        output += Self.replacement
    }

    private mutating func redactWord() {
        let end = bytes[place...].firstIndex(where: \.endsWord) ?? bytes.count
        let word = bytes[place..<end]
        guard let first = word.first, !Self.literals.contains(where: { word.elementsEqual($0.utf8) }) else {
            return copy(to: end)
        }
        let isNumber = first == UInt8(ascii: "-") || (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(first)
        output += isNumber ? number : Self.replacement
        place = end
    }

    private static let literals = ["true", "false", "null"]

    private mutating func copy(to end: Int) {
        output += bytes[place..<end]
        place = end
    }

    /// The place of the quote that closes the string, or the end.
    private func endOfString(at opening: Int) -> Int {
        var index = opening + 1
        while index < bytes.count, bytes[index] != .quote { index += bytes[index] == UInt8(ascii: "\\") ? 2 : 1 }
        return min(index, bytes.count)
    }

    /// The start of the value of a member whose name ends at `closing`; `nil` if no colon follows.
    private func startOfValue(after closing: Int) -> Int? {
        guard let colon = firstVisible(from: closing + 1), bytes[colon] == UInt8(ascii: ":") else { return nil }
        return firstVisible(from: colon + 1) ?? bytes.count
    }

    private func firstVisible(from start: Int) -> Int? {
        start < bytes.count ? bytes[start...].firstIndex { !$0.isJSONSpace } : nil
    }

    /// The name, with its escapes resolved.
    private func name(_ range: Range<Int>) -> String {
        let text = String(decoding: bytes[range], as: UTF8.self)
        return text.contains("\\") ? text.unescapingJSON : text
    }
}

extension UInt8 {
    fileprivate static let quote = UInt8(ascii: "\"")

    fileprivate var isJSONSpace: Bool { self == 0x20 || self == 0x09 || self == 0x0A || self == 0x0D }

    fileprivate var isOfWords: Bool {
        (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(self | 0x20) || "_-. ".utf8.contains(self)
    }

    fileprivate var endsWord: Bool { isJSONSpace || ",:\"[]{}".utf8.contains(self) }
}
