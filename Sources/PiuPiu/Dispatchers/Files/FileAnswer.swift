#if canImport(FoundationNetworking)
    import Foundation
    package import FoundationNetworking
#else
    package import Foundation
#endif

/// What the head of a response means for a file that was asked for (RFC 9110, sections 8.4, 8.6, 14.4 and 15.3.7).
package enum FileAnswer: Equatable, Sendable {
    /// The body is the file from this offset on, and so many bytes long, if that is known.
    case file(offset: Int64, length: Int64?)
    /// The body is something else: the page of an error, for instance.
    case noFile
    /// What was left of an earlier download doesn't fit: the file has to be asked for anew.
    case stale
    /// The body may be anything.
    case unfit(FileAnswerError)

    /// What this answer to `request` means.
    ///
    /// - Parameter resumption: what the server was asked to go on with.
    package init(_ head: TransferHead, to request: URLRequest, resumption: DownloadResumption?) {
        guard let status = head.status else {
            self = .file(offset: 0, length: head.announcedLength.value)
            return
        }
        guard head.bringsFile else {
            self = status == 416 && resumption != nil ? .stale : .noFile
            return
        }
        let codings = head.values(for: "Content-Encoding").flatMap { $0.split(separator: ",") }
            .map { $0.trimmingCharacters(in: .whitespaces).lowercased() }.filter { !$0.isEmpty && $0 != "identity" }
        guard codings.isEmpty else {
            self = .unfit(.coded(codings.joined(separator: ", ")))
            return
        }
        self = status == 206 ? Self.part(head, of: request, resumption) : Self.whole(head)
    }

    private static func whole(_ head: TransferHead) -> FileAnswer {
        let length = head.announcedLength.value
        // It means nothing here, unless it says that this isn't all.
        if let range = head.value(for: "Content-Range").flatMap(ContentRange.init),
            !range.isWhole || length.map({ $0 != range.count }) ?? false
        {
            return .unfit(.contradictory)
        }
        return .file(offset: 0, length: length)
    }

    private static func part(
        _ head: TransferHead, of request: URLRequest, _ resumption: DownloadResumption?
    ) -> FileAnswer {
        let range = head.value(for: "Content-Range").flatMap(ContentRange.init)
        let length = head.announcedLength.value
        if let resumption {
            guard let range, resumption.isContinued(by: range, tag: head.value(for: "ETag")) else { return .stale }
            guard length.map({ $0 == range.count }) ?? true else { return .unfit(.contradictory) }
            return .file(offset: range.first, length: range.count)
        }
        guard let wanted = request.value(forHTTPHeaderField: "Range") else { return .unfit(.partial) }
        guard let range else {
            // Several parts in one body have their ranges inside.
            let isMultipart = head.value(for: "Content-Type")?.lowercased().hasPrefix("multipart/byteranges") == true
            return isMultipart ? .file(offset: 0, length: length) : .unfit(.contradictory)
        }
        guard range.answers(wanted), length.map({ $0 == range.count }) ?? true else { return .unfit(.contradictory) }
        return .file(offset: 0, length: range.count)
    }
}

/// A `Content-Range` of bytes (RFC 9110, section 14.4).
struct ContentRange: Equatable {
    let first: Int64
    let last: Int64
    /// The length of the whole; `nil` where the server doesn't know it.
    let total: Int64?

    /// Reads a value; `nil` for one that is none, or inverted, or beyond its total.
    init?(_ text: String) {
        guard let match = text.lowercased().wholeMatch(of: /bytes\s+(\d+)-(\d+)\/(\d+|\*)/),
            let first = Int64(match.1), let last = Int64(match.2), first <= last, last < .max
        else { return nil }
        (self.first, self.last) = (first, last)
        guard match.3 != "*" else {
            total = nil
            return
        }
        guard let total = Int64(match.3), last < total else { return nil }
        self.total = total
    }

    /// How many bytes there are in it.
    var count: Int64 { last - first + 1 }

    /// Whether nothing is left out.
    var isWhole: Bool { first == 0 && count == total }

    /// Whether this may be what a `Range` asks for; several ranges, and such from the end, are not looked at.
    func answers(_ wanted: String) -> Bool {
        guard let match = wanted.lowercased().wholeMatch(of: /bytes=(\d+)-(\d*)/), let first = Int64(match.1) else {
            return true
        }
        return self.first == first && (Int64(match.2).map { last <= $0 } ?? true)
    }
}

extension TransferHead {
    /// Whether the body is what was asked for: not that of an HTTP error or a redirect, and not the absence of one.
    var bringsFile: Bool { Self.bringsFile(status) }

    fileprivate static func bringsFile(_ status: Int?) -> Bool {
        guard let status else { return true }
        return (200...299).contains(status) && status != 204 && status != 205
    }
}

extension URLResponse {
    /// Whether the body is what was asked for: see ``TransferHead``.
    package var bringsFile: Bool { TransferHead.bringsFile((self as? HTTPURLResponse)?.statusCode) }
}
