import Foundation

/// Redacts the members of JSON objects with secret names, in text that may be cut, or JSON only in part.
///
/// JSON may be a string of other JSON, as in the messages of many queues and logs: its members are redacted, too, in up
/// to three strings, whether its quotation marks are `\"` or `\u0022`. A text is replaced by a text, so that nearly all
/// of it still decodes.
///
/// It changes nothing else of the text. If a secret member is an object or an array, all of its values are left out.
/// The time is linear in the length of the text.
package struct SecretMembers {
    private let bytes: [UInt8]
    private let isSecret: (String, Bool) -> Bool
    private let showsErrorCodes: Bool
    private let keepsTypes: Bool
    private var place = 0
    private var output: [UInt8] = []

    /// The bytes with `"<redacted>"` for the values of secrets. `true`, `false` and `null` stay.
    ///
    /// - Parameters:
    ///   - keepsTypes: whether a 0 replaces a number, and the UUID of zeros a UUID, so that the text still decodes.
    ///   - showsErrorCodes: whether a member named `code` stays if its value is a number, or words of ASCII letters. In
    ///     the answers of servers it is the code of an error, such as `{"code": "not_found"}`.
    ///   - isSecret: decides by a name of the member (``SecretName/names(of:)``), and by whether its value is a whole
    ///     number.
    package static func redacted(
        _ bytes: [UInt8], keepsTypes: Bool, showsErrorCodes: Bool = false, where isSecret: (String, Bool) -> Bool
    ) -> [UInt8] {
        withoutActuallyEscaping(isSecret) { isSecret in
            var members = Self(bytes, keepsTypes: keepsTypes, showsErrorCodes: showsErrorCodes, isSecret)
            members.redact()
            return members.output
        }
    }

    private init(
        _ bytes: [UInt8], keepsTypes: Bool, showsErrorCodes: Bool, _ isSecret: @escaping (String, Bool) -> Bool
    ) {
        self.bytes = bytes
        self.keepsTypes = keepsTypes
        self.showsErrorCodes = showsErrorCodes
        self.isSecret = isSecret
        output.reserveCapacity(bytes.count)
    }

    private mutating func redact() {
        var start = 0
        while let opening = nextMark(from: start) {
            if let closing = end(of: opening), let value = startOfValue(after: closing),
                isSecret(opening, closing, at: value)
            {
                copy(to: value)
                redactValue(depth: closing.depth)
                start = place - lengthOfSymbol(endingAt: place)
            } else {
                start = opening.end
            }
            // A closing mark may also open a string: text that isn't JSON is ambiguous.
        }
        copy(to: bytes.count)
    }

    private func isSecret(_ opening: Mark, _ closing: Mark, at value: Int) -> Bool {
        let name = name(opening.end..<closing.start, depth: opening.depth)
        let isNumber = isNumber(at: value, depth: closing.depth)
        return SecretName.names(of: name).contains { name in
            guard isSecret(name, isNumber) else { return false }
            return !(showsErrorCodes && SecretName.key(name) == "code" && isErrorCode(at: value, depth: closing.depth))
        }
    }

    /// Whether the value is a number or a text of words, so neither an authorization code nor a one-time password.
    private func isErrorCode(at value: Int, depth: Int) -> Bool {
        guard value < bytes.count else { return false }
        if let opening = mark(startingAt: value) {
            guard let closing = end(of: opening) else { return false }
            return bytes[opening.end..<closing.start].allSatisfy(\.isOfWords)
        }
        return isNumber(at: value, depth: depth)
    }

    private func isNumber(at value: Int, depth: Int) -> Bool {
        let word = bytes[value..<endOfWord(at: value, depth: depth)]
        let digits = word.first == UInt8(ascii: "-") ? word.dropFirst() : word
        return digits.isPlainNumber
    }

    private mutating func redactValue(depth: Int) {
        guard place < bytes.count else { return }
        if let opening = mark(startingAt: place) {
            // Otherwise it closes the string that the member is in, and the value is missing.
            if opening.depth >= depth { redactString(opening) }
        } else if bytes[place] == UInt8(ascii: "{") || bytes[place] == UInt8(ascii: "[") {
            redactLeaves(depth: depth)
        } else {
            redactWord(depth: depth)
        }
    }

    /// Redacts from the bracket at the place to its closing bracket, or to the end of the string that it is in.
    private mutating func redactLeaves(depth: Int) {
        var brackets = 0
        repeat {
            if let opening = mark(startingAt: place) {
                guard opening.depth >= depth else { return }
                let value = end(of: opening).flatMap { startOfValue(after: $0) }
                if let value { copy(to: value) } else { redactString(opening) }
                continue
            }
            switch bytes[place] {
            case UInt8(ascii: "{"), UInt8(ascii: "["):
                brackets += 1
                copy(to: place + 1)
            case UInt8(ascii: "}"), UInt8(ascii: "]"):
                brackets -= 1
                copy(to: place + 1)
            default:
                let next = firstVisible(from: place) ?? bytes.count
                if next > place {
                    copy(to: next)
                } else if bytes[place].endsWord {
                    copy(to: place + 1)
                } else {
                    redactWord(depth: depth)
                }
            }
        } while brackets > 0 && place < bytes.count
    }

    private mutating func redactString(_ opening: Mark) {
        let mark = bytes[opening.start..<opening.end], closing = end(of: opening)
        let isUUID = keepsTypes && closing.map { holdsUUID(opening.end..<$0.start) } == true
        output += mark + (isUUID ? Self.zeroUUID : HeaderRedaction.replacement).utf8 + mark
        guard let closing else { return place = bytes.count }
        // The string that it is in may end first.
        place = closing.depth < opening.depth ? closing.start : closing.end
    }

    private static let zeroUUID = "00000000-0000-0000-0000-000000000000"

    private func holdsUUID(_ text: Range<Int>) -> Bool {
        text.count == Self.zeroUUID.utf8.count && UUID(uuidString: String(decoding: bytes[text], as: UTF8.self)) != nil
    }

    private mutating func redactWord(depth: Int) {
        let end = endOfWord(at: place, depth: depth)
        let word = bytes[place..<end]
        guard let first = word.first, !Self.literals.contains(where: { word.elementsEqual($0.utf8) }) else {
            return copy(to: end)
        }
        let isNumber = first == UInt8(ascii: "-") || (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(first)
        if isNumber, keepsTypes {
            output.append(UInt8(ascii: "0"))
        } else {
            let mark = Array(repeating: UInt8.backslash, count: 1 << depth - 1) + [.quote]
            output += mark + HeaderRedaction.replacement.utf8 + mark
        }
        place = end
    }

    private static let literals = ["true", "false", "null"]

    private mutating func copy(to end: Int) {
        output += bytes[place..<end]
        place = end
    }

    // MARK: Reading

    /// A quotation mark of JSON, with the backslashes that belong to it.
    private struct Mark {
        var start: Int
        let end: Int
        /// How many strings it is in: 1 for JSON that is a string of other JSON. There it has a backslash, and then
        /// three, seven and so on.
        let depth: Int

        /// Deeper ones don't count, so that the time stays linear.
        static let deepest = 3

        /// The code of a quotation mark after a backslash, which some encoders write for each one in a text.
        static let code = Array("u0022".utf8)

        /// - Parameter backslashes: how many are before the symbol. The first ones may belong to the text before the
        ///   mark.
        init(_ symbol: Range<Int>, backslashes: Int) {
            let form = symbol.count == 1 ? Self.ofQuote(backslashes) : Self.ofCode(backslashes)
            (start, end, depth) = (symbol.lowerBound - form.backslashes, symbol.upperBound, form.depth)
        }

        private static func ofQuote(_ backslashes: Int) -> (depth: Int, backslashes: Int) {
            let depth = (~backslashes).trailingZeroBitCount
            return (depth, 1 << depth - 1)
        }

        /// The string that it is in halves its backslashes. An odd one makes a quotation mark of the code.
        private static func ofCode(_ backslashes: Int) -> (depth: Int, backslashes: Int) {
            let halvings = backslashes.trailingZeroBitCount
            let quote = ofQuote(backslashes >> (halvings + 1))
            return (halvings + 1 + quote.depth, (2 * quote.backslashes + 1) << halvings)
        }
    }

    /// The symbol of a mark here, without its backslashes.
    private func symbol(at place: Int) -> Range<Int>? {
        switch bytes[place] {
        case .quote: return place..<place + 1
        case Mark.code[0] where place > 0 && bytes[place - 1] == .backslash && bytes[place...].starts(with: Mark.code):
            return place..<place + Mark.code.count
        default: return nil
        }
    }

    private func lengthOfSymbol(endingAt end: Int) -> Int {
        if bytes[end - 1] == .quote { return 1 }
        return end > Mark.code.count ? symbol(at: end - Mark.code.count)?.count ?? 0 : 0
    }

    /// The next mark.
    private func nextMark(from start: Int) -> Mark? {
        for place in start..<bytes.count {
            guard let symbol = symbol(at: place) else { continue }
            let mark = Mark(symbol, backslashes: bytes[..<place].reversed().prefix { $0 == .backslash }.count)
            if mark.depth <= Mark.deepest { return mark }
        }
        return nil
    }

    /// The mark that starts here.
    private func mark(startingAt start: Int) -> Mark? {
        guard let place = bytes[start...].firstIndex(where: { $0 != .backslash }), let symbol = symbol(at: place) else {
            return nil
        }
        var mark = Mark(symbol, backslashes: place - start)
        mark.start = start
        return mark
    }

    /// The mark that ends a string.
    private func end(of opening: Mark) -> Mark? {
        var start = opening.end
        while let mark = nextMark(from: start) {
            if mark.depth <= opening.depth { return mark }
            start = mark.end
        }
        return nil
    }

    /// The start of the value of a member whose name ends with this mark; `nil` if no colon follows.
    private func startOfValue(after closing: Mark) -> Int? {
        guard let colon = firstVisible(from: closing.end), bytes[colon] == UInt8(ascii: ":") else { return nil }
        return firstVisible(from: colon + 1) ?? bytes.count
    }

    /// The next byte that is no white space. In a string a line feed is `\n`.
    private func firstVisible(from start: Int) -> Int? {
        var start = start
        while let next = bytes[start...].firstIndex(where: { !$0.isJSONSpace }) {
            guard bytes[next] == .backslash, let letter = bytes[next...].firstIndex(where: { $0 != .backslash }),
                "nrt".utf8.contains(bytes[letter])
            else { return next }
            start = letter + 1
        }
        return nil
    }

    /// The end of a number, a literal, or something else without quotation marks.
    private func endOfWord(at start: Int, depth: Int) -> Int {
        let letters = bytes[start...].drop { $0 == .backslash }
        return letters.firstIndex { $0.endsWord || depth > 0 && $0 == .backslash } ?? bytes.count
    }

    /// The name, with its escapes resolved.
    private func name(_ range: Range<Int>, depth: Int) -> String {
        var name = String(decoding: bytes[range], as: UTF8.self)
        for _ in 0...depth where name.contains("\\") { name = name.unescapingJSON }
        return name
    }
}

extension UInt8 {
    fileprivate static let quote = UInt8(ascii: "\"")
    fileprivate static let backslash = UInt8(ascii: "\\")

    fileprivate var isJSONSpace: Bool { self == 0x20 || self == 0x09 || self == 0x0A || self == 0x0D }

    fileprivate var isOfWords: Bool {
        (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(self | 0x20) || "_-. ".utf8.contains(self)
    }

    fileprivate var endsWord: Bool { isJSONSpace || ",:\"[]{}".utf8.contains(self) }
}
