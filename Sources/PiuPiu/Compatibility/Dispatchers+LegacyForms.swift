public import Foundation

#if canImport(FoundationNetworking)
    public import FoundationNetworking
#endif

/// Downloads in the form of PiuPiu 1.4: the body as `Data`, all of it in memory.
extension DownloadDispatcher {
    /// A future of the body of the response to this request, whatever its status; `nil` if there is none.
    ///
    /// A dispatcher that makes no data requests downloads to a temporary file. Then only a successful status has a
    /// body.
    @available(*, deprecated, message: "Use downloadFuture(from:to:), which needs no memory, or dataFuture(from:).")
    public func downloadFuture(from urlRequest: URLRequest) -> ResponseFuture<Data?> {
        if let dispatcher = self as? any DataDispatcher {
            return dispatcher.dataFuture(from: urlRequest).then { response in response.data }
        }
        let file = TemporaryFile()
        return downloadFuture(from: urlRequest, to: file.url).then { response in
            // A download that goes on after its cancellation may write the file yet. This is released after its end,
            // unless that download has a run of its own. Another file, with which a dispatcher may answer, is left
            // alone.
            defer { withExtendedLifetime(file) {} }
            guard FileManager.default.fileExists(atPath: response.data.path) else { return nil }
            let data = try Data(contentsOf: response.data)
            return data.isEmpty ? nil : data
        }
    }

    /// The same for a request that the callback makes when the future starts, on the starting thread.
    ///
    /// If the callback returns `nil`, the future is cancelled; if it throws, the future fails.
    @available(*, deprecated, message: "Use downloadFuture(destination:from:), which needs no memory, or dataFuture.")
    @preconcurrency
    public func downloadFuture(
        file: String = #fileID, line: UInt = #line, from callback: @escaping @Sendable () throws -> URLRequest?
    ) -> ResponseFuture<Data?> {
        ResponseFuture<URLRequest>(made: callback, file: file, line: line)
            .flatMap { downloadFuture(from: $0) }
            .bound(toScopesOf: self)
    }
}

/// Uploads in the form of PiuPiu 1.4.
extension UploadDispatcher {
    /// A future of the response to this request, sent with these bytes as its body.
    @available(*, deprecated, renamed: "uploadFuture(from:with:)")
    public func uploadFuture(from urlRequest: URLRequest, data: Data) -> ResponseFuture<Response<Data?>> {
        uploadFuture(from: urlRequest, with: data)
    }

    /// A future of the response to a request that the callback makes when the future starts, on the starting thread.
    ///
    /// The request is sent with its own body. If the callback returns `nil`, the future is cancelled; if it throws, the
    /// future fails.
    @available(*, deprecated, message: "Use dataFuture(from:), or uploadFuture(with:from:) with the body beside it.")
    @preconcurrency
    public func uploadFuture(
        file: String = #fileID, line: UInt = #line, from callback: @escaping @Sendable () throws -> URLRequest?
    ) -> ResponseFuture<Response<Data?>> {
        ResponseFuture<URLRequest>(made: callback, file: file, line: line)
            .flatMap { uploadFuture(from: $0) }
            .bound(toScopesOf: self)
    }
}

/// The name of ``RequestSerializer`` in PiuPiu 1.4.0.
@available(*, deprecated, renamed: "RequestSerializer")
public typealias NetworkSerializer = RequestSerializer
