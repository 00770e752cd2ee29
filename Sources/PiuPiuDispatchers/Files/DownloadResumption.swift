import Foundation

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// The request for the rest of a file, and the check of its answer (RFC 9110, sections 13.1.5 and 14).
package struct DownloadResumption: Sendable {
    /// How many bytes are kept, and their checksum.
    let length: Int64
    let checksum: FileChecksum
    let record: DownloadRecord

    package init(length: Int64, checksum: FileChecksum, record: DownloadRecord) {
        self.length = length
        self.checksum = checksum
        self.record = record
    }

    /// Asks for the rest, or for the whole file if it has changed.
    func apply(to request: inout URLRequest) {
        request.setValue("bytes=\(length)-", forHTTPHeaderField: "Range")
        request.setValue(record.validator, forHTTPHeaderField: "If-Range")
    }

    /// Whether a part is the whole rest of the same file: a server may send less than requested.
    func isContinued(by range: ContentRange, of head: TransferHead) -> Bool {
        // Without a validator in the answer, that the server has kept to the condition is all there is to go by.
        let isSame =
            if record.validator.hasPrefix("\"") {
                head.value(for: "ETag").map { $0 == record.validator } ?? true
            } else {
                head.value(for: "Last-Modified").map { modified in
                    HTTPDate(anyForm: modified, now: Date().timeIntervalSince1970)?.text == record.validator
                } ?? true
            }
        let isTotalSame = record.total == nil || record.total == range.total
        return isSame && isTotalSame && range.first == length && range.last + 1 == range.total
    }
}
