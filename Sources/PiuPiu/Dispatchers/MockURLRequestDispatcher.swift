public import Foundation

#if canImport(FoundationNetworking)
    public import FoundationNetworking
#endif

/// A dispatcher without a network: a closure answers the requests.
///
/// ```swift
/// let dispatcher = MockURLRequestDispatcher(delay: 0.3) { request in
///     try Response.makeMockJSONResponse(with: request, encodable: Post.example, statusCode: .ok)
/// }
/// ```
///
/// A value without shared state, so that tests run side by side. Its futures report two updates: one before the
/// closure, one before the response (contract rule UPDATES). The closure sees the body of an upload as the request's
/// `httpBody`; what it answers to a download goes to the file, by the same rules as that of a server.
public struct MockURLRequestDispatcher: DataDispatcher, DownloadDispatcher, UploadDispatcher, StreamDispatcher {
    /// Makes the response to a request, or throws the error that the future is to fail with.
    public typealias ResponseCallback = @Sendable (URLRequest) throws -> Response<Data?>

    /// How long the response takes, in seconds of the clock; 0 or less, or a value that is no number, is not at all.
    public var delay: TimeInterval

    /// Answers the requests, once each, in the background; without it they fail with ``ResponseError/noResponse``.
    public var callback: ResponseCallback?

    private let clock: any Clock<Duration>

    /// Makes a mock.
    ///
    /// - Parameters:
    ///   - delay: how long the response takes, in seconds.
    ///   - clock: what measures the delay. A test hands over a clock of its own and needs no real time.
    ///   - callback: answers the requests.
    public init(
        delay: TimeInterval = 0, clock: any Clock<Duration> = ContinuousClock(), callback: @escaping ResponseCallback
    ) {
        self.delay = delay
        self.clock = clock
        self.callback = callback
    }

    /// A future of what ``callback`` answers.
    ///
    /// It fails with what the callback throws, and with ``ResponseError/noResponse`` if there is none. Cancelling it ends
    /// the delay.
    public func dataFuture(from urlRequest: URLRequest) -> ResponseFuture<Response<Data?>> {
        ResponseFuture(reportingOperation: { [self] report in try await answer(to: urlRequest, report) })
    }

    /// A future of what ``callback`` answers to this request with these bytes as its `httpBody`.
    public func uploadFuture(from urlRequest: URLRequest, with data: Data) -> ResponseFuture<Response<Data?>> {
        uploadFuture(from: urlRequest, with: .data(data))
    }

    /// A future of what ``callback`` answers to this request with the body as its `httpBody`; a file and chunks are
    /// read for that.
    public func uploadFuture(from urlRequest: URLRequest, with body: TransferBody) -> ResponseFuture<Response<Data?>> {
        ResponseFuture(reportingOperation: { [self] report in
            var request = urlRequest
            request.httpBody = try await body.collected()
            return try await answer(to: request, report)
        })
    }

    /// A future of a file with the body that ``callback`` answers.
    ///
    /// Fails with a ``FileTransferError`` if the file can't be written, which leaves the one that is there as it was.
    public func downloadFuture(from urlRequest: URLRequest, to destination: URL) -> ResponseFuture<Response<URL>> {
        ResponseFuture(reportingOperation: { [self] report in
            let part = try PartialFile(for: destination, isResumable: false)
            let response = try await answer(to: urlRequest, report)
            if response.urlResponse.bringsFile {
                let file = try part.open(keeping: 0)
                do {
                    try file.write(response.data ?? Data())
                } catch {
                    part.discard(file)
                    throw error
                }
                try part.move(file)
            }
            return Response(response: response, data: destination)
        })
    }

    /// A future of a stream of the body that ``callback`` answers.
    public func streamFuture(from urlRequest: URLRequest) -> ResponseFuture<Response<StreamedBody>> {
        ResponseFuture(reportingOperation: { [self] report in
            let response = try await answer(to: urlRequest, report)
            return Response(response: response, data: StreamedBody(of: response.data ?? Data()))
        })
    }

    private func answer(
        to urlRequest: URLRequest, _ report: @Sendable (TransferUpdate) -> Void
    ) async throws -> Response<Data?> {
        report(TransferUpdate(stage: .started))
        guard let callback else { throw ResponseError.noResponse }
        let response = try callback(urlRequest)
        if delay > 0 { try await clock.sleep(for: .seconds(min(delay, Self.longestDelay))) }
        try Task.checkCancellation()
        let count = Int64(response.data?.count ?? 0)
        report(
            TransferUpdate(
                stage: .received, progress: TransferProgress(bytesReceived: count, bytesExpectedToReceive: count)))
        return response
    }

    /// Some thirty years: a `Duration` can't hold every `TimeInterval`.
    private static let longestDelay: TimeInterval = 1e9
}
