#if !canImport(Darwin)
    import Foundation
    import FoundationNetworking

    /// The cookies of a configuration, sent and kept by the engine itself.
    ///
    /// FoundationNetworking loses either its own or the caller's where a request has a `Cookie` header already, and looks
    /// at the domain of a cookie alone.
    struct CookieJar: Sendable {
        private let storage: HTTPCookieStorage?
        private let sends: Bool
        private let keeps: Bool

        /// Takes the cookies over from a configuration, whose sessions then have none.
        init(takingOver configuration: URLSessionConfiguration) {
            storage = configuration.httpCookieStorage
            sends = configuration.httpShouldSetCookies
            keeps = configuration.httpCookieAcceptPolicy != .never
            configuration.httpCookieStorage = nil
            configuration.httpShouldSetCookies = false
            configuration.httpCookieAcceptPolicy = .never
        }

        /// Adds the cookies for the request's URL; one that the request has itself wins over one of the same name.
        func addCookies(to request: inout URLRequest) {
            guard sends, request.httpShouldHandleCookies, let url = request.url,
                let cookies = storage?.cookies(for: url)?.filter({ $0.belongs(to: url) }),
                !cookies.isEmpty
            else { return }
            let own = request.value(forHTTPHeaderField: "Cookie")
            let ownNames = Set(own.map(Self.names) ?? [])
            let added = cookies.filter { !ownNames.contains($0.name) }.map { "\($0.name)=\($0.value)" }
            guard !added.isEmpty else { return }
            request.setValue(((own.map { [$0] } ?? []) + added).joined(separator: "; "), forHTTPHeaderField: "Cookie")
        }

        /// Keeps the cookies that a response sets.
        func keepCookies(of response: URLResponse, to request: URLRequest) {
            guard keeps, let storage, request.httpShouldHandleCookies, let url = request.url,
                let http = response as? HTTPURLResponse,
                let cookies = http.value(forHTTPHeaderField: "Set-Cookie")
            else { return }
            storage.setCookies(
                HTTPCookie.cookies(withResponseHeaderFields: ["Set-Cookie": cookies.standingInForNonASCII], for: url)
                    .filter { $0.mayBeSet(by: url) }.map { $0.asReceived() },
                for: url, mainDocumentURL: request.mainDocumentURL)
        }

        /// The names in a `Cookie` header.
        private static func names(in header: String) -> [String] {
            header.split(separator: ";").compactMap { pair in
                pair.split(separator: "=", maxSplits: 1).first?.trimmingCharacters(in: .whitespaces)
            }
        }
    }

    /// What RFC 6265 asks for and FoundationNetworking, which looks at the domain alone, leaves out.
    extension HTTPCookie {
        /// Whether the cookie may be sent with a request to `url`, as far as its scheme, its path and its age go.
        fileprivate func belongs(to url: URL) -> Bool {
            if isSecure, url.scheme?.lowercased() != "https" { return false }
            if let expiresDate, expiresDate <= Date() { return false }
            let target = url.path(percentEncoded: true)
            return path == "/" || target == path || target.hasPrefix(path.hasSuffix("/") ? path : path + "/")
        }

        /// Whether the server of `url` may set the cookie for the cookie's domain: not for a whole top-level domain, nor for
        /// other addresses.
        fileprivate func mayBeSet(by url: URL) -> Bool {
            let ownDomain = domain.hasPrefix(".") ? String(domain.dropFirst()) : domain
            if ownDomain == url.host(percentEncoded: false)?.lowercased() { return true }
            return ownDomain.contains(".") && !ownDomain.allSatisfy { $0.isNumber || $0 == "." }
        }

        /// The cookie as the server sent it: without stand-ins, and with the date that its `Max-Age` means, which wins
        /// over its `Expires`; one that isn't positive deletes it.
        ///
        /// It is made of what RFC 6265 knows, in the form that the initializer reads: `properties` have booleans, which it
        /// ignores.
        fileprivate func asReceived() -> HTTPCookie {
            var received: [HTTPCookiePropertyKey: Any] = [
                .name: name.withoutStandIns, .value: value.withoutStandIns, .path: path.withoutStandIns,
                .domain: domain,
            ]
            received[.secure] = isSecure ? "TRUE" : nil
            received[HTTPCookiePropertyKey(rawValue: "HttpOnly")] = isHTTPOnly ? "TRUE" : nil
            received[.expires] = ageLimit ?? properties?[.expires]
            return HTTPCookie(properties: received) ?? self
        }

        /// When the cookie expires by its `Max-Age`, where that is a number of seconds.
        private var ageLimit: Date? {
            guard let text = properties?[.maximumAge] as? String, text.wholeMatch(of: /-?[0-9]+/) != nil,
                let seconds = TimeInterval(text)
            else { return nil }
            return Date(timeIntervalSinceNow: seconds > 0 ? min(seconds, 1e9) : -1)
        }
    }

    /// Private characters that stand in for the bytes beyond ASCII while FoundationNetworking parses a header: it ends the
    /// process where a character has several UTF-16 units, such as an emoji, before an empty value or in a date.
    extension String {
        private static let standIns: ClosedRange<UInt32> = 0xE080...0xE0FF

        /// The text with a character of one unit for each byte beyond ASCII.
        fileprivate var standingInForNonASCII: String {
            String(decoding: utf8.map { $0 < 0x80 ? UInt32($0) : 0xE000 + UInt32($0) }, as: UTF32.self)
        }

        /// The text that they stood in for.
        fileprivate var withoutStandIns: String {
            let bytes = unicodeScalars.flatMap {
                Self.standIns.contains($0.value) ? [UInt8(truncatingIfNeeded: $0.value)] : Array($0.utf8)
            }
            return String(decoding: bytes, as: UTF8.self)
        }
    }
#endif
