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
    func isContinued(by range: ContentRange, tag: String?) -> Bool {
        let isSame = tag == nil || !record.validator.hasPrefix("\"") || tag == record.validator
        let isTotalSame = record.total == nil || record.total == range.total
        return isSame && isTotalSame && range.first == length && range.last + 1 == range.total
    }
}
