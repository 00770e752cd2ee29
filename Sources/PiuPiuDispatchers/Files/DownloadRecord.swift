package import Foundation

/// The record beside a partial file, for the request of the rest.
package struct DownloadRecord: Codable, Sendable, Equatable {
    /// The hash of the file's URL, which may contain secrets.
    private let source: String
    /// The entity tag or the date that shows the server whether the file has changed.
    let validator: String
    /// The length of the whole, if the server has announced it.
    let total: Int64?
    /// How many bytes of the file the checksum covers; there may be more.
    var length: Int64 = 0
    var checksum: UInt64 = 0

    package init(url: String, validator: String, total: Int64?) {
        source = Self.hash(url)
        self.validator = validator
        self.total = total
    }

    /// Whether it belongs to the file at this URL.
    package func isRecord(of url: URL) -> Bool { source == Self.hash(url.absoluteString) }

    private static func hash(_ url: String) -> String { SecureHash.hex(url.utf8) }
}

extension DownloadRecord {
    /// The record to resume the download with this head; `nil` if that isn't safe.
    package init?(of head: TransferHead, to url: URL?) {
        guard let url, head.status == 200, head.value(for: "Accept-Ranges")?.lowercased() != "none" else { return nil }
        source = Self.hash(url.absoluteString)
        total = head.announcedLength.value
        // For the century of a date with a year of two digits.
        let now = Date().timeIntervalSince1970
        if let tag = head.value(for: "ETag"), tag.hasPrefix("\""), tag.isFieldValue {
            validator = tag
        } else if let modified = head.value(for: "Last-Modified"),
            let changed = HTTPDate(anyForm: modified, now: now),
            let sent = head.value(for: "Date").flatMap({ HTTPDate(anyForm: $0, now: now) }),
            sent.seconds - changed.seconds >= Self.datesAreSafeAfter
        {
            // The server may use an old form of dates; a client must not.
            validator = changed.text
        } else {
            return nil
        }
    }

    /// A file may change twice within the second of a date. If the response came a minute later, the date is
    /// unambiguous (RFC 9110, section 8.8.2.2).
    private static let datesAreSafeAfter: TimeInterval = 60
}
