import Foundation

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// The request for the rest of a file, and what the answer to it means (RFC 9110, sections 13.1.5 and 14).
struct DownloadResumption: Sendable {
    /// What an answer means for the file.
    enum Answer {
        /// The body is the whole file.
        case start
        /// The body is the rest.
        case goOn
        /// Neither: the file has to be asked for anew.
        case stale
    }

    /// How many bytes are there.
    let length: Int64
    private let validator: String

    init(_ leftover: (record: PartialFile.Record, length: Int64)) {
        length = leftover.length
        validator = leftover.record.validator
    }

    /// Asks for the rest, or for all of it if the file has changed.
    func apply(to request: inout URLRequest) {
        request.setValue("bytes=\(length)-", forHTTPHeaderField: "Range")
        request.setValue(validator, forHTTPHeaderField: "If-Range")
    }

    func answer(_ response: URLResponse) -> Answer {
        guard let http = response as? HTTPURLResponse else { return .start }
        switch http.statusCode {
        case 206:
            let range = http.value(forHTTPHeaderField: "Content-Range") ?? ""
            let tag = http.value(forHTTPHeaderField: "ETag")
            let isSame = tag == nil || !validator.hasPrefix("\"") || tag == validator
            return isSame && isRest(range) ? .goOn : .stale
        case 416: return .stale
        default: return .start
        }
    }

    /// Whether a range is all that is missing: a server may send less than it was asked for.
    private func isRest(_ range: String) -> Bool {
        guard let match = range.lowercased().wholeMatch(of: /bytes (\d+)-(\d+)\/(\d+)/), let last = Int64(match.2),
            let count = Int64(match.3)
        else { return false }
        return Int64(match.1) == length && last < count && last == count - 1
    }
}

extension PartialFile.Record {
    /// What is needed to resume the download of `response`; `nil` if that can't be done safely.
    init?(of response: URLResponse, to url: URL?) {
        guard let url, let http = response as? HTTPURLResponse, http.statusCode == 200,
            http.value(forHTTPHeaderField: "Accept-Ranges")?.lowercased() != "none",
            // The bytes that arrive are decoded, those that a range counts are not.
            (http.value(forHTTPHeaderField: "Content-Encoding") ?? "identity").lowercased() == "identity"
        else { return nil }
        self.url = url.absoluteString
        if let tag = http.value(forHTTPHeaderField: "ETag"), tag.hasPrefix("\"") {
            validator = tag
        } else if let modified = http.value(forHTTPHeaderField: "Last-Modified"),
            let changed = HTTPDate(modified), let sent = http.value(forHTTPHeaderField: "Date").flatMap(HTTPDate.init),
            sent.seconds - changed.seconds >= Self.datesAreSafeAfter
        {
            validator = modified
        } else {
            return nil
        }
    }

    /// A file may change twice within the second that a date names; a minute later it can't have been that one (RFC
    /// 9110, section 8.8.2.2).
    private static let datesAreSafeAfter: TimeInterval = 60
}
