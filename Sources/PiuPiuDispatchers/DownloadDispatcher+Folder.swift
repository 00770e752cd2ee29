public import Foundation

#if canImport(FoundationNetworking)
    public import FoundationNetworking
#endif

extension DownloadDispatcher {
    /// A future of a download to a folder, whose file is named when its response is there.
    ///
    /// ```swift
    /// let report = try await dispatcher.downloadFuture(from: request, toFolder: folder).validated().value.data
    /// let mine = dispatcher.downloadFuture(from: request, toFolder: folder) { _, suggested in "7 \(suggested)" }
    /// let another = dispatcher.downloadFuture(from: request, toFolder: folder, existing: .number)  // "report 2.pdf"
    /// ```
    ///
    /// It is ``downloadFuture(from:to:)`` to a hidden name in the folder, and then a move: the file arrives whole or not
    /// at all (contract rule FILES). Each future has a name of its own while it loads, so several may load to one folder;
    /// it isn't resumable. After a failure or a cancellation nothing is left behind.
    ///
    /// It replaces an existing file of its name, also one that another download has just put there, unless `existing`
    /// says otherwise. With the other two an empty file holds the name while the file is moved there.
    ///
    /// A status is data, not an error (STATUS). Only a successful status with a content, from 200 to 299, brings a file,
    /// and is named. With any other the `data` of the response names no file: `validated()` makes such a status an error.
    ///
    /// The future fails as that of ``downloadFuture(from:to:)`` does, with the error that `name` throws, and with a
    /// ``FileTransferError``: of the kind ``FileTransferError/Kind/cannotCreate`` if the name is empty, ".", ".." or has a
    /// slash, or is taken and `existing` is ``ExistingFile/fail``, and the others if no file can be put there.
    ///
    /// - Parameters:
    ///   - urlRequest: the request. Nothing is sent before the future is started.
    ///   - folder: the `file:` URL of the folder, which is created if it is missing. The `data` of the response is the
    ///     file in it.
    ///   - existing: what happens if a file has the name already. It is known when the file is complete.
    ///   - name: returns the name of the file, for the head of the response and the name that it suggests: see
    ///     ``ResponseInterface/suggestedFileName``, which is the default. It is called at most once, in the background,
    ///     when the file is complete. The name isn't changed, so make it of one that is safe.
    public func downloadFuture(
        from urlRequest: URLRequest, toFolder folder: URL, existing: ExistingFile = .replace,
        named name: @escaping @Sendable (TransferHead, _ suggested: String) throws -> String = { $1 }
    ) -> ResponseFuture<Response<URL>> {
        let download = NamedDownload(to: folder, existing: existing, name: name)
        return downloadFuture(from: urlRequest, to: download.unnamed)
            .then { response in try await download.finish(response) }
            .ensure { await download.removeUnnamed() }
            .bound(toScopesOf: self)
    }

    /// A future of a download to a folder; the callback makes the request when the future is started.
    ///
    /// The file and the errors are those of ``downloadFuture(from:toFolder:existing:named:)``.
    ///
    /// - Parameters:
    ///   - folder: the `file:` URL of the folder, which is created if it is missing.
    ///   - existing: what happens if a file has the name already.
    ///   - name: returns the name of the file, for the head of the response and the name that it suggests.
    ///   - file: where the future is created, for messages.
    ///   - line: where the future is created.
    ///   - callback: makes the request, once, on the thread that calls `send()` or awaits. `nil` cancels the future,
    ///     and an error fails it.
    public func downloadFuture(
        toFolder folder: URL, existing: ExistingFile = .replace,
        named name: @escaping @Sendable (TransferHead, _ suggested: String) throws -> String = { $1 },
        file: String = #fileID, line: UInt = #line, from callback: @escaping @Sendable () throws -> URLRequest?
    ) -> ResponseFuture<Response<URL>> {
        ResponseFuture<URLRequest>(made: callback, file: file, line: line)
            .flatMap { downloadFuture(from: $0, toFolder: folder, existing: existing, named: name) }
            .bound(toScopesOf: self)
    }

    /// A future of a download to a folder by a request for a server.
    ///
    /// The file and the errors are those of ``downloadFuture(from:toFolder:existing:named:)``.
    ///
    /// The request is built once, when the future is started, on the thread that calls `send()` or awaits. The error of
    /// `urlRequest(withBaseURL:)` fails the future.
    ///
    /// - Parameters:
    ///   - request: the request.
    ///   - baseURL: the base URL of the server.
    ///   - folder: the `file:` URL of the folder, which is created if it is missing.
    ///   - existing: what happens if a file has the name already.
    ///   - name: returns the name of the file, for the head of the response and the name that it suggests.
    ///   - file: where the future is created, for messages.
    ///   - line: where the future is created.
    public func downloadFuture(
        from request: any Request, at baseURL: URL, toFolder folder: URL, existing: ExistingFile = .replace,
        named name: @escaping @Sendable (TransferHead, _ suggested: String) throws -> String = { $1 },
        file: String = #fileID, line: UInt = #line
    ) -> ResponseFuture<Response<URL>> {
        downloadFuture(toFolder: folder, existing: existing, named: name, file: file, line: line) {
            try request.urlRequest(withBaseURL: baseURL)
        }
    }
}
