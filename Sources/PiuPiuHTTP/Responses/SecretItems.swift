/// Redacts items such as `password=secret`, fields such as `X-Api-Key: secret`, elements such as
/// `<Password>secret</Password>`, and the like in the notation of a program, such as `{'password': 'secret'}`.
///
/// One pass, as the text comes from a server.
struct SecretItems {
    private let text: String
    private let scalars: String.UnicodeScalarView
    private var result = ""
    /// The end of what the result has.
    private var copied: String.Index
    private var position: String.Index
    /// The start of the word that the position is in or after.
    private var wordStart: String.Index
    /// The word before that, if only spaces and quotation marks came after it on its line.
    private var lastWord: Name?
    /// The first place of the line that is no white space.
    private var lineStart: String.Index
    /// The place after the last "<" that no ">" followed.
    private var tagStart: String.Index?

    /// A name that a value may follow.
    private struct Name {
        let text: Substring
        /// The quotation mark after it.
        var mark: Unicode.Scalar?
        /// Whether something is between it and the equals sign or the colon.
        var isApart: Bool

        /// Whether it, or the last name in it, is that of a secret.
        var isSecret: Bool { SecretName.names(of: String(text)).contains { SecretName.isSecret($0) } }
    }

    static func redacted(_ text: String) -> String {
        var items = Self(text)
        items.redact()
        return items.result
    }

    private init(_ text: String) {
        self.text = text
        scalars = text.unicodeScalars
        (copied, position, wordStart, lineStart) =
            (scalars.startIndex, scalars.startIndex, scalars.startIndex, scalars.startIndex)
    }

    private mutating func redact() {
        while position < scalars.endIndex {
            let scalar = scalars[position], next = scalars.index(after: position)
            if scalar == "=" || scalar == ":", let name, name.isSecret {
                hide(scalar == "=" ? item(name, after: next) : field(name, after: next), else: next)
            } else if scalar == ">", let start = tagStart.take(),
                let secret = SecretElement(text[start..<position], scalars[next...]).secret
            {
                hide(secret, else: next)
            } else {
                pass(scalar, to: next)
            }
        }
        result += text[copied...]
    }

    /// Goes on after the value, and leaves it out.
    private mutating func hide(_ secret: Range<String.Index>?, else next: String.Index) {
        if let secret, !secret.isEmpty {
            result += text[copied..<secret.lowerBound] + "<redacted>"
            copied = secret.upperBound
        }
        position = secret?.upperBound ?? next
        wordStart = position
        lastWord = nil
    }

    private mutating func pass(_ scalar: Unicode.Scalar, to next: String.Index) {
        if scalar == "<" { tagStart = next }
        if scalar == "=" || scalar.endsName {
            let word = text[wordStart..<position]
            if scalar.isNewline || !scalar.endsValue {
                lastWord = nil
            } else if scalar.isQuotationMark || scalar.properties.isWhitespace {
                if !word.isEmpty { lastWord = Name(text: word, isApart: true) }
                if scalar.isQuotationMark { lastWord?.mark = scalar }
            } else {
                lastWord = nil
            }
            wordStart = next
        }
        if scalar.isNewline || scalar.properties.isWhitespace && position == lineStart { lineStart = next }
        position = next
    }

    /// The name before an equals sign or a colon at the position.
    private var name: Name? {
        let word = text[wordStart..<position]
        return word.isEmpty ? lastWord : Name(text: word, isApart: false)
    }

    /// The value after an equals sign; `nil` if it may be shown.
    private func item(_ name: Name, after start: String.Index) -> Range<String.Index>? {
        var rest = scalars[start...]
        // As in "==", or the "=>" of some languages.
        if tagStart == nil, let sign = rest.first, sign == "=" || sign == ">" { rest = rest.dropFirst() }
        let value = rest.drop(while: \.isSpace)
        if let content = Self.quoted(value) { return content }
        if name.isApart { rest = value }
        // A code is that of an error where the whole name says so, as "error.code".
        let isQualified = SecretName.key(String(name.text)) != "code"
        if isQualified, SecretField(name.text).isErrorCode(rest, where: \.endsValue) { return nil }
        let end = Self.end(of: rest, where: \.endsValue)
        // "key = value" may be said of anything.
        return name.isApart && SecretField.isOfWords(rest[..<end]) ? nil : rest.startIndex..<end
    }

    /// The value after a colon; `nil` if it may be shown.
    private func field(_ name: Name, after start: String.Index) -> Range<String.Index>? {
        // A member of JSON has been looked at.
        if name.mark == "\"" { return nil }
        let rest = scalars[start...].drop(while: \.isSpace)
        let isLine = name.text.startIndex == lineStart, field = SecretField(name.text)
        if !isLine, let content = Self.quoted(rest) { return field.isErrorCode(scalars[content]) ? nil : content }
        let ends = { (scalar: Unicode.Scalar) -> Bool in
            scalar.isNewline
                || !isLine && (scalar.endsField || name.mark != nil && ",}])".unicodeScalars.contains(scalar))
        }
        if field.isErrorCode(rest, where: ends) { return nil }
        let value = rest[..<max(Self.end(of: rest, where: ends), rest.startIndex)]
        return field.isShown(value, isLine: isLine) ? nil : value.startIndex..<value.endIndex
    }

