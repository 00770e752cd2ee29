package import Foundation

// These read the text of a URL: an exchange asks several times, and Foundation takes longer to find the parts.

extension URL {
    /// Whether the text begins with "http://" or "https://", in lower case, as nearly always.
    package var isPlainlyWeb: Bool { lengthOfWebScheme != nil }

    /// Whether the text begins with "https:", in any case.
    package var isSecure: Bool {
        if let length = lengthOfWebScheme { return length == 8 }
        let text = absoluteString.utf8, scheme = "https:".utf8
        return text.count >= scheme.count && zip(text, scheme).allSatisfy { $0.loweredASCII == $1 }
    }

    /// Whether there is a ``plainOrigin``.
    package var hasPlainOrigin: Bool { plainOriginParts != nil }

    /// Scheme, host and port of the usual URLs: without a user, and with a host of lower-case letters, digits, dots and
    /// single hyphens. `nil` for any other URL.
    package var plainOrigin: String? {
        guard let (length, hasPort, isSecure) = plainOriginParts else { return nil }
        let origin = String(absoluteString.utf8.prefix(length))
        return hasPort ? origin : origin.map { $0 + (isSecure ? ":443" : ":80") }
    }

    private var plainOriginParts: (length: Int, hasPort: Bool, isSecure: Bool)? {
        absoluteString.utf8.withContiguousStorageIfAvailable { text in
            guard let start = Self.webScheme(of: text) else { return nil }
            var end = start
            var digits: Int?
            loop: while end < text.count {
                switch text[end] {
                case UInt8(ascii: "/"), UInt8(ascii: "?"), UInt8(ascii: "#"): break loop
                case UInt8(ascii: "0") where digits == 0: return nil
                case UInt8(ascii: "0")...UInt8(ascii: "9"): digits = digits.map { $0 + 1 }
                case UInt8(ascii: ":") where digits == nil && end > start: digits = 0
                // The Punycode of an international name, which Foundation's parts have in another form.
                case UInt8(ascii: "-") where end > start && text[end - 1] == UInt8(ascii: "-"): return nil
                case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "."), UInt8(ascii: "-"):
                    guard digits == nil else { return nil }
                default: return nil
                }
                end += 1
            }
            guard end > start, digits.map({ (1...5).contains($0) }) ?? true else { return nil }
            return (end, digits != nil, start == 8)
        } ?? nil
    }

    private var lengthOfWebScheme: Int? {
        absoluteString.utf8.withContiguousStorageIfAvailable { Self.webScheme(of: $0) } ?? nil
    }

    // Sound: the buffer is used only within the call that passes it, and each index is below its count.

    /// The length of "http://" or "https://" at the start of a text.
    private static func webScheme(of text: UnsafeBufferPointer<UInt8>) -> Int? {
        guard text.count >= 7, text[0] == UInt8(ascii: "h"), text[1] == UInt8(ascii: "t"), text[2] == UInt8(ascii: "t"),
            text[3] == UInt8(ascii: "p")
        else { return nil }
        let length = text[4] == UInt8(ascii: "s") ? 8 : 7
        guard text.count >= length else { return nil }
        let hasSlashes = text[length - 2] == UInt8(ascii: "/") && text[length - 1] == UInt8(ascii: "/")
        return text[length - 3] == UInt8(ascii: ":") && hasSlashes ? length : nil
    }
}
