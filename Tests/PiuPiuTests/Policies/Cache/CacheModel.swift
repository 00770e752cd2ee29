import Foundation

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// RFC 9111 for a private cache, as plainly as possible: no code of the product, no parsing, no variants.
struct CacheModel {
    enum Outcome: Equatable {
        case fresh, stale, staleAndRefresh, refuse
        case validate(fields: [String], isForRequest: Bool)
        case forward
    }

    let it: CacheCase

    private func has(_ flag: String) -> Bool { it.flags.contains(flag) }

    private func wants(_ flag: String) -> Bool { it.requestFlags.contains(flag) }

    /// `nil` unless it is a valid number.
    private func seconds(_ number: CacheCase.Number) -> Double? {
        if case .seconds(let seconds) = number { Double(seconds) } else { nil }
    }

    // MARK: Section 3

    var mayStore: Bool {
        // The request method is understood by the cache.
        guard it.method == "GET" || it.method == "HEAD" else { return false }
        // The status is final; 206 and 304 would have to be understood. This cache stores no parts, and no
        // rejections of credentials.
        guard it.status >= 200, ![206, 304, 401, 407].contains(it.status), !it.isPartial else { return false }
        // The answer to a conditional request serves others only if it is whole.
        if it.isConditional && it.status != 200 { return false }
        if wants("no-store") { return false }
        if has("must-understand") {
            // Section 5.2.2.3: no-store is for those that don't understand the status.
            guard isRegistered else { return false }
        } else if has("no-store") {
            return false
        }
        let isPrivate = it.flags.contains { $0.hasPrefix("private") }
        return has("public") || isPrivate || it.expires != .absent || it.maxAge != .absent || isHeuristic
    }

    private var isRegistered: Bool { ![299, 418, 499, 599].contains(it.status) }

    /// RFC 9110, section 15.1, except 206.
    private var isHeuristic: Bool {
        [200, 203, 204, 300, 301, 308, 404, 405, 410, 414, 501].contains(it.status)
    }

    // MARK: Section 4.2

    /// Without a valid `Date`, when the response arrived.
    private var date: Double { seconds(it.date) ?? 0 }

    var lifetime: Double {
        if it.maxAge != .absent { return seconds(it.maxAge) ?? 0 }
        if it.expires != .absent {
            guard let expires = seconds(it.expires) else { return 0 }
            return expires > date ? expires - date : 0
        }
        guard isHeuristic || has("public"), let lastModified = seconds(it.lastModified) else { return 0 }
        return date > lastModified ? (date - lastModified) / 10 : 0
    }

    var age: Double {
        let apparentAge = date < 0 ? -date : 0
        let correctedAgeValue = (seconds(it.age) ?? 0) + Double(it.delay)
        let correctedInitialAge = apparentAge > correctedAgeValue ? apparentAge : correctedAgeValue
        return correctedInitialAge + Double(it.elapsed)
    }

    // MARK: Sections 4, 4.2.4 and 5.2.1

    var outcome: Outcome {
        let isOffline = wants("only-if-cached") || it.policy == .returnCacheDataDontLoad
        var outcome = online
        // A HEAD is forwarded instead of validated.
        if it.method == "HEAD", case .validate = outcome { outcome = .forward }
        switch outcome {
        case .validate, .forward: return isOffline ? .refuse : outcome
        case .staleAndRefresh: return isOffline ? .stale : outcome
        case .fresh, .stale, .refuse: return outcome
        }
    }

    private var online: Outcome {
        guard it.method == "GET" || it.method == "HEAD" else { return .forward }
        if it.isPartial || it.isConditional || wants("no-store") { return .forward }
        if it.policy == .reloadIgnoringLocalCacheData { return .forward }
        if it.policy == .reloadIgnoringLocalAndRemoteCacheData { return .forward }
        let isStale = age >= lifetime
        if it.policy == .returnCacheDataElseLoad || it.policy == .returnCacheDataDontLoad {
            return isStale ? .stale : .fresh
        }
        if isRejectedByRequest { return .validate(fields: conditions, isForRequest: true) }
        if has("no-cache") { return .validate(fields: conditions, isForRequest: false) }
        if !isStale { return .fresh }
        if !has("must-revalidate") {
            if it.maxStale == .without { return .stale }
            if let most = seconds(it.maxStale), age - lifetime <= most { return .stale }
            if let most = seconds(it.whileRevalidating), age - lifetime <= most { return .staleAndRefresh }
        }
        return .validate(fields: conditions, isForRequest: false)
    }

    private var isRejectedByRequest: Bool {
        if wants("no-cache") || it.policy == .reloadRevalidatingCacheData { return true }
        if let most = seconds(it.requestMaxAge), age > most { return true }
        if let least = seconds(it.minFresh), lifetime - age < least { return true }
        return false
    }

    /// Section 4.3.1.
    private var conditions: [String] {
        (it.hasTag ? ["If-None-Match"] : []) + (it.lastModified == .absent ? [] : ["If-Modified-Since"])
    }

    // MARK: Section 4.2.4, and RFC 5861, section 4

    func mayServe(isDisconnected: Bool) -> Bool {
        if has("no-cache") || has("must-revalidate") || wants("no-cache") { return false }
        if it.policy == .reloadRevalidatingCacheData { return false }
        if let most = seconds(it.requestMaxAge), age > most { return false }
        if seconds(it.minFresh) != nil { return false }
        if isDisconnected { return true }
        let limits = [seconds(it.ifError), seconds(it.requestIfError)]
        return limits.contains { limit in limit.map { age - lifetime <= $0 } ?? false }
    }
}
