import Foundation
import PiuPiu

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// One stored response and one request, as numbers and flags, and in the words of HTTP.
struct CacheCase: Sendable, CustomStringConvertible {
    /// The value that follows a name, if present.
    enum Number: Sendable, Equatable {
        case absent, invalid, without
        case seconds(Int)
    }

    /// When the response arrives; all its times are seconds from then.
    static let arrival: TimeInterval = 1_800_000_000

    // The response.
    var status = 200
    var flags: Set<String> = []
    var maxAge = Number.absent
    var whileRevalidating = Number.absent
    var ifError = Number.absent
    var expires = Number.absent
    var date = Number.absent
    var lastModified = Number.absent
    var age = Number.absent
    var hasTag = false
    var delay = 0

    // The request.
    var method = "GET"
    var requestFlags: Set<String> = []
    var requestMaxAge = Number.absent
    var minFresh = Number.absent
    var maxStale = Number.absent
    var requestIfError = Number.absent
    var policy = URLRequest.CachePolicy.useProtocolCachePolicy
    var isPartial = false
    var isConditional = false
    /// How many seconds after the response the request comes.
    var elapsed = 0

    var description: String {
        let request = requestFields.map { "\($0): \($1)" }.joined(separator: " | ")
        let response = responseFields.map { "\($0): \($1)" }.joined(separator: " | ")
        return
            "\(method) [\(request)] policy \(policy.rawValue), \(elapsed) s after \(status) [\(response)] in \(delay) s"
    }

    var responseFields: [(name: String, value: String)] {
        let directives =
            flags.sorted() + Self.directive("max-age", maxAge)
            + Self.directive("stale-while-revalidate", whileRevalidating) + Self.directive("stale-if-error", ifError)
        return (directives.isEmpty ? [] : [("Cache-Control", directives.joined(separator: ", "))])
            + Self.dateField("Expires", expires) + Self.dateField("Date", date)
            + Self.dateField("Last-Modified", lastModified) + Self.ageField(age) + (hasTag ? [("ETag", "\"a\"")] : [])
    }

    var requestFields: [(name: String, value: String)] {
        let directives =
            requestFlags.sorted() + Self.directive("max-age", requestMaxAge) + Self.directive("min-fresh", minFresh)
            + Self.directive("max-stale", maxStale) + Self.directive("stale-if-error", requestIfError)
        return (directives.isEmpty ? [] : [("Cache-Control", directives.joined(separator: ", "))])
            + (isPartial ? [("Range", "bytes=0-1")] : []) + (isConditional ? [("If-None-Match", "\"b\"")] : [])
    }

    private static func directive(_ name: String, _ number: Number) -> [String] {
        switch number {
        case .absent: []
        case .invalid: ["\(name)=-1"]
        case .without: [name]
        case .seconds(let seconds): ["\(name)=\(seconds)"]
        }
    }

    private static func dateField(_ name: String, _ number: Number) -> [(name: String, value: String)] {
        switch number {
        case .absent: []
        case .invalid, .without: [(name, "0")]
        case .seconds(let offset): [(name, WallClock.text(arrival + TimeInterval(offset)))]
        }
    }

    private static func ageField(_ number: Number) -> [(name: String, value: String)] {
        switch number {
        case .absent: []
        case .invalid, .without: [("Age", "old")]
        case .seconds(let seconds): [("Age", "\(seconds)")]
        }
    }
}
