public import Foundation

#if canImport(FoundationNetworking)
    public import FoundationNetworking
#endif

/// Makes futures of downloads to files.
///
/// A file arrives whole or not at all (contract rule FILES of <doc:Contract>).
@preconcurrency
public protocol DownloadDispatcher: Dispatching {
    /// A future of the response to this request, with its body in a file.
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
    /// The file arrives at its destination whole or not at all. It replaces an existing file, and has no permissions that
    /// this has not, but that its owner may write it; missing folders are created (contract rule FILES). A status is data, not an error (STATUS). Only a successful status with a content,
    /// from 200 to 299, brings a file; any other leaves an existing file alone. `validated()` makes such a status an
    /// error, before the file is read. Memory stays constant, whatever the size (MEMORY).
    ///
    /// - Parameters:
    ///   - urlRequest: the request. Nothing is sent before the future is started.
    ///   - destination: the `file:` URL for the body, and the `data` of the response.
    func downloadFuture(from urlRequest: URLRequest, to destination: URL) -> ResponseFuture<Response<URL>>

    /// A future of a download that resumes an interrupted one.
    ///
    /// A dispatcher that doesn't implement this, such as a mock, loads all of it. A wrapper passes it on.
    ///
    /// - Parameters:
    ///   - urlRequest: the request. Nothing is sent before the future is started.
    ///   - destination: the `file:` URL for the body, and the `data` of the response.
    ///   - isResumable: whether an interrupted download keeps the bytes that have arrived, and a later one resumes it:
    ///     see ``URLRequestDispatcher/downloadFuture(from:to:isResumable:)``.
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

    /// A future of a download; the callback makes the request when the future is started.
    ///
    /// - Parameters:
    ///   - destination: the `file:` URL for the body.
    ///   - file: where the future is created, for messages.
    ///   - line: where the future is created.
    ///   - callback: makes the request, once, on the thread that calls `send()` or awaits. `nil` cancels the future,
    ///     and an error fails it.
    @preconcurrency
    public func downloadFuture(
        destination: URL, file: String = #fileID, line: UInt = #line,
        from callback: @escaping @Sendable () throws -> URLRequest?
    ) -> ResponseFuture<Response<URL>> {
        ResponseFuture<URLRequest>(made: callback, file: file, line: line)
            .flatMap { downloadFuture(from: $0, to: destination) }
            .bound(toScopesOf: self)
    }

    /// A future of a download that resumes an interrupted one; the callback makes the request when the future is
    /// started.
    ///
    /// - Parameters:
    ///   - destination: the `file:` URL for the body.
    ///   - isResumable: whether an interrupted download keeps the bytes that have arrived, and a later one resumes it:
    ///     see ``URLRequestDispatcher/downloadFuture(from:to:isResumable:)``.
    ///   - file: where the future is created, for messages.
    ///   - line: where the future is created.
    ///   - callback: makes the request, once, on the thread that calls `send()` or awaits. `nil` cancels the future,
    ///     and an error fails it.
    public func downloadFuture(
        destination: URL, isResumable: Bool, file: String = #fileID, line: UInt = #line,
        from callback: @escaping @Sendable () throws -> URLRequest?
    ) -> ResponseFuture<Response<URL>> {
        ResponseFuture<URLRequest>(made: callback, file: file, line: line)
            .flatMap { downloadFuture(from: $0, to: destination, isResumable: isResumable) }
            .bound(toScopesOf: self)
    }

    /// A future of a download by a request for a server.
    ///
    /// The request is built once, when the future is started, on the thread that calls `send()` or awaits. The error of
    /// `urlRequest(withBaseURL:)` fails the future.
    ///
    /// - Parameters:
    ///   - request: the request.
    ///   - baseURL: the base URL of the server.
    ///   - destination: the `file:` URL for the body.
    ///   - isResumable: whether an interrupted download keeps the bytes that have arrived, and a later one resumes it:
    ///     see ``URLRequestDispatcher/downloadFuture(from:to:isResumable:)``.
    ///   - file: where the future is created, for messages.
    ///   - line: where the future is created.
    public func downloadFuture(
        from request: any Request, at baseURL: URL, to destination: URL, isResumable: Bool = false,
        file: String = #fileID, line: UInt = #line
    ) -> ResponseFuture<Response<URL>> {
        downloadFuture(destination: destination, isResumable: isResumable, file: file, line: line) {
            try request.urlRequest(withBaseURL: baseURL)
        }
    }
}
