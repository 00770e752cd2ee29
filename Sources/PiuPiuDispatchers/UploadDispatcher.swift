public import Foundation

#if canImport(FoundationNetworking)
    public import FoundationNetworking
#endif

/// Makes futures of uploads.
///
/// A file is sent in constant memory, whatever its size (contract rule MEMORY of <doc:Contract>).
@preconcurrency
public protocol UploadDispatcher: Dispatching {
    /// A future of the response to this request, sent with these bytes as its body.
    ///
    /// ```swift
    /// dispatcher.uploadFuture(from: request, with: imageData)
    ///     .validated()
    ///     .updated { update in bar.progress = update.percentSent ?? 0 }
    ///     .success { response in done() }
    ///     .error { error in show(error) }
    ///     .send()
    /// ```
    ///
    /// Nothing is sent before the future is started. A status is data, not an error (contract rule STATUS).
    ///
    /// - Parameters:
    ///   - urlRequest: the request; set its method yourself. Its own body is not sent.
    ///   - data: the body.
    func uploadFuture(from urlRequest: URLRequest, with data: Data) -> ResponseFuture<Response<Data?>>

    /// A future of the response to this request, sent with a body that may be a file or come in chunks.
    ///
    /// A dispatcher that doesn't implement this reads the body into memory, and uploads it as data.
    ///
    /// - Parameters:
    ///   - urlRequest: the request; its own body is not sent.
    ///   - body: the body. A file is sent in constant memory (contract rule MEMORY).
    func uploadFuture(from urlRequest: URLRequest, with body: TransferBody) -> ResponseFuture<Response<Data?>>
}

extension UploadDispatcher {
    /// A future of the response to this request, sent with its own body.
    public func uploadFuture(from urlRequest: URLRequest) -> ResponseFuture<Response<Data?>> {
        uploadFuture(from: urlRequest, with: TransferBody(of: urlRequest))
    }

    /// A future of the response to this request, sent with the content of a file.
    ///
    /// The future fails with a ``TransferError`` of the kind ``TransferError/Kind/fileNotFound`` if there is no
    /// readable regular file. The file must not change while it is sent. Memory stays constant (contract rule MEMORY).
    public func uploadFuture(from urlRequest: URLRequest, withFile file: URL) -> ResponseFuture<Response<Data?>> {
        uploadFuture(from: urlRequest, with: .file(file))
    }

    /// A future of the response to this request, sent with the chunks of an `AsyncSequence`.
    ///
    /// The sequence is iterated once, off the main actor, in a task that inherits from the one that starts the request;
    /// its error fails the future. ``TransferChunks`` that a closure makes are made again each time that the body is sent.
    ///
    /// The engine over `URLSession` can't send chunks as they come. When the turn of the request has come, they are
    /// collected, beyond 8 MiB in a temporary file, and then sent with their length. The timeout begins after that.
    ///
    /// - Parameters:
    ///   - urlRequest: the request; its own body is not sent.
    ///   - chunks: the parts of the body, in order.
    ///   - length: the total number of bytes, if known beforehand. If the chunks have another one, the future fails
    ///     with ``TransferError/Kind/unreadableBody``.
    public func uploadFuture<Chunks: AsyncSequence & Sendable>(
        from urlRequest: URLRequest, withChunks chunks: Chunks, length: Int64? = nil
    ) -> ResponseFuture<Response<Data?>> where Chunks.Element == Data {
        uploadFuture(from: urlRequest, with: .chunks(TransferChunks(chunks, length: length)))
    }

    /// A future of the response to this request, sent with a multipart form as its body.
    ///
    /// ```swift
    /// var form = MultipartForm()
    /// form.append(text: "On the beach", forName: "title")
    /// form.append(file: photo, forName: "photo", contentType: "image/jpeg")
    /// dispatcher.uploadFuture(from: request, withForm: form)
    ///     .validated()
    ///     .success { response in done() }
    ///     .error { error in show(error) }
    ///     .send()
    /// ```
    ///
    /// Its files are opened when the future is started, and read in constant memory (contract rule MEMORY); they must
    /// not change meanwhile. The server gets the exact length. The engine over `URLSession` collects the form when its
    /// turn has come, beyond 8 MiB in a temporary file. The future fails with the errors of ``MultipartForm/body()``.
    ///
    /// - Parameters:
    ///   - urlRequest: the request; set its method yourself. Its own body and Content-Type are not sent.
    ///   - form: the form.
    public func uploadFuture(
        from urlRequest: URLRequest, withForm form: MultipartForm
    ) -> ResponseFuture<Response<Data?>> {
        var request = urlRequest
        request.setValue(form.contentType, forHTTPHeaderField: "Content-Type")
        return ResponseFuture<TransferBody> { try form.body() }
            .flatMap { [request] body in uploadFuture(from: request, with: body) }
            .bound(toScopesOf: self)
    }

