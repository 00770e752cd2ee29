import Foundation

/// Redacts the secrets of URLs in a text, such as those in the strings of JSON: user and password, and the values of
/// items with secret names in the path, the query and the fragment.
///
/// A query may stand alone, as `?a=1&token=secret`, and in quotation marks as `a=1&token=secret`. In JSON a slash may
/// be `\/` and an ampersand `\u0026`, with more backslashes in JSON that is a string.
///
/// It changes nothing else of the text, and cuts no escape, so that JSON still decodes. One pass, as the text comes
/// from a server.
package struct SecretURLs {
    private let bytes: [UInt8]
    private let redaction: HeaderRedaction
    private let keepsPath: Bool
    private let isCut: Bool
    private var output: [UInt8] = []
    /// The end of what the output has.
    private var copied = 0
    private var word = Word(start: 0)

    /// The text with `<redacted>` for the secrets.
    ///
    /// - Parameters:
    ///   - keepsPath: for the response of a recording, whose replay finds the requests to its links by their paths.
    ///   - isCut: whether more may have followed. The host that the text ends in may be a user and a password then, whose
    ///     at sign is missing, so it is left out.
    package static func redacted(
        _ bytes: [UInt8], by redaction: HeaderRedaction, keepsPath: Bool = false, isCut: Bool = false
    ) -> [UInt8] {
        var urls = Self(bytes, redaction, keepsPath: keepsPath, isCut: isCut)
        urls.redact()
        return urls.output
    }

    private init(_ bytes: [UInt8], _ redaction: HeaderRedaction, keepsPath: Bool, isCut: Bool) {
        (self.bytes, self.redaction, self.keepsPath, self.isCut) = (bytes, redaction, keepsPath, isCut)
        output.reserveCapacity(bytes.count)
    }

    private mutating func redact() {
        var place = 0
        while place < bytes.count {
            let symbol = symbol(at: place)
            read(symbol)
            word.last = (word.last.1, symbol.scalar)
            place = symbol.end
        }
        if isCut { word.user?.end = place }
        endPart(at: place)
        output += bytes[copied...]
    }

    /// Leaves a secret out, or the rest of it if a part of it was left out already.
    private mutating func leaveOut(_ secret: Range<Int>) {
        guard !secret.isEmpty else { return }
        if secret.lowerBound >= copied {
            output += bytes[copied..<secret.lowerBound]
            output += HeaderRedaction.replacement.utf8
        }
        copied = secret.upperBound
    }

    // MARK: Parts of a URL

    /// What stands between white space or quotation marks, as far as it was read.
    private struct Word {
        /// The start, unless it is that of a tag: `</b>` is no path.
        let start: Int?
        /// The quotation mark before it.
        let mark: Unicode.Scalar?
        var region = Region.text
        var hasSlash = false
        var user: User?
        var item: Item?
        /// The last two characters.
        var last: (Unicode.Scalar, Unicode.Scalar) = ("\0", "\0")

        init(start: Int?, after mark: Unicode.Scalar? = nil) {
            (self.start, self.mark) = (start, mark)
            // It may be the first one of a query.
            if let start, mark != nil { item = Item(start: start) }
        }

        /// Whether a question mark here begins a query, and isn't one of a sentence or a program.
        func beginsQuery(at place: Int) -> Bool { mark != nil || hasSlash || start == place }

        /// Whether an apostrophe is a quotation mark. In a password and a query it may be any character.
        var isEndedByApostrophe: Bool { mark == "'" || region != .query && user == nil }
    }

    private enum Region {
        /// Anything, so far.
        case text
        /// A URL up to the end of its path.
        case path
        /// A query or a fragment.
        case query
    }

    /// User and password, if an at sign comes before the end of the authority.
    private struct User {
        let start: Int
        /// The last at sign.
        var end: Int?
    }

    private struct Item {
        let start: Int
        /// The start of the value; `nil` before the equals sign.
        var value: Int?
        var isSecret = false
        var isEncoded = false
    }

    private mutating func read(_ symbol: Symbol) {
        switch symbol.scalar {
        case "\0"..." ": endWord(symbol, next: Word(start: symbol.end))
        case "\"": endWord(symbol, next: Word(start: symbol.end, after: "\""))
        case "'" where word.isEndedByApostrophe: endWord(symbol, next: Word(start: symbol.end, after: "'"))
        case "<", ">": readBracket(symbol)
        case "/": readSlash(symbol)
        case "?", "#", "&", ";": readSeparator(symbol)
        case "=": readEqualsSign(symbol)
        case "@": word.user?.end = symbol.start
        case "%": word.item?.isEncoded = true
        default: break
        }
    }

    private mutating func endWord(_ symbol: Symbol, next: Word) {
        endPart(at: symbol.start)
        word = next
    }

    /// An angle bracket ends a value, as in markup. The query goes on: clients send brackets without encoding them.
    private mutating func readBracket(_ bracket: Symbol) {
        endPart(at: bracket.start)
        if word.region != .query { word = Word(start: bracket.scalar == ">" ? bracket.end : nil) }
    }

    private mutating func readSlash(_ slash: Symbol) {
        endUser()
        if word.region == .path { endItem(at: slash.start) }
        let isAfterScheme = word.last == (":", "/")
        if word.region == .text, isAfterScheme || word.start == slash.start {
            word.region = .path
            word.item = nil
        }
        // What is in a secret value is left out along with it.
        if isAfterScheme, word.item?.isSecret != true { word.user = User(start: slash.end) }
        word.hasSlash = true
    }

    private mutating func readSeparator(_ separator: Symbol) {
        guard let region = region(after: separator) else { return }
        // An ampersand after `a=1` shows that the word is a query from its start.
        if separator.scalar == "&", word.region == .text { word.region = .query }
        endPart(at: separator.start)
        word.region = region
        word.item = Item(start: separator.end)
    }

    /// Where the item after a separator is; `nil` if it separates nothing.
    private func region(after separator: Symbol) -> Region? {
        let isInSecret = word.item?.isSecret == true, isInUser = word.user != nil
        switch (separator.scalar, word.region) {
        case ("?", .query): return isInSecret ? nil : .query
        case (";", .query): return isInSecret || isInUser ? nil : .query
        case (_, .query): return .query
        case (";", .path): return isInUser || keepsPath ? nil : .path
        case ("&", .path): return isInUser || keepsPath ? nil : .query
        case ("&", .text): return word.item?.value == nil ? nil : .query
        case (";", .text): return nil
        case (_, .path): return .query
        case (_, .text): return word.beginsQuery(at: separator.start) ? .query : nil
        }
    }

    private mutating func readEqualsSign(_ sign: Symbol) {
        guard let start = word.item?.start, word.item?.value == nil else { return }
        let isSecret = redaction.redacts(item: name(start..<sign.start))
        word.item?.value = sign.end
        word.item?.isSecret = isSecret
    }

    private mutating func endPart(at end: Int) {
        endUser()
        endItem(at: end)
    }

    private mutating func endUser() {
        guard let user = word.user.take(), let end = user.end, redaction.redactsCredentials else { return }
        leaveOut(user.start..<end)
    }

    private mutating func endItem(at end: Int) {
        guard let item = word.item.take(), isSecret(item, endingAt: end) else { return }
        leaveOut((item.value ?? item.start)..<end)
    }

    private func isSecret(_ item: Item, endingAt end: Int) -> Bool {
        // Without a question mark or an ampersand `key=value` may be said of anything.
        if item.isSecret, word.region != .text { return true }
        guard item.isEncoded else { return false }
        var value = String(decoding: bytes[(item.value ?? item.start)..<end], as: UTF8.self)
        if isCut, end == bytes.count { value += "@" }
        // After a question mark the equals sign may be encoded, too.
        let isQuery = word.region == .query && item.value == nil
        return URLText.isEncodedURLWithSecret(isQuery ? "?" + value : value, by: redaction)
    }

    /// The name, with its escapes resolved.
    private func name(_ range: Range<Int>) -> String {
        var name = String(decoding: bytes[range], as: UTF8.self)
        for _ in 0...3 where name.contains("\\") { name = name.unescapingJSON }
        return name.removingPercentEncoding ?? name
    }

    // MARK: Characters

    /// A character, with the backslashes before it. One that isn't ASCII may be several, as none of them counts.
    private struct Symbol {
        let start: Int
        let end: Int
        let scalar: Unicode.Scalar
    }

    private func symbol(at start: Int) -> Symbol {
        guard let letter = bytes[start...].firstIndex(where: { $0 != UInt8(ascii: "\\") }) else {
            return Symbol(start: start, end: bytes.count, scalar: "\\")
        }
        let scalar = Unicode.Scalar(bytes[letter])
        guard letter > start else { return Symbol(start: start, end: letter + 1, scalar: scalar) }
        switch scalar {
        case "u":
            guard let code = code(at: letter + 1) else { break }
            return Symbol(start: start, end: letter + 5, scalar: code)
        case "n", "r", "t": return Symbol(start: start, end: letter + 1, scalar: " ")
        default: break
        }
        return Symbol(start: start, end: letter + 1, scalar: scalar)
    }

    /// The character whose code has these four digits.
    private func code(at start: Int) -> Unicode.Scalar? {
        let digits = bytes[start...].prefix(4)
        guard digits.count == 4 else { return nil }
        return UInt32(String(decoding: digits, as: UTF8.self), radix: 16).flatMap { Unicode.Scalar($0) }
    }
}
