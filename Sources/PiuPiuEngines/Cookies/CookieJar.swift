import Foundation

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// The cookies of a configuration, sent and stored by RFC 6265.
///
/// They are in the configuration's storage. Foundation's own handling differs from the RFC. On Linux it also reads
/// several lines as one, and ignores the path, the scheme and the age of a cookie.
struct CookieJar: Sendable {
    /// How many cookies a domain may have, as in browsers (RFC 6265, section 6.1): otherwise a server could fill the
    /// storage, which each request searches.
    private static let limitPerDomain = 180
    /// How many cookies of servers there may be in all: one server can have any number of domains.
    private static let limit = 3_000

    private let storage: HTTPCookieStorage
    private let sends: Bool
    private let keeps: Bool
    /// The order in which cookies were first set here, which the storage doesn't have.
    private let order = Locked(Order())

    private struct Order {
        private var numbers: [Key: Int] = [:]
        private var last = 0
        /// At how many cookies those are dropped that are in the storage no longer.
        private var limit = 128
        /// How many cookies a domain has in the storage, or had some time ago, and those that were set here since.
        private var counts: [String: Int] = [:]

        func number(of cookie: HTTPCookie) -> Int { numbers[Key(cookie)] ?? -1 }

        mutating func remove(_ key: Key) { numbers[key] = nil }

        /// Adds cookies that are in the storage now. Returns those that are too many, to be removed.
        ///
        /// - Parameter sparesSecure: whether no secure ones are among them: without TLS anybody on the way can have set
        ///   the new ones.
        mutating func add(_ keys: [Key], to storage: HTTPCookieStorage, sparesSecure: Bool) -> [HTTPCookie] {
            var added: [String: Int] = [:]
            for key in keys where numbers[key] == nil {
                last += 1
                numbers[key] = last
                added[key.owner, default: 0] += 1
            }
            if !added.isEmpty, numbers.count > limit {
                let stored = Set((storage.cookies ?? []).map { Key($0) })
                numbers = numbers.filter { stored.contains($0.key) }
                limit = max(128, 2 * numbers.count)
                counts = [:]
            }
            // Domains whose cookies are gone stay in it.
            if counts.count > max(1_000, 2 * numbers.count) { counts = [:] }
            return added.flatMap { surplus(of: $0.key, with: $0.value, in: storage, sparesSecure: sparesSecure) }
                + surplus(in: storage, sparesSecure: sparesSecure)
        }

        /// The cookies of all domains that are too many, and a tenth more, so that the next are added quickly.
        private mutating func surplus(in storage: HTTPCookieStorage, sparesSecure: Bool) -> [HTTPCookie] {
            guard numbers.count > CookieJar.limit else { return [] }
            let cookies = (storage.cookies ?? []).filter { numbers[Key($0)] != nil }
            let kept = Set(cookies.map { Key($0) })
            numbers = numbers.filter { kept.contains($0.key) }
            guard cookies.count > CookieJar.limit else { return [] }
            counts = [:]
            return remove(
                cookies.count - CookieJar.limit * 9 / 10, of: inTurnBySite(cookies, sparesSecure: sparesSecure))
        }

        /// The cookies of a domain that are too many after this many more.
        private mutating func surplus(
            of owner: String, with added: Int, in storage: HTTPCookieStorage, sparesSecure: Bool
        ) -> [HTTPCookie] {
            // Looks into the storage only for a domain that is new here, or may have too many.
            if let count = counts[owner], count + added <= CookieJar.limitPerDomain {
                counts[owner] = count + added
                return []
            }
            let cookies = (storage.cookies ?? []).filter { Key($0).owner == owner }
            let surplus = cookies.count - CookieJar.limitPerDomain
            let inTurn = inTurn(cookies).filter { !sparesSecure || !$0.isSecure }
            let removed = surplus > 0 ? remove(surplus, of: inTurn) : []
            counts[owner] = cookies.count - removed.count
            return removed
        }

        /// Cookies in the order in which they are removed: expired ones first, then those that aren't secure, and of
        /// each kind the oldest (RFC 6265bis, section 5.7).
        ///
        /// The time of the last use doesn't count: each request would have to record it.
        private func inTurn(_ cookies: [HTTPCookie]) -> [HTTPCookie] {
            let now = Date()
            return cookies.map { ($0, ($0.isExpired(at: now) ? 0 : $0.isSecure ? 2 : 1, number(of: $0))) }
                .sorted { $0.1 < $1.1 }.map(\.0)
        }

