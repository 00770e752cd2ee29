public import Foundation

#if canImport(FoundationNetworking)
    public import FoundationNetworking
#endif

/// A dispatcher without a network: one function answers its data, upload, download and stream futures.
///
/// ```swift
/// struct EchoDispatcher: MockDispatcher {
///     func answer(to request: URLRequest) async throws -> Response<Data?> {
///         Response.makeMockResponse(with: request, data: request.httpBody, statusCode: .ok)
///     }
/// }
/// ```
///
/// Its futures report two updates: one before the answer is asked for, one before the response (contract rule UPDATES).
/// They settle once, and cancelling them cancels the task that makes the answer. After the deadline of the task, no
/// answer is asked for (D3 NOTHING). The body of an upload becomes the request's `httpBody`; files and chunks are read
/// for that, before the answer is asked for, so one-time chunks are not sent again after any failure. The answer to a
/// download is written to the file, by the same rules as that of a server (FILES). As from a network, an empty body
/// arrives as `nil`, and an answer to HEAD, a 204 and a 304 arrive without a body.
///
/// A request isn't checked: one that a network's dispatcher refuses is answered, too. <doc:Testing> lists what mocks
/// leave out.
public protocol MockDispatcher: RequestDispatcher {
    /// Answers a request, or throws the error that its future fails with.
    ///
    /// Called once for each future that is started, off the main actor. A direct call may run where its caller runs.
    func answer(to urlRequest: URLRequest) async throws -> Response<Data?>
}

extension MockDispatcher {
    /// A future of the answer to this request.
    public func dataFuture(from urlRequest: URLRequest) -> ResponseFuture<Response<Data?>> {
        ResponseFuture(of: urlRequest) { [self] _, report in try await answer(to: urlRequest, report) }
    }

    /// A future of the answer to this request with these bytes as its `httpBody`.
    public func uploadFuture(from urlRequest: URLRequest, with data: Data) -> ResponseFuture<Response<Data?>> {
        uploadFuture(from: urlRequest, with: .data(data))
    }

    /// A future of the answer to this request with the body as its `httpBody`; files and chunks are read for that.
    public func uploadFuture(from urlRequest: URLRequest, with body: TransferBody) -> ResponseFuture<Response<Data?>> {
        ResponseFuture(of: urlRequest) { [self] _, report in
            var request = urlRequest
            request.httpBody = if case .none = body { nil } else { try await body.collected(for: urlRequest) }
            return try await answer(to: request, report)
        }
    }

    /// A future of a file with the body of the answer.
    ///
    /// Fails with a ``FileTransferError`` if the file can't be written, and with a ``TransferError`` if a server's
    /// answer would, for example as it is shorter than its `Content-Length`. An existing file then stays as it was.
    public func downloadFuture(from urlRequest: URLRequest, to destination: URL) -> ResponseFuture<Response<URL>> {
        ResponseFuture(of: urlRequest) { [self] _, report in
            let part = try PartialFile(for: destination, isResumable: false)
            let response = try await answer(to: urlRequest, report)
            // What the bytes of a server go through, too: the same rules, and the same errors.
            let sink = DownloadSink(part, of: urlRequest.url, resumption: nil)
            do {
                let (head, file) = try sink.receive(response, to: urlRequest)
                if let file { try await part.move(file) }
                return Response(data: destination, urlRequest: response.urlRequest, head: head)
            } catch {
                sink.leave()
                throw error
            }
        }
    }

    /// A future of a stream of the body of the answer.
    public func streamFuture(from urlRequest: URLRequest) -> ResponseFuture<Response<StreamedBody>> {
        streamFuture(from: urlRequest, answeredBy: { (try await answer(to: $0), nil) })
    }

    /// A future of a stream of the body of an answer, which fails after the body if there is an error beside it.
    package func streamFuture(
        from urlRequest: URLRequest,
        answeredBy ask: @escaping @Sendable (URLRequest) async throws -> (Response<Data?>, failure: TransferError?)
    ) -> ResponseFuture<Response<StreamedBody>> {
        ResponseFuture(of: urlRequest) { [self] _, report in
            let (response, failure) = try await answer(to: urlRequest, report, by: ask)
            let body = StreamedBody(of: response.data ?? Data(), failingWith: failure?.naming(urlRequest.url))
            return Response(response: response, data: body)
        }
    }

    private func answer(
        to urlRequest: URLRequest, _ report: @Sendable (TransferUpdate) -> Void
    ) async throws -> Response<Data?> {
        try await answer(to: urlRequest, report, by: { (try await answer(to: $0), nil) }).response
    }

    private func answer(
        to urlRequest: URLRequest, _ report: @Sendable (TransferUpdate) -> Void,
        by ask: @Sendable (URLRequest) async throws -> (Response<Data?>, failure: TransferError?)
    ) async throws -> (response: Response<Data?>, failure: TransferError?) {
        // As before the transfer of a network's dispatcher: after the deadline nothing is asked for.
        try Deadline.current?.check(urlRequest)
        let observation = ExchangeObservation.current, transfers = observation?.transferCount
        report(TransferUpdate(stage: .started))
        let answer: Response<Data?>, failure: TransferError?
        do {
            (answer, failure) = try await ask(urlRequest)
        } catch let error as TransferError {
            // As that of an engine, which knows what it has failed to load.
            throw error.naming(urlRequest.url)
        }
        try Task.checkCancellation()
        let response = answer.delivered(to: urlRequest)
        let count = Int64(response.data?.count ?? 0)
        // Unless the answer came from a transfer, which has reported it already.
        if let observation, observation.transferCount == transfers { observation.report(response, to: urlRequest) }
        report(
            TransferUpdate(
                stage: .received, progress: TransferProgress(bytesReceived: count, bytesExpectedToReceive: count)))
        return (response, failure)
    }
}

extension Response where Body == Data? {
    /// The response as a network delivers it.
    fileprivate func delivered(to urlRequest: URLRequest) -> Self {
        let isBare = urlRequest.httpMethod?.uppercased() == "HEAD" || [204, 304].contains(head.status)
        return isBare || data?.isEmpty == true ? Self(response: self, data: nil) : self
    }
}

extension DownloadSink {
    /// Writes a response that is complete.
    fileprivate func receive(
        _ response: Response<Data?>, to urlRequest: URLRequest
    ) throws -> (head: TransferHead, file: WritableFile?) {
        let body = response.data ?? Data()
        for event in [TransferEvent.head(response.head, request: urlRequest), .body(body), .finished] {
            guard let outcome = receive(event) else { continue }
            let (head, _, file) = try outcome.get()
            return (head, file)
        }
        throw TransferError(.badResponse, url: urlRequest.url)
    }
}
