import Foundation

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

extension ResponseInterface {
    /// A name for a file with the body, as the server or the URL suggests it.
    ///
    /// ```swift
    /// try response.unwrapData().write(to: folder.appending(path: response.suggestedFileName))
    /// ```
    ///
    /// It is `filename*` of the `Content-Disposition`, else its `filename`, else the last part of the URL's path, else
    /// "download" (RFC 6266 and RFC 8187).
    ///
    /// It is never a path: what stands before the last slash or backslash is dropped. Control characters, those that
    /// change the direction of a text, and dots and spaces at the beginning are removed, so that it is neither hidden nor
    /// ".." nor empty. A longer name is cut to 200 bytes of UTF-8; its extension is kept. The server still chooses the
    /// extension, and another response may have the same name.
    ///
    /// `downloadFuture(from:toFolder:existing:named:)` names its file by it.
    public var suggestedFileName: String {
        let disposition = head.values(for: "Content-Disposition").last.map { ContentDisposition($0) }
        let path = (urlRequest.url ?? head.url)?.path(percentEncoded: true).split(separator: "/").last.map(String.init)
        let names = [
            disposition?.extendedFileName, disposition?.fileName, path.map { $0.removingPercentEncoding ?? $0 },
        ]
        return names.lazy.compactMap(\.self).compactMap { FileName($0)?.text }.first ?? FileName.fallback
    }
}