    /// A future of an upload; the callback makes the request when the future is started.
    ///
    /// - Parameters:
    ///   - data: the body.
    ///   - file: where the future is created, for messages.
    ///   - line: where the future is created.
    ///   - callback: makes the request, once, on the thread that calls `send()` or awaits. `nil` cancels the future,
    ///     and an error fails it.
    @preconcurrency
    public func uploadFuture(
        with data: Data, file: String = #fileID, line: UInt = #line,
        from callback: @escaping @Sendable () throws -> URLRequest?
    ) -> ResponseFuture<Response<Data?>> {
        ResponseFuture<URLRequest>(made: callback, file: file, line: line)
            .flatMap { uploadFuture(from: $0, with: data) }
            .bound(toScopesOf: self)
    }

    /// A future of an upload with a body that may be a file or come in chunks; the callback makes the request when the
    /// future is started.
    ///
    /// - Parameters:
    ///   - body: the body. A file is sent in constant memory (contract rule MEMORY).
    ///   - file: where the future is created, for messages.
    ///   - line: where the future is created.
    ///   - callback: makes the request, once, on the thread that calls `send()` or awaits. `nil` cancels the future,
    ///     and an error fails it.
    public func uploadFuture(
        with body: TransferBody, file: String = #fileID, line: UInt = #line,
        from callback: @escaping @Sendable () throws -> URLRequest?
    ) -> ResponseFuture<Response<Data?>> {
        ResponseFuture<URLRequest>(made: callback, file: file, line: line)
            .flatMap { uploadFuture(from: $0, with: body) }
            .bound(toScopesOf: self)
    }

    /// A future of an upload of the content of a file; the callback makes the request when the future is started.
    ///
    /// The file is the body, as in ``uploadFuture(from:withFile:)``, and its errors are the same.
    ///
    /// - Parameters:
    ///   - bodyFile: the `file:` URL of the body.
    ///   - file: where the future is created, for messages.
    ///   - line: where the future is created.
    ///   - callback: makes the request, once, on the thread that calls `send()` or awaits. `nil` cancels the future,
    ///     and an error fails it.
    public func uploadFuture(
        withFile bodyFile: URL, file: String = #fileID, line: UInt = #line,
        from callback: @escaping @Sendable () throws -> URLRequest?
    ) -> ResponseFuture<Response<Data?>> {
        uploadFuture(with: .file(bodyFile), file: file, line: line, from: callback)
    }

    /// A future of an upload of the chunks of an `AsyncSequence`; the callback makes the request when the future is
    /// started.
    ///
    /// The chunks are the body, as in ``uploadFuture(from:withChunks:length:)``, and their errors are the same.
    ///
    /// - Parameters:
    ///   - chunks: the parts of the body, in order.
    ///   - length: the total number of bytes, if known beforehand.
    ///   - file: where the future is created, for messages.
    ///   - line: where the future is created.
    ///   - callback: makes the request, once, on the thread that calls `send()` or awaits. `nil` cancels the future,
    ///     and an error fails it.
    public func uploadFuture<Chunks: AsyncSequence & Sendable>(
        withChunks chunks: Chunks, length: Int64? = nil, file: String = #fileID, line: UInt = #line,
        from callback: @escaping @Sendable () throws -> URLRequest?
    ) -> ResponseFuture<Response<Data?>> where Chunks.Element == Data {
        uploadFuture(
            with: .chunks(TransferChunks(chunks, length: length)), file: file, line: line, from: callback)
    }

    /// A future of an upload of a multipart form; the callback makes the request when the future is started.
    ///
    /// The form is the body, as in ``uploadFuture(from:withForm:)``, and its errors are the same.
    ///
    /// - Parameters:
    ///   - form: the form.
    ///   - file: where the future is created, for messages.
    ///   - line: where the future is created.
    ///   - callback: makes the request, once, on the thread that calls `send()` or awaits. `nil` cancels the future,
    ///     and an error fails it.
    public func uploadFuture(
        withForm form: MultipartForm, file: String = #fileID, line: UInt = #line,
        from callback: @escaping @Sendable () throws -> URLRequest?
    ) -> ResponseFuture<Response<Data?>> {
        ResponseFuture<URLRequest>(made: callback, file: file, line: line)
            .flatMap { uploadFuture(from: $0, withForm: form) }
            .bound(toScopesOf: self)
    }

    /// A future of an upload by a request for a server.
    ///
    /// ```swift
    /// dispatcher.uploadFuture(from: PhotoRequest(), at: baseURL, with: imageData)
    /// ```
    ///
    /// The request is built once, when the future is started, on the thread that calls `send()` or awaits. The error of
    /// `urlRequest(withBaseURL:)` fails the future.
    ///
    /// - Parameters:
    ///   - request: the request; its own body is not sent.
    ///   - baseURL: the base URL of the server.
    ///   - data: the body.
    ///   - file: where the future is created, for messages.
    ///   - line: where the future is created.
    public func uploadFuture(
        from request: any Request, at baseURL: URL, with data: Data, file: String = #fileID, line: UInt = #line
    ) -> ResponseFuture<Response<Data?>> {
        uploadFuture(with: data, file: file, line: line) { try request.urlRequest(withBaseURL: baseURL) }
    }

