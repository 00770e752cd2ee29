import Foundation

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// A resource that is read without a network: a local file, or the content of a `data:` URL.
///
/// `URLSession` on Linux can't load either, and traps or hangs on some `data:` URLs.
package struct LocalResource: Sendable {
    /// An open resource: the head of a plain response, and the source of the bytes.
    struct Content {
        let response: URLResponse
        let source: Source
    }

    /// The source of the bytes.
    enum Source {
        case memory(Data)
        /// A file, and how many bytes of it are left; `nil` for all.
        case file(FileHandle, rest: Int?)
    }

    private enum Kind { case file, data }

    private let kind: Kind
    private let url: URL

    /// The resource at `url`; `nil` if it isn't local.
    init?(_ url: URL) {
        guard !url.isPlainlyWeb else { return nil }
        switch url.scheme?.lowercased() {
        case "file": kind = .file
        case "data": kind = .data
        default: return nil
        }
        self.url = url
    }

    /// Opens the resource.
    func open() throws(TransferError) -> Content {
        switch kind {
        case .file:
            return try openFile()
        case .data:
            guard let parsed = DataURL(url) else { throw TransferError(.malformedDataURL, url: url) }
            return Content(
                response: response(parsed.mimeType, length: parsed.content.count, encoding: parsed.charset),
                source: .memory(parsed.content))
        }
    }

    private func openFile() throws(TransferError) -> Content {
        let path = url.path(percentEncoded: false)
        let host = url.host() ?? ""
        guard host.isEmpty || host == "localhost", !path.isEmpty, !path.utf8.contains(0) else {
            throw TransferError(.fileNotFound, url: url)
        }
        do {
            let (handle, length) = try RegularFile.open(URL(filePath: path))
            let mimeType = Self.mimeType(forExtension: url.pathExtension)
            // Unknown if it doesn't fit, or if there is none: files of the system have a content, but report no size.
            let count = length > 0 ? Int(exactly: length) : nil
            return Content(
                response: response(mimeType, length: count ?? -1, encoding: nil), source: .file(handle, rest: count))
        } catch {
            throw TransferError(.fileNotFound, url: url, underlyingError: error.underlyingError)
        }
    }

    private func response(_ mimeType: String, length: Int, encoding: String?) -> URLResponse {
        URLResponse(url: url, mimeType: mimeType, expectedContentLength: length, textEncodingName: encoding)
    }

    private static func mimeType(forExtension pathExtension: String) -> String {
        switch pathExtension.lowercased() {
        case "json": "application/json"
        case "txt": "text/plain"
        case "html", "htm": "text/html"
        default: "application/octet-stream"
        }
    }
}