    /// What is in the quotation marks that the text begins with, which may have backslashes; `nil` without them, and if
    /// the first one rather ends the text around it.
    private static func quoted(_ rest: Substring.UnicodeScalarView) -> Range<String.Index>? {
        let unescaped = rest.drop { $0 == "\\" }
        guard let mark = unescaped.first, mark.isQuotationMark else { return nil }
        let content = unescaped.dropFirst()
        guard let first = content.first, first != mark, first != "\\",
            !first.properties.isWhitespace, !",}]):;>&".unicodeScalars.contains(first)
        else { return nil }
        return content.startIndex..<max(content.startIndex, end(of: content) { $0 == mark || $0.isNewline })
    }

    /// The end of the value that starts here. The backslash before a quotation mark belongs to the mark: without it the
    /// text would mean something else.
    fileprivate static func end(
        of scalars: Substring.UnicodeScalarView, where ends: (Unicode.Scalar) -> Bool
    ) -> String.Index {
        guard let end = scalars.firstIndex(where: ends) else { return scalars.endIndex }
        guard scalars[end].isQuotationMark else { return end }
        let afterLast = scalars[..<end].lastIndex { $0 != "\\" }.map { scalars.index(after: $0) }
        return afterLast ?? scalars.startIndex
    }
}

/// A field such as `X-Api-Key: secret`, on a line of its own or in another text.
private struct SecretField {
    private let name: String

    /// - Parameter name: the name, which is that of a secret, or has it as its last one.
    init(_ name: Substring) {
        let name = String(name)
        self.name = SecretName.key(SecretName.names(of: name).first { SecretName.isSecret($0) } ?? name)
    }

    /// Whether a value that doesn't begin with the code of an error is no secret.
    ///
    /// - Parameter isLine: whether the line begins with the name. Then the line is the value, whatever it contains.
    func isShown(_ value: Substring.UnicodeScalarView, isLine: Bool) -> Bool {
        if name == "code" { return false }
        // "Wrong password: try again" is no field.
        return Self.isScheme(value) || !isLine && Self.isOfWords(value) && !isCredential(value)
    }

    /// Whether the value begins with the code of an error: with a number or a word.
    ///
    /// It reads no further than the first word. What comes after a code that is shown is read again: if the end of the
    /// value were looked for first, many codes on a line would take quadratic time.
    ///
    /// - Parameters:
    ///   - rest: the text that begins with the value.
    ///   - ends: whether the value ends before this.
    func isErrorCode(
        _ rest: Substring.UnicodeScalarView, where ends: (Unicode.Scalar) -> Bool = { _ in false }
    ) -> Bool {
        guard name == "code" else { return false }
        let end = SecretItems.end(of: rest) { scalar in
            ends(scalar) || scalar.properties.isWhitespace || ",;)]}".unicodeScalars.contains(scalar)
        }
        let code = rest[..<end]
        return Self.isOfWords(code) || code.allSatisfy { ("0"..."9").contains($0) }
    }

    /// Whether it is the scheme of a credential that is redacted already.
    private static func isScheme(_ value: Substring.UnicodeScalarView) -> Bool {
        String(value).wholeMatch(of: #/(?i)(bearer|basic)\s+(<redacted>)?/#) != nil
    }

    /// Whether it is a credential with its scheme, although a short one.
    private func isCredential(_ value: Substring.UnicodeScalarView) -> Bool {
        name.hasSuffix("authorization") && String(value).prefixMatch(of: #/(?i)(bearer|basic)\s/#) != nil
    }

    fileprivate static func isOfWords(_ value: Substring.UnicodeScalarView) -> Bool {
        value.allSatisfy { $0.properties.isAlphabetic || " _-.,;!?'()".unicodeScalars.contains($0) }
    }
}

/// An element of XML such as `<Password>secret</Password>`.
private struct SecretElement {
    /// The part of the text that is secret; `nil` if there is none.
    let secret: Range<String.Index>?

    /// - Parameters:
    ///   - tag: what is between the angle brackets.
    ///   - rest: the text after them.
    init(_ tag: Substring, _ rest: Substring.UnicodeScalarView) {
        let name = tag.prefix { !$0.isWhitespace && $0 != "/" }
        let localName = name.lastIndex(of: ":").map { name[name.index(after: $0)...] } ?? name
        guard !localName.isEmpty, tag.last != "/", SecretName.isSecret(String(localName)) else {
            secret = nil
            return
        }
        let section = "<![CDATA["
        let isSection = Substring(rest).hasPrefix(section)
        let content = isSection ? rest.dropFirst(section.unicodeScalars.count) : rest
        let ends = { (scalar: Unicode.Scalar) -> Bool in scalar == (isSection ? "]" : "<") }
        guard !SecretField(localName).isErrorCode(content, where: ends) else {
            secret = nil
            return
        }
        let value = content.prefix { !ends($0) }
        secret = value.allSatisfy(\.properties.isWhitespace) ? nil : value.startIndex..<value.endIndex
    }
}

extension Unicode.Scalar {
    fileprivate var isNewline: Bool { Character(self).isNewline }

    fileprivate var isSpace: Bool { self == " " || self == "\t" }

    fileprivate var isQuotationMark: Bool { self == "\"" || self == "'" }

    fileprivate var endsField: Bool { "\"<>".unicodeScalars.contains(self) }

    fileprivate var endsValue: Bool { properties.isWhitespace || "&\"'<>".unicodeScalars.contains(self) }

    fileprivate var endsName: Bool { endsValue || "?{}:,;".unicodeScalars.contains(self) }
}
