package import Foundation

extension URL {
    /// The text of the URL, redacted.
    package func text(redacting redaction: HeaderRedaction) -> String {
        URLText.redacted(url: absoluteString, by: redaction).escapingControlCharacters
    }
}

/// The secrets in the text of a URL: user and password, which become an `Authorization` header, parameters of the path,
/// and items of the query and the fragment.
package enum URLText {
    /// The value of a `Link` (RFC 8288, section 3), in which each URL has its secrets redacted: those between angle
    /// brackets, and parameters in quotation marks.
    static func redacted(
        references value: String, by redaction: HeaderRedaction, replacement: String, keepsPath: Bool
    ) -> String {
        func redacted(_ part: Substring) -> String {
            Self.redacted(String(part), by: redaction, replacement: replacement, keepsPath: keepsPath)
        }
        var text = ""
        var rest = value[...]
        while let end = rest.utf8.firstIndex(where: { "<>\"".utf8.contains($0) }) {
            let next = rest.utf8.index(after: end)
            text += redacted(rest[..<end]) + rest[end..<next]
            rest = rest[next...]
        }
        return text + redacted(rest)
    }

    /// The text with its secrets redacted. It needn't be a valid URL.
    ///
    /// - Parameter keepsPath: for a recording, whose replay finds a request by its path.
    package static func redacted(
        _ text: String, by redaction: HeaderRedaction, replacement: String = HeaderRedaction.replacement,
        keepsPath: Bool = false
    ) -> String {
        mappingItems(text) { address in
            keepsPath
                ? redactedAuthority(address, by: redaction, replacement: replacement)
                : redacted(address: address, by: redaction)
        } items: { items in
            redacted(items: items, by: redaction, replacement: replacement)
        }
    }

    /// The text of a whole URL with its secrets redacted, also those of one that lacks its scheme or a slash:
    /// `user:password@example.com/` has the scheme `user`, and `https:/user:password@example.com/` only a path.
    static func redacted(url text: String, by redaction: HeaderRedaction) -> String {
        guard redaction.redactsCredentials, let user = misreadUser(in: text) else {
            return redacted(text, by: redaction)
        }
        let rest = redacted(String(text[user.upperBound...]), by: redaction)
        return "\(text[..<user.lowerBound])\(HeaderRedaction.replacement)\(rest)"
    }

    /// The text of a whole URL without the user and the password that have become its scheme or a part of its path;
    /// `nil` if it has none.
    package static func withoutMisreadUser(_ text: String) -> String? {
        guard let user = misreadUser(in: text) else { return nil }
        // What follows may have a colon, which would make a scheme of the host.
        let start = user.lowerBound == text.startIndex ? "./" : text[..<user.lowerBound]
        return "\(start)\(text[user.upperBound...].dropFirst())"
    }

    /// The user and the password that have become the scheme or a part of the path; `nil` if there are none.
    private static func misreadUser(in text: String) -> Range<String.Index>? {
        let (scheme, rest) = text.cut(at: "#").0.cut(at: "?").0.cut(at: ":")
        guard let hierarchy = rest?.utf8, !scheme.utf8.contains(UInt8(ascii: "/")) else { return nil }
        let name = scheme.lowercased()
        guard !schemesOfAddresses.contains(name) else { return nil }
        let isWeb = ["http", "https"].contains(name), isCall = ["sip", "sips"].contains(name)
        let slashes = hierarchy.prefix { $0 == UInt8(ascii: "/") }.count
        // Three are right for a file.
        guard isWeb ? slashes != 2 : slashes < 2 else { return nil }
        let authority = Substring(hierarchy.dropFirst(slashes)).cut(at: "/").0
        guard let end = authority.utf8.lastIndex(of: UInt8(ascii: "@")) else { return nil }
        return (isWeb || isCall ? authority.startIndex : text.startIndex)..<end
    }

    /// Schemes after which an at sign is a part of an address, or of data, and follows no password. In a call it may.
    private static let schemesOfAddresses: Set<String> = ["acct", "data", "mailto", "xmpp"]

    /// The items of a query or a form, with the values of secrets replaced.
    ///
    /// - Parameters:
    ///   - decodesValues: whether a value may be a URL or JSON with a secret.
    ///   - isCut: whether more may have followed the last item. Its value may be a URL with user and password then, whose
    ///     at sign is missing.
    static func redacted(
        items: Substring, by redaction: HeaderRedaction, replacement: String = HeaderRedaction.replacement,
        decodesValues: Bool = true, isCut: Bool = false
    ) -> String {
        func redacted(_ item: Substring) -> String {
            Self.redacted(item: item, by: redaction, replacement: replacement, decodesValues: decodesValues)
        }
        let parts = items.utf8.split(separator: UInt8(ascii: "&"), omittingEmptySubsequences: false)
        var shown = parts.map { redacted(Substring($0)) }
        if isCut, let last = parts.last {
            let item = Substring("\(Substring(last))@"), shownItem = redacted(item)
            if shownItem != item { shown[shown.count - 1] = shownItem }
        }
        return shown.joined(separator: "&")
    }

    /// A URL that is a value is left out as a whole if it has user and password, or is encoded and has a secret, as is
    /// JSON that is encoded and has one.
    private static func redacted(
        item: Substring, by redaction: HeaderRedaction, replacement: String, decodesValues: Bool
    ) -> String {
        mappingValue(of: item) { name, value in
            redaction.redacts(item: name) || isURLWithSecret(value, by: redaction, isDecoded: decodesValues)
                ? replacement : nil
        }
    }

    /// Whether this value, or what follows its question marks, is a secret. The next part with an equals sign is an item
    /// of its own.
    private static func isURLWithSecret(_ value: Substring, by redaction: HeaderRedaction, isDecoded: Bool) -> Bool {
        var (part, rest) = value.cut(at: "?")
        if redacted(address: part, by: redaction) != part { return true }
        guard isDecoded else { return false }
        if isEncodedURLWithSecret(String(part), by: redaction) { return true }
        while let following = rest {
            (part, rest) = following.cut(at: "?")
            if part.utf8.contains(UInt8(ascii: "=")) { return false }
            // With the question mark it is a query.
            if isEncodedURLWithSecret("?" + part, by: redaction) { return true }
        }
        return false
    }

    /// An item with its value mapped, or that of an item in it: a question mark begins another one, that of a route in
    /// a fragment, such as `/callback?code=secret`, or of a URL that is a value. In a value that is mapped it is a part
    /// of it.
    private static func mappingValue(of item: Substring, _ change: (String, Substring) -> String?) -> String {
        for part in item.utf8.split(separator: UInt8(ascii: "?"), omittingEmptySubsequences: false) {
            let (name, value) = Substring(part).cut(at: "=")
            guard let start = value?.startIndex,
                let changed = change(name.removingPercentEncoding ?? String(name), item[start...])
            else { continue }
            return item[..<start] + changed
        }
        return String(item)
    }

    /// A URL or JSON that is a value is encoded, and a URL in it once more. No deeper than in practice, so that the
    /// time for a long text isn't quadratic.
    static func isEncodedURLWithSecret(_ value: String, by redaction: HeaderRedaction) -> Bool {
        var bytes = Array(value.utf8)
        for _ in 0..<3 {
            guard bytes.contains(UInt8(ascii: "%")) else { return false }
            bytes = PercentEncoding.decoded(bytes)
            let members = SecretMembers.redacted(bytes, keepsTypes: false) { redaction.redacts(name: $0, isNumber: $1) }
            if members != bytes { return true }
            let url = String(decoding: bytes, as: UTF8.self)
            let shown = mappingItems(url) { address in
                redacted(address: address, by: redaction)
            } items: { items in
                redacted(items: items, by: redaction, decodesValues: false)
            }
            if shown != url { return true }
        }
        return false
    }

    /// A URL with its address, and the items of its query and its fragment, mapped.
    package static func mappingItems(
        _ text: String, address change: (Substring) -> String = { String($0) }, items: (Substring) -> String
    ) -> String {
        let (beforeFragment, fragment) = text.cut(at: "#")
        let (address, query) = beforeFragment.cut(at: "?")
        return change(address) + (query.map { "?" + items($0) } ?? "") + (fragment.map { "#" + items($0) } ?? "")
    }

    /// Items with their values mapped, those that are redacted. The closure gets the name decoded, and the value
    /// unchanged; after `nil` the value stays. Items without a value stay.
    package static func mappingValues(_ items: Substring, _ change: (String, Substring) -> String?) -> String {
        items.utf8.split(separator: UInt8(ascii: "&"), omittingEmptySubsequences: false).map { item in
            mappingValue(of: Substring(item), change)
        }.joined(separator: "&")
    }

    /// The address without user and password, and with the values of secrets replaced in the parameters of its segments
    /// (RFC 3986, section 3.3), such as `;jsessionid=1`.
    private static func redacted(address: Substring, by redaction: HeaderRedaction) -> String {
        let address = redactedAuthority(address, by: redaction)
        guard address.utf8.contains(UInt8(ascii: ";")) else { return address }
        return address.utf8.split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false).map { segment in
            segment.split(separator: UInt8(ascii: ";"), omittingEmptySubsequences: false).map { parameter in
                let parameter = Substring(parameter), (name, value) = parameter.cut(at: "=")
                // The first one is the segment's name.
                guard value != nil, parameter.startIndex > segment.startIndex, redaction.redacts(item: name) else {
                    return String(parameter)
                }
                return name + "=" + HeaderRedaction.replacement
            }.joined(separator: ";")
        }.joined(separator: "/")
    }

    private static func redactedAuthority(
        _ address: Substring, by redaction: HeaderRedaction, replacement: String = HeaderRedaction.replacement
    ) -> String {
        guard redaction.redactsCredentials, let start = address.range(of: "//")?.upperBound else {
            return String(address)
        }
        let end = address[start...].utf8.firstIndex(of: UInt8(ascii: "/")) ?? address.endIndex
        guard let at = address[start..<end].utf8.lastIndex(of: UInt8(ascii: "@")) else { return String(address) }
        return address[..<start] + replacement + address[at...]
    }
}

extension StringProtocol where SubSequence == Substring {
    /// The text before the first separator of ASCII, and the text after it if there is one. By bytes: a separator with
    /// a combining mark after it is another `Character`.
    func cut(at separator: Unicode.Scalar) -> (Substring, Substring?) {
        guard let index = utf8.firstIndex(of: UInt8(ascii: separator)) else { return (self[...], nil) }
        return (self[..<index], self[utf8.index(after: index)...])
    }
}
