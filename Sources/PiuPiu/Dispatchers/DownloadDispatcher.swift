public import Foundation

#if canImport(FoundationNetworking)
    public import FoundationNetworking
#endif

/// Something that makes futures of downloads to files.
///
/// A file arrives whole or not at all (contract rule FILES of <doc:Contract>).
@preconcurrency
public protocol DownloadDispatcher: Dispatching {
    /// A future of the response to this request, whose body goes to a file.
    ///
    /// ```swift
    /// dispatcher.downloadFuture(from: request, to: folder.appending(path: "film.mp4"))
    ///     .validated()
    ///     .updated { update in bar.progress = update.percentReceived ?? 0 }
    ///     .success { response in play(response.data) }
    ///     .error { error in show(error) }
    ///     .send()
    /// ```
    ///
    /// The file is at its destination whole or not at all, in the place of one that was there before; the folders on
    /// the way are made (contract rule FILES). A status is data, not an error (STATUS), but only a successful one, from
    /// 200 to 299 and with a content, brings a file: what was there before is left as it was, so `validated()` makes
    /// anything else an error, before the file is read. Memory stays constant, whatever the size (MEMORY).
    ///
    /// - Parameters:
    ///   - urlRequest: the request. Nothing is sent before the future is started.
    ///   - destination: the `file:` URL that the body goes to, and that the response's `data` is.
    func downloadFuture(from urlRequest: URLRequest, to destination: URL) -> ResponseFuture<Response<URL>>

    /// A future of a download that goes on where an earlier one was interrupted.
    ///
    /// A dispatcher that doesn't implement this, such as a mock, loads all of it. A wrapper passes it on.
    ///
    /// - Parameters:
    ///   - urlRequest: the request. Nothing is sent before the future is started.
    ///   - destination: the `file:` URL that the body goes to, and that the response's `data` is.
    ///   - isResumable: whether an interrupted download leaves what has arrived, and one that was left is gone on with: see
    ///     ``URLRequestDispatcher/downloadFuture(from:to:isResumable:)``.
    func downloadFuture(
        from urlRequest: URLRequest, to destination: URL, isResumable: Bool
    ) -> ResponseFuture<Response<URL>>
}

extension DownloadDispatcher {
    /// Loads all of it, each time.
    public func downloadFuture(
        from urlRequest: URLRequest, to destination: URL, isResumable: Bool
    ) -> ResponseFuture<Response<URL>> {
        downloadFuture(from: urlRequest, to: destination)
    }

    /// A future of a download whose request is made when the future is started.
    ///
    /// - Parameters:
    ///   - destination: the `file:` URL that the body goes to.
    ///   - file: where the future is created, for messages.
    ///   - line: where the future is created.
    ///   - callback: makes the request, once, on the thread that calls `send()` or awaits; `nil` cancels the future, and
    ///     what it throws fails it.
    @preconcurrency
    public func downloadFuture(
        destination: URL, file: String = #fileID, line: UInt = #line,
        from callback: @escaping @Sendable () throws -> URLRequest?
    ) -> ResponseFuture<Response<URL>> {
        ResponseFuture<URLRequest>(made: callback, file: file, line: line)
            .flatMap { downloadFuture(from: $0, to: destination) }
    }
}
