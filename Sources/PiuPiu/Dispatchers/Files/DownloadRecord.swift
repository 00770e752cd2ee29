package import Foundation

/// What is needed to ask for the rest of a file, kept beside it.
package struct DownloadRecord: Codable, Sendable, Equatable {
    /// The URL that it comes from.
    let url: String
    /// The entity tag or the date by which the server tells whether the file is still the same.
    let validator: String
    /// The length of the whole, where the server has announced it.
    let total: Int64?
    /// So many bytes of the file are vouched for, by this checksum; there may be more.
    var length: Int64 = 0
    var checksum: UInt64 = 0

    package init(url: String, validator: String, total: Int64?) {
        self.url = url
        self.validator = validator
        self.total = total
    }
}

extension DownloadRecord {
    /// What is needed to resume the download with this head; `nil` if that can't be done safely.
    ///
    /// - Parameter now: seconds since 1970, by which a date of the server's with two digits for the year is understood.
    package init?(of head: TransferHead, to url: URL?, now: TimeInterval = Date().timeIntervalSince1970) {
        guard let url, head.status == 200, head.value(for: "Accept-Ranges")?.lowercased() != "none" else { return nil }
        self.url = url.absoluteString
        total = head.announcedLength.value
        if let tag = head.value(for: "ETag"), tag.hasPrefix("\"") {
            validator = tag
        } else if let modified = head.value(for: "Last-Modified"),
            let changed = HTTPDate(anyForm: modified, now: now),
            let sent = head.value(for: "Date").flatMap({ HTTPDate(anyForm: $0, now: now) }),
            sent.seconds - changed.seconds >= Self.datesAreSafeAfter
        {
            // The server may use an old form; who asks it may not.
            validator = changed.text
        } else {
            return nil
        }
    }

    /// A file may change twice within the second that a date names; a minute later it can't have been that one (RFC
    /// 9110, section 8.8.2.2).
    private static let datesAreSafeAfter: TimeInterval = 60
}