        /// Cookies in the order in which they are removed, from the sites with the most of them first: otherwise one
        /// site could remove those of all others.
        ///
        /// - Parameter sparesSecure: whether a site keeps secure ones, as many as a domain may have: with more of them,
        ///   which only itself can have set, those of others would be removed in their place.
        private func inTurnBySite(_ cookies: [HTTPCookie], sparesSecure: Bool) -> [HTTPCookie] {
            var counts: [String: Int] = [:]
            // Each with its place in its site, from the last one to be removed.
            let lastFirst = inTurn(cookies).reversed().map { cookie in
                let site = Key(cookie).site, count = counts[site, default: 0] + 1
                counts[site] = count
                return (cookie, count)
            }
            return lastFirst.filter { !sparesSecure || !$0.0.isSecure || $0.1 > CookieJar.limitPerDomain }.enumerated()
                .sorted { ($0.element.1, $0.offset) > ($1.element.1, $1.offset) }.map(\.element.0)
        }

        /// Removes the first of these cookies.
        private mutating func remove(_ count: Int, of cookies: [HTTPCookie]) -> [HTTPCookie] {
            let first = Array(cookies.prefix(count))
            for cookie in first { remove(Key(cookie)) }
            return first
        }
    }

    private struct Key: Hashable {
        let name: String, domain: String, path: String

        init(_ cookie: HTTPCookie) {
            (name, domain, path) = (cookie.name, cookie.domain, cookie.path)
        }

        /// The domain, whether the cookie is also for those below it or not.
        var owner: String { domain.withoutDot }

        /// The last two labels of the domain, as a site can have any number of domains; an address is one of its own.
        var site: String {
            let owner = owner
            return SetCookie.isAddress(owner) ? owner : owner.split(separator: ".").suffix(2).joined(separator: ".")
        }

        /// How FoundationNetworking names a cookie in its storage.
        var nameInStorage: String { domain + path + name }
    }

    /// The jar of a configuration; `nil` if it has no storage, or neither sends nor stores cookies.
    init?(_ configuration: URLSessionConfiguration) {
        guard let storage = configuration.httpCookieStorage else { return nil }
        self.storage = storage
        sends = configuration.httpShouldSetCookies
        keeps = configuration.httpCookieAcceptPolicy != .never
        if !sends, !keeps { return nil }
    }

    /// The header `Cookie` of a request, with the cookies for its URL; `nil` if it stays as it is. A cookie in the
    /// request wins over one of the same name.
    func header(for request: URLRequest) -> String? {
        guard sends, request.httpShouldHandleCookies, let all = storage.cookies, !all.isEmpty, let url = request.url
        else { return nil }
        let own = request.value(forHTTPHeaderField: "Cookie")
        let ownNames = Set(own.map(Self.names) ?? [])
        let cookies = inOrder(all.filter { $0.belongs(to: url) && !ownNames.contains($0.name) })
            .map { "\($0.name)=\($0.value)" }
            // A control character, which only the app itself can have put there, would cost the request all of them.
            .filter(\.isFieldValue)
        guard !cookies.isEmpty else { return nil }
        let pairs = (own.map { [$0] } ?? []) + cookies
        return pairs.joined(separator: "; ")
    }

    /// Stores the cookies that a response sets.
    func keepCookies(of head: TransferHead, to request: URLRequest) {
        // Most responses have no such field, and the questions to a request take longer.
        guard keeps, head.setsCookies, case let lines = head.cookieLines, !lines.isEmpty,
            request.httpShouldHandleCookies, let url = head.source(for: request)
        else { return }
        var cookies = Self.effective(lines.compactMap { SetCookie($0)?.cookie(from: url) })
        guard !cookies.isEmpty else { return }
        let stored = storage.cookies ?? [], now = Date()
        let isPlain = url.scheme?.lowercased() != "https"
        if isPlain {
            let secure = stored.filter(\.isSecure)
            cookies.removeAll { cookie in secure.contains { $0.isProtected(from: cookie) } }
        }
        let expired = Set(cookies.filter { $0.isExpired(at: now) }.map { Key($0) })
        for old in stored where expired.contains(Key(old)) { storage.deleteCookie(old) }
        cookies.removeAll { expired.contains(Key($0)) }
        cookies = Self.replacingOnlyThemselves(cookies, among: stored.filter { !expired.contains(Key($0)) }, at: now)
        // At once, as a storage may write all of its cookies to a file each time.
        if !cookies.isEmpty { storage.setCookies(cookies, for: url, mainDocumentURL: request.mainDocumentURL) }
        let surplus = order.withLock { order in
            for key in expired { order.remove(key) }
            return order.add(cookies.map { Key($0) }, to: storage, sparesSecure: isPlain)
        }
        for old in surplus { storage.deleteCookie(old) }
    }

