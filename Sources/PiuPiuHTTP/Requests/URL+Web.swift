package import Foundation

// These read the text of a URL: an exchange asks several times, and Foundation takes longer to find the parts.

extension URL {
    /// Whether the text begins with "http://" or "https://", in lower case, as nearly always.
    package var isPlainlyWeb: Bool { lengthOfWebScheme != nil }

    /// Whether the text begins with "https:", in any case.
    package var isSecure: Bool {
        let text = absoluteString.utf8, scheme = "https:".utf8
        return text.count >= scheme.count && zip(text, scheme).allSatisfy { $0.loweredASCII == $1 }
    }

    /// Whether there is a ``plainOrigin``.
    package var hasPlainOrigin: Bool { endOfPlainOrigin != nil }

    /// Scheme, host and port of the usual URLs: without a user, and with a host of lower-case letters, digits, dots and
    /// single hyphens. `nil` for any other URL.
    package var plainOrigin: String? {
        guard let (end, hasPort) = endOfPlainOrigin else { return nil }
        let origin = String(absoluteString[..<end])
        return hasPort ? origin : origin + (isSecure ? ":443" : ":80")
    }

    private var endOfPlainOrigin: (String.Index, hasPort: Bool)? {
        guard let length = lengthOfWebScheme else { return nil }
        let text = absoluteString.utf8
        let start = text.index(text.startIndex, offsetBy: length)
        var end = start
        var digits: Int?
        loop: while end < text.endIndex {
            switch text[end] {
            case UInt8(ascii: "/"), UInt8(ascii: "?"), UInt8(ascii: "#"): break loop
            case UInt8(ascii: "0") where digits == 0: return nil
            case UInt8(ascii: "0")...UInt8(ascii: "9"): digits = digits.map { $0 + 1 }
            case UInt8(ascii: ":") where digits == nil && end > start: digits = 0
            // The Punycode of an international name, which Foundation's parts have in another form.
            case UInt8(ascii: "-") where end > start && text[text.index(before: end)] == UInt8(ascii: "-"): return nil
            case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "."), UInt8(ascii: "-"):
                guard digits == nil else { return nil }
            default: return nil
            }
            end = text.index(after: end)
        }
        guard let digits else { return end > start ? (end, false) : nil }
        return (1...5).contains(digits) ? (end, true) : nil
    }

    private var lengthOfWebScheme: Int? {
        let text = absoluteString.utf8
        if text.starts(with: "https://".utf8) { return 8 }
        return text.starts(with: "http://".utf8) ? 7 : nil
    }
}
