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
/// arrives as `nil`, and an answer to HEAD, a 204 and a 304 arrive without a body. A stream has all of the answer's body
/// at once, unless the mock implements ``streamAnswer(to:)``, too.
///
/// A request isn't checked: one that a network's dispatcher refuses is answered, too. <doc:Testing> lists what mocks
/// leave out.
public protocol MockDispatcher: RequestDispatcher {
    /// Answers a request, or throws the error that its future fails with.
    ///
    /// Called once for each future that is started, off the main actor. A direct call may run where its caller runs.
    func answer(to urlRequest: URLRequest) async throws -> Response<Data?>

    /// Answers a request for a stream, or throws the error that its future fails with.
    ///
    /// ```swift
    /// func streamAnswer(to request: URLRequest) async throws -> Response<StreamedBody> {
    ///     let head = Response.makeMockResponse(with: request, statusCode: .ok)
    ///     return Response(response: head, data: StreamedBody(prices))
    /// }
    /// ```
    ///
    /// It is called in place of ``answer(to:)``, in the same way. By default it is that answer, with all of its body
    /// there from the start.
    func streamAnswer(to urlRequest: URLRequest) async throws -> Response<StreamedBody>
}

extension MockDispatcher {
    /// The answer of ``answer(to:)``, with all of its body there from the start.
    public func streamAnswer(to urlRequest: URLRequest) async throws -> Response<StreamedBody> {
        try await answer(to: urlRequest).streamed
    }

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
    ///
    /// If the body comes in chunks, the second update is that of a head: it has no number of bytes.
    public func streamFuture(from urlRequest: URLRequest) -> ResponseFuture<Response<StreamedBody>> {
        ResponseFuture(of: urlRequest) { [self] _, report in
            try await answer(to: urlRequest, report, length: \.lengthAtHand) {
                try await streamAnswer(to: $0).delivered(to: $0)
            }
        }
    }

    private func answer(
        to urlRequest: URLRequest, _ report: @Sendable (TransferUpdate) -> Void
    ) async throws -> Response<Data?> {
        try await answer(to: urlRequest, report, length: { Int64($0?.count ?? 0) }) {
            try await answer(to: $0).delivered(to: $0)
        }
    }

    /// - Parameters:
    ///   - length: returns the length of a body, if all of it is there.
    ///   - ask: asks for the answer.
    private func answer<Body: Sendable>(
        to urlRequest: URLRequest, _ report: @Sendable (TransferUpdate) -> Void, length: (Body) -> Int64?,
        by ask: (URLRequest) async throws -> Response<Body>
    ) async throws -> Response<Body> {
        // As before the transfer of a network's dispatcher: after the deadline nothing is asked for.
        try Deadline.current?.check(urlRequest)
        let observation = ExchangeObservation.current.map(ExchangeObservation.init(ofOneAnswerIn:))
        report(TransferUpdate(stage: .started))
        let response: Response<Body>
        do {
            response = try await ExchangeObservation.carryOut(observedBy: observation) {
                try await ask(urlRequest)
            }
        } catch let error as TransferError {
            // As that of an engine, which knows what it has failed to load.
            throw error.naming(urlRequest.url)
        }
        try Task.checkCancellation()
        let length = length(response.data)
        // Unless the answer came from a transfer, which has reported it already.
        if let observation, observation.transferCount == 0 {
            observation.report(response.head, received: length, to: urlRequest)
        }
        report(length.map(TransferUpdate.init(received:)) ?? TransferUpdate(stage: .responded))
        return response
    }
}

extension TransferUpdate {
    /// All of a body is there.
    fileprivate init(received count: Int64) {
        self.init(
            stage: .received, progress: TransferProgress(bytesReceived: count, bytesExpectedToReceive: count))
    }
}

extension Response where Body == Data? {
    /// The same as a stream, with all of the body there from the start.
    package var streamed: Response<StreamedBody> {
        Response<StreamedBody>(response: self, data: StreamedBody(of: data ?? Data()))
    }

    /// The response as a network delivers it.
    fileprivate func delivered(to urlRequest: URLRequest) -> Self {
        head.isBare(answering: urlRequest) || data?.isEmpty == true ? Self(response: self, data: nil) : self
    }
}

extension Response where Body == StreamedBody {
    /// The response as a network delivers it.
    fileprivate func delivered(to urlRequest: URLRequest) -> Self {
        head.isBare(answering: urlRequest) ? Self(response: self, data: StreamedBody(of: Data())) : self
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
