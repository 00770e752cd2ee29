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
                HTTPCookie.cookies(withResponseHeaderFields: ["Set-Cookie": cookies], for: url)
                    .map { $0.expiringByItsAge() },
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

        /// This cookie with the date that its `Max-Age` means, which wins over its `Expires`; zero deletes it.
        fileprivate func expiringByItsAge() -> HTTPCookie {
            guard var properties, let age = (properties[.maximumAge] as? String).flatMap({ TimeInterval($0) }) else {
                return self
            }
            properties[.maximumAge] = nil
            properties[.expires] = Date(timeIntervalSinceNow: age > 0 ? min(age, 1e9) : -1)
            return HTTPCookie(properties: properties) ?? self
        }
    }
#endif