    /// The cookies that a response leaves behind: of those with the same name the last one, in the place of the first,
    /// and of each domain the last ones.
    private static func effective(_ cookies: [HTTPCookie]) -> [HTTPCookie] {
        var places: [Key: Int] = [:], distinct: [HTTPCookie] = []
        for cookie in cookies {
            let key = Key(cookie)
            if let place = places[key] {
                distinct[place] = cookie
            } else {
                places[key] = distinct.count
                distinct.append(cookie)
            }
        }
        var counts: [String: Int] = [:]
        return distinct.reversed().filter { cookie in
            let owner = Key(cookie).owner, count = counts[owner, default: 0] + 1
            counts[owner] = count
            return count <= limitPerDomain
        }
        .reversed()
    }

    /// Without those that would replace cookies of another name and path: on Linux the storage mistakes `/a` and `bc` for
    /// `/` and `abc`. Otherwise a response without TLS could replace a secure cookie.
    private static func replacingOnlyThemselves(
        _ cookies: [HTTPCookie], among stored: [HTTPCookie], at now: Date
    ) -> [HTTPCookie] {
        #if canImport(FoundationNetworking)
            var known: [String: Key] = [:]
            for cookie in stored where !cookie.isExpired(at: now) {
                known[Key(cookie).nameInStorage] = Key(cookie)
            }
            return cookies.filter { cookie in
                let key = Key(cookie), place = key.nameInStorage
                guard let other = known[place] else {
                    known[place] = key
                    return true
                }
                return other == key
            }
        #else
            return cookies
        #endif
    }

    /// Cookies with longer paths first, then earlier ones first (RFC 6265, section 5.4).
    private func inOrder(_ cookies: [HTTPCookie]) -> [HTTPCookie] {
        guard cookies.count > 1 else { return cookies }
        let order = order.withLock { $0 }
        return cookies.map { ($0, order.number(of: $0)) }
            .sorted { ($1.0.path.utf8.count, $0.1) < ($0.0.path.utf8.count, $1.1) }.map(\.0)
    }

    /// The names in a `Cookie` header.
    private static func names(in header: String) -> [String] {
        header.split(separator: ";").compactMap { pair in
            pair.split(separator: "=", maxSplits: 1).first?.trimmingCharacters(in: .whitespaces)
        }
    }
}

extension TransferHead {
    /// The URL that has answered a request: its own, unless the engine has asked the same host over TLS instead, as
    /// `URLSession` on Apple platforms does by itself for a host with a strict transport security (RFC 6797).
    fileprivate func source(for request: URLRequest) -> URL? {
        guard let url, url.isSecure, let asked = request.url,
            url.host(percentEncoded: false)?.lowercased() == asked.host(percentEncoded: false)?.lowercased()
        else { return request.url }
        return url
    }
}

extension HTTPCookie {
    /// Whether this secure cookie keeps a response without TLS from setting `other`, which would replace it, or be sent
    /// with it to a server that can't tell them apart (RFC 6265bis, section 5.7).
    fileprivate func isProtected(from other: HTTPCookie) -> Bool {
        guard name == other.name else { return false }
        let (own, others) = (domain.withoutDot, other.domain.withoutDot)
        return (own == others || SetCookie.host(own, isIn: others) || SetCookie.host(others, isIn: own))
            && Self.path(other.path, isIn: path)
    }

    fileprivate func isExpired(at now: Date) -> Bool { expiresDate.map { $0 <= now } ?? false }

    private static func path(_ path: String, isIn folder: String) -> Bool {
        folder == "/" || path == folder || path.hasPrefix(folder.hasSuffix("/") ? folder : folder + "/")
    }

    /// Whether the cookie may be sent with a request to `url` (RFC 6265, section 5.4).
    fileprivate func belongs(to url: URL) -> Bool {
        if isSecure, !url.isSecure { return false }
        if let expiresDate, expiresDate <= Date() { return false }
        guard let host = url.host(percentEncoded: false)?.lowercased() else { return false }
        let owner = domain.withoutDot
        guard host == owner || domain.hasPrefix(".") && SetCookie.host(host, isIn: owner) else { return false }
        return Self.path(url.path(percentEncoded: true), isIn: path)
    }
}

extension String {
    /// The domain of a cookie without the dot that stands for those below it.
    fileprivate var withoutDot: String { (hasPrefix(".") ? String(dropFirst()) : self).lowercased() }
}
