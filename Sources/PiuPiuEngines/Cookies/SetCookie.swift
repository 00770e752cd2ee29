package import Foundation

#if canImport(FoundationNetworking)
    package import FoundationNetworking
#endif

/// One line of the header field `Set-Cookie`, parsed (RFC 6265, section 5.2).
package struct SetCookie: Sendable, Equatable {
    package let name: String
    package let value: String
    package private(set) var sameSite: SameSite?
    private(set) var expires: Date?
    private(set) var domain: String?
    private(set) var path: String?
    private(set) var isSecure = false
    private(set) var isHTTPOnly = false

    /// Whether all requests from other sites leave the cookie out, or not those that follow a link; in Apple's words.
    package enum SameSite: String, Sendable {
        case strict, lax
    }

    /// How many bytes the name and the value may have together (RFC 6265, section 6.1).
    private static let limit = 4096
    /// How many bytes the value of an attribute may have (RFC 6265bis, section 5.6): a longer one is ignored.
    private static let attributeLimit = 1024

    /// Reads a line; `nil` if it names no cookie, or a larger one than browsers take, or has control characters, with
    /// which the cookie couldn't be sent.
    ///
    /// - Parameter line: the value of the header field.
    package init?(_ line: String) {
        guard line.isFieldValue else { return nil }
        var parts = line.parts(separatedBy: ";")[...]
        guard let pair = parts.popFirst(), let (name, value) = Self.split(pair), let value, !name.isEmpty,
            name.utf8.count + value.utf8.count <= Self.limit
        else { return nil }
        self.name = name
        self.value = value
        var maximumAge: Date?
        for (name, value) in parts.compactMap(Self.split) {
            let value = value ?? ""
            if value.utf8.count > Self.attributeLimit { continue }
            switch name.lowercased() {
            case "expires": expires = CookieDate.date(of: value) ?? expires
            case "max-age": maximumAge = Self.date(after: value) ?? maximumAge
            case "domain":
                let name = (value.hasPrefix(".") ? String(value.dropFirst()) : value).lowercased()
                if !name.isEmpty { domain = name }
            case "path": path = value.hasPrefix("/") ? value : nil
            case "secure": isSecure = true
            case "httponly": isHTTPOnly = true
            case "samesite": sameSite = SameSite(rawValue: value.lowercased())
            default: break
            }
        }
        // `Max-Age` wins over `Expires`.
        expires = maximumAge ?? expires
    }

    /// The separate lines of a value in which commas join them; a date also contains a comma.
    package static func lines(in joined: String) -> [String] {
        var lines: [String] = []
        for part in joined.parts(separatedBy: ",") {
            // A cookie begins with a name and an equals sign.
            let beginning = part.utf8.prefix { $0 != UInt8(ascii: ";") && $0 != UInt8(ascii: "=") }
            let isNew =
                beginning.endIndex < part.endIndex && part.utf8[beginning.endIndex] == UInt8(ascii: "=")
                && !Substring(beginning).trimmingCharacters(in: .whitespaces).contains(" ")
            if isNew || lines.isEmpty { lines.append(String(part)) } else { lines[lines.count - 1] += "," + part }
        }
        return lines
    }

    /// The cookie, if the server of `url` may set it: not for other hosts or addresses, or for a whole top-level
    /// domain; no secure one without TLS; and none whose name promises what isn't so.
    package func cookie(from url: URL) -> HTTPCookie? {
        guard let host = url.host(percentEncoded: false)?.lowercased(), keepsPromises,
            !isSecure || url.isSecure
        else { return nil }
        var properties: [HTTPCookiePropertyKey: Any] = [
            .name: name, .value: value, .path: path ?? Self.defaultPath(of: url), .domain: host,
        ]
        if let domain {
            // A dot at the end begins no other label.
            let isTopLevel = !domain.dropLast(domain.hasSuffix(".") ? 1 : 0).contains(".")
            guard domain == host || !isTopLevel && Self.host(host, isIn: domain) else { return nil }
            if !isTopLevel, !Self.isAddress(host) { properties[.domain] = "." + domain }
        }
        properties[.secure] = isSecure ? "TRUE" : nil
        properties[HTTPCookiePropertyKey(rawValue: "HttpOnly")] = isHTTPOnly ? "TRUE" : nil
        // Apple's `sameSitePolicy`. On Linux a cookie has no such property.
        properties[HTTPCookiePropertyKey(rawValue: "SameSite")] = sameSite?.rawValue
        properties[.expires] = expires
        return HTTPCookie(properties: properties)
    }

    /// Whether it is what the prefix of its name promises (RFC 6265bis, section 4.1.3).
    private var keepsPromises: Bool {
        let name = name.lowercased()
        if name.hasPrefix("__host-") { return isSecure && domain == nil && path == "/" }
        return isSecure || !name.hasPrefix("__secure-")
    }

    /// Whether a host name is below a domain; an address never is (RFC 6265, section 5.1.3).
    static func host(_ host: String, isIn domain: String) -> Bool {
        host.hasSuffix("." + domain) && !isAddress(host)
    }

    static func isAddress(_ host: String) -> Bool {
        host.contains(":") || host.allSatisfy { $0 == "." || $0.isASCII && $0.isNumber }
    }

    /// The folder of a URL's path (RFC 6265, section 5.1.4).
    private static func defaultPath(of url: URL) -> String {
        let path = url.path(percentEncoded: true)
        guard path.hasPrefix("/"), let last = path.lastIndex(of: "/"), last > path.startIndex else { return "/" }
        return String(path[..<last])
    }

    /// A name and the value behind its equals sign, without the white space around them.
    private static func split(_ text: Substring) -> (name: String, value: String?)? {
        let parts = text.parts(separatedBy: "=", maxSplits: 1)
        guard let name = parts.first else { return nil }
        return (
            name.trimmingCharacters(in: .whitespaces),
            parts.count > 1 ? parts[1].trimmingCharacters(in: .whitespaces) : nil
        )
    }

    /// The date after this many seconds; long ago for zero or less, `nil` if the text is no number.
    private static func date(after text: String) -> Date? {
        guard text.wholeMatch(of: /-?[0-9]+/) != nil, let seconds = TimeInterval(text) else { return nil }
        return seconds > 0 ? Date(timeIntervalSinceNow: min(seconds, 1e9)) : .distantPast
    }
}

extension StringProtocol {
    /// The parts between separators of ASCII. By bytes, as in RFC 6265: beside some characters a separator becomes part
    /// of another `Character`.
    fileprivate func parts(separatedBy separator: Unicode.Scalar, maxSplits: Int = .max) -> [Substring] {
        Substring(self).utf8
            .split(separator: UInt8(ascii: separator), maxSplits: maxSplits, omittingEmptySubsequences: false)
            .map { Substring($0) }
    }
}
