package import Foundation

/// A stored response: an immutable value, which a newer one replaces.
package final class StoredResponse: Sendable {
    /// Where the body is.
    package enum Body: Sendable {
        case data(Data)
        case file(StoredFile)

        package var count: Int64 {
            switch self {
            case .data(let data): Int64(data.count)
            case .file(let file): file.bodyLength
            }
        }

        /// Whether both are in the same file.
        func isSameFile(as other: Body) -> Bool {
            if case .file(let file) = self, case .file(let other) = other { file.id == other.id } else { false }
        }
    }

    package let key: CacheKey
    package let variant: CacheVariant
    package let status: Int
    package let version: String
    /// The header fields, without those of one hop and without `Age`.
    package let lines: HeadLines
    /// The value of the field `Age`.
    package let ageField: Int
    /// When the request was sent and when the head arrived, in seconds since 1970.
    package let requestTime: TimeInterval
    package let responseTime: TimeInterval
    package let body: Body

    // Derived from the above.
    package let directives: CacheDirectives
    /// The value of `Date`, or the arrival of the head.
    package let date: TimeInterval
    package let lastModified: TimeInterval?
    /// The age on arrival (RFC 9111, section 4.2.3).
    package let initialAge: TimeInterval
    /// How many seconds it is fresh from its creation.
    package let lifetime: TimeInterval
    package let entityTag: String?
    package let lastModifiedText: String?
    /// The content codings that the head names; the body may be decoded.
    package let codings: [String]

    package init(
        key: CacheKey, variant: CacheVariant, status: Int, version: String, lines: HeadLines, age: Int,
        requestTime: TimeInterval, responseTime: TimeInterval, body: Body
    ) {
        self.key = key
        self.variant = variant
        self.status = status
        self.version = version
        self.lines = lines
        ageField = age
        self.requestTime = requestTime
        self.responseTime = responseTime
        self.body = body
        directives = CacheDirectives(lines.values(for: "cache-control"))
        let date = lines.date("date", now: responseTime) ?? responseTime
        self.date = date
        lastModifiedText = lines.validator("last-modified")
        lastModified = lines.date("last-modified", now: responseTime)
        entityTag = lines.validator("etag")
        codings = lines.contentCodings
        let delay = max(0, responseTime - requestTime)
        initialAge = max(max(0, responseTime - date), TimeInterval(age) + delay)
        lifetime = Freshness.lifetime(
            status: status, directives: directives, expires: lines.values(for: "expires").first, date: date,
            lastModified: lastModified, now: responseTime)
    }

    /// The current age (RFC 9111, section 4.2.3). If the clock was set back, it is at least the age on arrival.
    package func age(at now: TimeInterval) -> TimeInterval { initialAge + max(0, now - responseTime) }

    /// Whether its age is below its lifetime.
    package func isFresh(at now: TimeInterval) -> Bool { age(at: now) < lifetime }

    /// Whether its request is newer than one of this time. A time to come shows only that the clock was set.
    func isNewer(than requestTime: TimeInterval, at now: TimeInterval) -> Bool {
        self.requestTime > requestTime && self.requestTime <= now
    }

    /// Its size in memory.
    package var cost: Int {
        let parts = directives.count + codings.count + variant.names.count
        let overhead = 512 + lines.bytes.count + key.uri.utf8.count + 128 * parts
        if case .data(let data) = body { return overhead + data.count }
        return overhead
    }

    /// The same response with its body elsewhere.
    package func with(body: Body) -> StoredResponse {
        StoredResponse(
            key: key, variant: variant, status: status, version: version, lines: lines, age: ageField,
            requestTime: requestTime, responseTime: responseTime, body: body)
    }
}

extension [StoredResponse] {
    /// These, and others of variants that these have not: a response without room in memory can still be an answer.
    func completed(by others: [StoredResponse]) -> [StoredResponse] {
        self + others.filter { other in !contains { $0.key == other.key && $0.variant == other.variant } }
    }
}

extension HeadLines {
    /// The value of a field that is sent back to the server, to validate the response; `nil` if it can't be sent, or is
    /// so long that servers refuse it: each later request would fail.
    fileprivate func validator(_ name: String) -> String? {
        values(for: name).first.flatMap { $0.isFieldValue && $0.utf8.count <= 2_048 ? $0 : nil }
    }

    /// The date in a field, in any form that HTTP has ever allowed.
    fileprivate func date(_ name: String, now: TimeInterval) -> TimeInterval? {
        values(for: name).first.flatMap { HTTPDate(anyForm: $0.trimmingCharacters(in: .whitespaces), now: now) }?
            .seconds
    }
}
