import Foundation
import Synchronization

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// A head as it came over an HTTP connection, and the Foundation response that is made from it on demand.
final class HeadContent: Sendable {
    let url: URL
    let status: Int
    let version: String
    let lines: HeadLines
    let contentCodings: [String]
    let announcedLength: AnnouncedLength
    private let response = AtomicLazyReference<URLResponse>()

    init(url: URL, status: Int, version: String, lines: HeadLines) {
        self.url = url
        self.status = status
        self.version = version
        self.lines = lines
        contentCodings = lines.contentCodings
        announcedLength = AnnouncedLength(
            lines.values(for: "content-length"), isCoded: !contentCodings.isEmpty,
            isChunked: !lines.values(for: "transfer-encoding").isEmpty)
    }

    /// The same object each time. Making it takes longer than most of an exchange.
    var urlResponse: URLResponse {
        if let known = response.load() { return known }
        let made = HTTPURLResponse(url: url, statusCode: status, httpVersion: version, headerFields: lines.dictionary)
        // Foundation accepts any input today; the other response is for the case that it no longer does.
        let new = made ?? URLResponse(url: url, mimeType: nil, expectedContentLength: -1, textEncodingName: nil)
        // Another thread may have been faster.
        return response.storeIfNil(new)
    }
}
