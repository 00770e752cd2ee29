/// Secrets in the text of a body: servers repeat parts of a request that they refuse.
package enum SecretText {
    /// The text without secrets: the values of JSON members and form items with secret names, bearer tokens and the
    /// like.
    ///
    /// The code of an error stays. The text may be cut, and needn't be JSON.
    package static func redacted(_ text: String) -> String {
        // By Unicode's rules a colon between letters is part of a word.
        let credentials = #/(?i)\b(bearer|basic)\s+[a-z0-9._~+\/=\-]{16,}/#.wordBoundaryKind(.simple)
        // First, because a value without quotation marks ends at a space: only the scheme would be redacted.
        let text = text.replacing(credentials) { match in "\(match.1) <redacted>" }
        let members = SecretMembers.redacted(
            Array(text.utf8), keepsTypes: false, showsErrorCodes: true, where: SecretName.isSecret)
        return redactingItems(String(decoding: members, as: UTF8.self))
    }

    /// The text without the values of items such as `password=secret`, of fields such as `X-Api-Key: secret`, and of
    /// elements such as `<Password>secret</Password>`. One pass, as the text comes from a server.
    private static func redactingItems(_ text: String) -> String {
        let scalars = text.unicodeScalars
        var result = ""
        var (copied, nameStart, position) = (scalars.startIndex, scalars.startIndex, scalars.startIndex)
        // The first place of the line that is no white space, and that after the last "<".
        var (lineStart, tagStart) = (scalars.startIndex, String.Index?.none)
        while position < scalars.endIndex {
            let scalar = scalars[position]
            let next = scalars.index(after: position)
            let name = text[nameStart..<position]
            if scalar == "=" || scalar == ":", !name.isEmpty, SecretName.isSecret(String(name)) {
                let rest = scalars[next...]
                let secret =
                    scalar == "="
                    ? value(in: rest, isAttribute: tagStart != nil)
                    : SecretField(name, rest, isLine: nameStart == lineStart).secret ?? next..<next
                if !secret.isEmpty {
                    result += text[copied..<secret.lowerBound] + "<redacted>"
                    copied = secret.upperBound
                }
                (position, nameStart) = (secret.upperBound, secret.upperBound)
                continue
            }
            if scalar == "<" { tagStart = next }
            if scalar == ">", let start = tagStart.take(),
                let secret = SecretElement(text[start..<position], scalars[next...]).secret
            {
                result += text[copied..<secret.lowerBound] + "<redacted>"
                (copied, position, nameStart) = (secret.upperBound, secret.upperBound, secret.upperBound)
                continue
            }
            if scalar == "=" || endsName(scalar) { nameStart = next }
            if scalar.isNewline || scalar.properties.isWhitespace && position == lineStart { lineStart = next }
            position = next
        }
        return result + text[copied...]
    }

    /// The value of an item. Elsewhere than in a tag a quotation mark after the equals sign ends the text around it.
    private static func value(
        in rest: Substring.UnicodeScalarView, isAttribute: Bool
    ) -> Range<String.Index> {
        guard isAttribute, let mark = rest.first, mark == "\"" || mark == "'" else {
            return rest.startIndex..<endOfValue(in: rest, where: endsValue)
        }
        let content = rest.dropFirst()
        return content.startIndex..<max(content.startIndex, endOfValue(in: content) { $0 == mark })
    }

    /// The end of the value that starts here. The backslash before a quotation mark belongs to the mark: without it the
    /// text would mean something else.
    fileprivate static func endOfValue(
        in scalars: Substring.UnicodeScalarView, where ends: (Unicode.Scalar) -> Bool
    ) -> String.Index {
        guard let end = scalars.firstIndex(where: ends) else { return scalars.endIndex }
        guard scalars[end] == "\"" || scalars[end] == "'" else { return end }
        let afterLast = scalars[..<end].lastIndex { $0 != "\\" }.map { scalars.index(after: $0) }
        return afterLast ?? scalars.startIndex
    }

    private static func endsValue(_ scalar: Unicode.Scalar) -> Bool {
        scalar.properties.isWhitespace || "&\"'<>".unicodeScalars.contains(scalar)
    }

    private static func endsName(_ scalar: Unicode.Scalar) -> Bool {
        endsValue(scalar) || "?{}:,;".unicodeScalars.contains(scalar)
    }
}

/// A field such as `X-Api-Key: secret`, on a line of its own or in another text.
private struct SecretField {
    /// The part of the text that is secret; `nil` if there is none.
    let secret: Range<String.Index>?

    /// - Parameters:
    ///   - name: the name, which is that of a secret.
    ///   - rest: the text after the colon.
    ///   - isLine: whether the line begins with the name. Then the line is the value, whatever it contains.
    init(_ name: Substring, _ rest: Substring.UnicodeScalarView, isLine: Bool) {
        let rest = rest.drop { $0 == " " || $0 == "\t" }
        let end = SecretText.endOfValue(in: rest) { $0.isNewline || !isLine && "\"<>".unicodeScalars.contains($0) }
        let value = rest[..<max(end, rest.startIndex)]
        let isShown =
            if SecretName.key(name) == "code" {
                Self.isErrorCode(value)
            } else {
                // "Wrong password: try again" is no field.
                Self.isScheme(value) || !isLine && Self.isOfWords(value)
            }
        secret = isShown ? nil : value.startIndex..<value.endIndex
    }

    /// Whether it begins with the code of an error: with a number or a word.
    fileprivate static func isErrorCode(_ value: Substring.UnicodeScalarView) -> Bool {
        let code = value.prefix { !$0.properties.isWhitespace && !",;)]}".unicodeScalars.contains($0) }
        return isOfWords(code) || code.allSatisfy { ("0"..."9").contains($0) }
    }

    /// Whether it is the scheme of a credential that is redacted already.
    private static func isScheme(_ value: Substring.UnicodeScalarView) -> Bool {
        String(value).wholeMatch(of: #/(?i)(bearer|basic)\s+(<redacted>)?/#) != nil
    }

    private static func isOfWords(_ value: Substring.UnicodeScalarView) -> Bool {
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
        let value = content.prefix { $0 != (isSection ? "]" : "<") }
        let isShown =
            value.allSatisfy(\.properties.isWhitespace)
            || SecretName.key(localName) == "code" && SecretField.isErrorCode(value)
        secret = isShown ? nil : value.startIndex..<value.endIndex
    }
}

extension Unicode.Scalar {
    fileprivate var isNewline: Bool { Character(self).isNewline }
}
