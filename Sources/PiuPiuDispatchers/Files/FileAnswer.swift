#if canImport(FoundationNetworking)
    import Foundation
    package import FoundationNetworking
#else
    package import Foundation
#endif

/// The meaning of a response's head for a requested file (RFC 9110, sections 8.4, 8.6, 14.4 and 15.3.7).
package enum FileAnswer: Equatable, Sendable {
    /// The body is the file from this offset on, with this length, if known.
    case file(offset: Int64, length: Int64?)
    /// The body is not the file, but an error page, for example.
    case noFile
    /// The leftover of an earlier download doesn't match: the file has to be requested again.
    case stale
    /// The body can't be used safely.
    case unfit(FileAnswerError)

    /// The meaning of this answer to `request`.
    ///
    /// - Parameter resumption: the leftover that the server was asked to continue.
    package init(_ head: TransferHead, to request: URLRequest, resumption: DownloadResumption?) {
        guard let status = head.status else {
            self = .file(offset: 0, length: head.announcedLength.value)
            return
        }
        guard head.bringsFile(to: request) else {
            self = status == 416 && resumption != nil ? .stale : .noFile
            return
        }
        let codings = head.contentCodings
        guard codings.isEmpty else {
            self = .unfit(.coded(codings.joined(separator: ", ")))
            return
        }
        self = status == 206 ? Self.part(head, of: request, resumption) : Self.whole(head)
    }

    private static func whole(_ head: TransferHead) -> FileAnswer {
        let length = head.announcedLength.value
        // A range has no meaning here, unless it shows that this isn't all.
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
            guard let range, resumption.isContinued(by: range, of: head) else { return .stale }
            guard length.map({ $0 == range.count }) ?? true else { return .unfit(.contradictory) }
            return .file(offset: range.first, length: range.count)
        }
        guard let wanted = request.value(forHTTPHeaderField: "Range") else { return .unfit(.partial) }
        guard let range else {
            // The ranges of several parts are inside the body.
            let isMultipart = head.value(for: "Content-Type")?.lowercased().hasPrefix("multipart/byteranges") == true
            return isMultipart ? .file(offset: 0, length: length) : .unfit(.contradictory)
        }
        guard range.answers(wanted), length.map({ $0 == range.count }) ?? true else { return .unfit(.contradictory) }
        return .file(offset: 0, length: range.count)
    }
}

extension TransferHead {
    /// Whether the body is the requested file: not for an HTTP error, a redirect, or an answer without a body, as to
    /// HEAD.
    func bringsFile(to request: URLRequest) -> Bool { Self.bringsFile(status, to: request) }

    fileprivate static func bringsFile(_ status: Int?, to request: URLRequest) -> Bool {
        guard let status else { return true }
        return (200...299).contains(status) && status != 204 && status != 205
            && request.httpMethod?.uppercased() != "HEAD"
    }
}

extension URLResponse {
    /// Whether the body is the requested file: see ``TransferHead``.
    package func bringsFile(to request: URLRequest) -> Bool {
        TransferHead.bringsFile((self as? HTTPURLResponse)?.statusCode, to: request)
    }
}