    /// A future of an upload by a request for a server, with a body that may be a file or come in chunks.
    ///
    /// The request is built once, when the future is started, on the thread that calls `send()` or awaits. The error of
    /// `urlRequest(withBaseURL:)` fails the future.
    ///
    /// - Parameters:
    ///   - request: the request; its own body is not sent.
    ///   - baseURL: the base URL of the server.
    ///   - body: the body. A file is sent in constant memory (contract rule MEMORY).
    ///   - file: where the future is created, for messages.
    ///   - line: where the future is created.
    public func uploadFuture(
        from request: any Request, at baseURL: URL, with body: TransferBody, file: String = #fileID,
        line: UInt = #line
    ) -> ResponseFuture<Response<Data?>> {
        uploadFuture(with: body, file: file, line: line) { try request.urlRequest(withBaseURL: baseURL) }
    }

    /// A future of an upload of the content of a file by a request for a server.
    ///
    /// The file is the body, as in ``uploadFuture(from:withFile:)``, and its errors are the same.
    ///
    /// The request is built once, when the future is started, on the thread that calls `send()` or awaits. The error of
    /// `urlRequest(withBaseURL:)` fails the future.
    ///
    /// - Parameters:
    ///   - request: the request; its own body is not sent.
    ///   - baseURL: the base URL of the server.
    ///   - bodyFile: the `file:` URL of the body.
    ///   - file: where the future is created, for messages.
    ///   - line: where the future is created.
    public func uploadFuture(
        from request: any Request, at baseURL: URL, withFile bodyFile: URL, file: String = #fileID, line: UInt = #line
    ) -> ResponseFuture<Response<Data?>> {
        uploadFuture(from: request, at: baseURL, with: .file(bodyFile), file: file, line: line)
    }

    /// A future of an upload of the chunks of an `AsyncSequence` by a request for a server.
    ///
    /// The chunks are the body, as in ``uploadFuture(from:withChunks:length:)``, and their errors are the same.
    ///
    /// The request is built once, when the future is started, on the thread that calls `send()` or awaits. The error of
    /// `urlRequest(withBaseURL:)` fails the future.
    ///
    /// - Parameters:
    ///   - request: the request; its own body is not sent.
    ///   - baseURL: the base URL of the server.
    ///   - chunks: the parts of the body, in order.
    ///   - length: the total number of bytes, if known beforehand.
    ///   - file: where the future is created, for messages.
    ///   - line: where the future is created.
    public func uploadFuture<Chunks: AsyncSequence & Sendable>(
        from request: any Request, at baseURL: URL, withChunks chunks: Chunks, length: Int64? = nil,
        file: String = #fileID, line: UInt = #line
    ) -> ResponseFuture<Response<Data?>> where Chunks.Element == Data {
        uploadFuture(
            from: request, at: baseURL, with: .chunks(TransferChunks(chunks, length: length)), file: file, line: line)
    }

    /// A future of an upload of a multipart form by a request for a server.
    ///
    /// The form is the body, as in ``uploadFuture(from:withForm:)``, and its errors are the same.
    ///
    /// The request is built once, when the future is started, on the thread that calls `send()` or awaits. The error of
    /// `urlRequest(withBaseURL:)` fails the future.
    ///
    /// - Parameters:
    ///   - request: the request; its own body and Content-Type are not sent.
    ///   - baseURL: the base URL of the server.
    ///   - form: the form.
    ///   - file: where the future is created, for messages.
    ///   - line: where the future is created.
    public func uploadFuture(
        from request: any Request, at baseURL: URL, withForm form: MultipartForm, file: String = #fileID,
        line: UInt = #line
    ) -> ResponseFuture<Response<Data?>> {
        uploadFuture(withForm: form, file: file, line: line) { try request.urlRequest(withBaseURL: baseURL) }
    }

    /// Reads the body into memory, and uploads it as data.
    public func uploadFuture(from urlRequest: URLRequest, with body: TransferBody) -> ResponseFuture<Response<Data?>> {
        ResponseFuture<Data> { try await body.collected(for: urlRequest) }
            .flatMap { uploadFuture(from: urlRequest, with: $0) }
    }
}

extension TransferBody {
    /// The whole body, in memory.
    ///
    /// - Throws: ``TransferError`` if its file can't be read, or if its chunks haven't the announced length; and the
    ///   error of its chunks.
    public func collected() async throws -> Data {
        switch self {
        case .none: return Data()
        case .data(let data): return data
        case .file(let file):
            let (handle, _) = try RegularFile.open(file)
            do { return try handle.readToEnd() ?? Data() } catch {
                throw TransferError(.unreadableBody, url: file, underlyingError: error)
            }
        case .chunks(let chunks): return try await chunks.measured.reduce(into: Data()) { $0.append($1) }
        }
    }

    /// The whole body of a request, which an error names if it names nothing else.
    package func collected(for urlRequest: URLRequest) async throws -> Data {
        do { return try await collected() } catch let error as TransferError { throw error.naming(urlRequest.url) }
    }
}
