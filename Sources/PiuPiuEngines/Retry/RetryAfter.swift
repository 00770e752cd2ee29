package import Foundation

/// The wait that a server asks for by `Retry-After` (RFC 9110, section 10.2.3).
package enum RetryAfter: Sendable, Equatable {
    /// For this long from now.
    case delay(Duration)
    /// Until then, in seconds since 1970.
    case date(TimeInterval)

    /// About 68 years, the limit for longer times, as for the ages of caches (RFC 9111, section 1.2.2).
    package static let longest = Duration.seconds(Int64(1) << 31)

    /// Parses a field: digits, or a date in one of the three forms; `nil` for anything else.
    ///
    /// - Parameter now: seconds since 1970, to interpret a two-digit year.
    package init?(_ field: String, now: TimeInterval) {
        let text = Array(field.utf8)[...].withoutFieldSpace
        if let seconds = FieldList.seconds(text) {
            self = .delay(.seconds(seconds))
        } else if let date = HTTPDate(anyForm: String(decoding: text, as: UTF8.self), now: now) {
            self = .date(date.seconds)
        } else {
            return nil
        }
    }

    /// The wait that the outcome of an attempt asks for: a response, or the error of an engine that has refused it.
    ///
    /// - Parameter now: as for ``wait(in:now:)``.
    package static func wait(after attempt: ExchangeAttempt, now: TimeInterval) -> Duration? {
        attempt.head.flatMap { wait(in: $0, now: now) } ?? (attempt.error as? any RefusalError)?.retryAfter
    }

    /// The wait that the head of a response asks for; `nil` without exactly one valid field.
    ///
    /// - Parameter now: the present, in seconds since 1970. A date counts from the `Date` of the response, because the
    ///   clocks of client and server may differ; only without one does it count from `now`.
    package static func wait(in head: TransferHead, now: TimeInterval) -> Duration? {
        let fields = head.values(for: "Retry-After")
        guard fields.count == 1, let field = RetryAfter(fields[0], now: now) else { return nil }
        switch field {
        case .delay(let delay): return delay
        case .date(let date):
            let sent = head.value(for: "Date").flatMap { HTTPDate(anyForm: $0, now: now) }?.seconds ?? now
            let seconds = date - sent
            // Clocks may be wrong.
            guard seconds > 0 else { return .zero }
            return seconds < Self.longest / .seconds(1) ? .seconds(seconds) : Self.longest
        }
    }
}
