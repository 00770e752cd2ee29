import Foundation

/// How long a response is fresh (rule LIFETIME; RFC 9111, section 4.2.1).
enum Freshness {
    /// How many seconds a response is fresh from its creation; 0 for one that never is.
    ///
    /// - Parameters:
    ///   - expires: the first field of that name. An invalid date, such as "0", counts as past.
    ///   - date: when the response was created, in seconds since 1970.
    ///   - now: the present, to interpret a two-digit year.
    static func lifetime(
        status: Int, directives: CacheDirectives, expires: String?, date: TimeInterval, lastModified: TimeInterval?,
        now: TimeInterval
    ) -> TimeInterval {
        switch directives.seconds("max-age") {
        case .seconds(let seconds): return TimeInterval(seconds)
        case .invalid: return 0
        case .absent: break
        }
        if let expires {
            let text = expires.trimmingCharacters(in: .whitespaces)
            return HTTPDate(anyForm: text, now: now).map { max(0, $0.seconds - date) } ?? 0
        }
        guard let lastModified, isHeuristic(status) || directives.contains("public") else { return 0 }
        return max(0, date - lastModified) / 10
    }

    /// Whether a status is heuristically cacheable (RFC 9110, section 15.1).
    static func isHeuristic(_ status: Int) -> Bool {
        [200, 203, 204, 300, 301, 308, 404, 405, 410, 414, 501].contains(status)
    }

    /// Whether this cache understands a status: those of the IANA registry.
    static func isUnderstood(_ status: Int) -> Bool {
        switch status {
        case 200...208, 226, 300...305, 307, 308, 400...417, 421...426, 428, 429, 431, 451, 500...508, 510, 511: true
        default: false
        }
    }
}
