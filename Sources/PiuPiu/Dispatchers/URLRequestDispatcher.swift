public import Foundation

#if canImport(FoundationNetworking)
    public import FoundationNetworking
#endif

/// The dispatcher that sends requests: through `URLSession` on Apple platforms, through libcurl on Linux.
///
/// ```swift
/// let dispatcher = URLRequestDispatcher()
/// let future = dispatcher.dataFuture(from: URLRequest(url: url, method: .get))
/// ```
///
/// A `Sendable` value: copies share one engine, a running future keeps it alive, and when the last of both is gone it is
/// freed with its connections (contract rule VALUE of <doc:Contract>).
///
/// The futures it makes report one update at the start, one for each part of the request's body that was sent, one for
/// the head of the response and one for each chunk of its body (contract rule UPDATES). They fail with:
/// - ``InvalidRequestError`` if the request can't be sent as it is (no host, a header that would inject another…);
/// - ``TransferError`` if there is no complete response: refused, unresolvable, timed out, cut off…
///
/// With one origin (scheme, host and port) as many exchanges are under way at once as the configuration's
/// `httpMaximumConnectionsPerHost` says, usually six, over HTTP/2 a hundred; as many downloads may be beside them, and as many
/// streams. Others wait for their turn, first come first served: see ``TransferSettings/exchangesPerOrigin``. A request's
/// `timeoutInterval` begins when it is sent. Only a stream waits no longer than that: those before it may never end.
///
/// Headers that hold secrets, such as `Authorization`, `Cookie` and `X-API-Key`, don't follow a redirect to another scheme,
/// host or port. `file:` and `data:` URLs are answered too, on every platform.
///
/// A request goes through the ``RequestAdapter`` before it is sent, and each response through the ``ResponseAdapter``.
///
/// `URLSession` can be had on Linux as well, for `URLProtocol` stubs: `URLRequestDispatcher(engine: .urlSession(…))`. Where
/// libcurl can't be loaded, as in a static executable, it takes over by itself; ``URLSessionEngine`` says what it can't do.
public struct URLRequestDispatcher: RequestDispatcher, InlineDispatcher {
    private struct Parts: Sendable {
        let engine: EngineRouter
        let requestAdapter: (any RequestAdapter)?
        let responseAdapter: (any ResponseAdapter)?
        let redirectPolicy: RedirectPolicy
    }

    /// Each exchange retains them.
    private let parts: Boxed<Parts>

    private var engine: EngineRouter { parts.value.engine }
    private var requestAdapter: (any RequestAdapter)? { parts.value.requestAdapter }
    private var responseAdapter: (any ResponseAdapter)? { parts.value.responseAdapter }
    private var redirectPolicy: RedirectPolicy { parts.value.redirectPolicy }

    /// How many bytes of a body are collected in memory: ``standardMaximumBodySize``, unless set otherwise.
    ///
    /// ```swift
    /// var dispatcher = URLRequestDispatcher()
    /// dispatcher.maximumBodySize = 1 << 20
    /// ```
    ///
    /// A data or upload future whose response has a longer body, or announces one, fails with
    /// ``TransferError/Kind/bodyTooLarge``, and the transfer is given up. What counts is the body as it arrives here, with its
    /// content coding undone, so that a small response can't unpack to a large one. Downloads and streams have no limit: they take
    /// constant memory.
    ///
    /// It counts for the futures that are made afterwards, and belongs to this copy of the dispatcher alone.
    ///
    /// Source: `collect(upTo:)` of async-http-client.
    public var maximumBodySize = standardMaximumBodySize

    /// 256 MiB.
    public static let standardMaximumBodySize = 256 << 20

    /// Makes a dispatcher with an engine of its own.
    ///
    /// - Parameters:
    ///   - configuration: what the engine is made from; it is copied. Headers, timeouts, connections per host, cookie
    ///     storage and cookie policy count on every platform: see ``TransferSettings/init(_:)``. The cookie storage of
    ///     `.default` is shared by the whole process, `.ephemeral` has one of its own. So do its proxies: see
    ///     ``CurlEngine``. Its cache counts on Apple platforms alone, and so do its TLS versions, which a configuration
    ///     doesn't have on Linux; `security` has one for all platforms.
    ///   - security: which servers are trusted, and what they are shown.
    ///   - requestAdapter: changes each request before it is sent. For several, make a ``RequestAdapterChain``.
    ///   - responseAdapter: changes the head of each response before anybody sees it.
    ///   - redirectPolicy: what becomes of redirects.
    public init(
        configuration: URLSessionConfiguration = .default, security: TransferSecurity = TransferSecurity(),
        requestAdapter: (any RequestAdapter)? = nil, responseAdapter: (any ResponseAdapter)? = nil,
        redirectPolicy: RedirectPolicy = .follow
    ) {
        self.init(
            engine: Self.standardEngine(configuration, security), requestAdapter: requestAdapter,
            responseAdapter: responseAdapter, redirectPolicy: redirectPolicy)
    }

    /// Makes a dispatcher over another HTTP client.
    ///
    /// - Parameters:
    ///   - engine: carries out the exchanges. Dispatchers may share one; it ends with the last of them.
    ///   - requestAdapter: changes each request before it is sent.
    ///   - responseAdapter: changes the head of each response before anybody sees it.
    ///   - redirectPolicy: what becomes of redirects.
    public init(
        engine: any TransferEngine, requestAdapter: (any RequestAdapter)? = nil,
        responseAdapter: (any ResponseAdapter)? = nil, redirectPolicy: RedirectPolicy = .follow
    ) {
        parts = Boxed(
            Parts(
                engine: EngineRouter(engine), requestAdapter: requestAdapter, responseAdapter: responseAdapter,
                redirectPolicy: redirectPolicy))
    }

    /// The same dispatcher over what is made of its engine.
    func over(_ decorated: (any TransferEngine) -> any TransferEngine) -> URLRequestDispatcher {
        var copy = URLRequestDispatcher(
            engine: decorated(engine.engine), requestAdapter: requestAdapter, responseAdapter: responseAdapter,
            redirectPolicy: redirectPolicy)
        copy.maximumBodySize = maximumBodySize
        return copy
    }

    /// What it is made of, for its description.
    var kindsOfParts: [Any.Type] {
        let adapters: [Any?] = [requestAdapter, responseAdapter]
        return [type(of: engine.engine)] + adapters.compactMap(\.self).map { type(of: $0) }
    }

    /// libcurl where it can be had, as `URLSession` on Linux is a thin layer over it, with faults that end a process.
    private static func standardEngine(
        _ configuration: URLSessionConfiguration, _ security: TransferSecurity
    ) -> any TransferEngine {
        #if canImport(CPiuPiuCurl)
            if let engine = CurlEngine(configuration: configuration, security: security) { return engine }
        #endif
        return URLSessionEngine(configuration: configuration, security: security)
    }

    /// A future of the server's response to this request, whatever its status.
    ///
    /// The request is checked and sent when the future is started, and given up when it is cancelled. The response
    /// names the request that it answers: the adapted one; after redirects, the last one.
    public func dataFuture(from urlRequest: URLRequest) -> ResponseFuture<Response<Data?>> {
        exchange(urlRequest, body: nil)
    }

    /// A future of the server's response to this request, sent with these bytes as its body.
    public func uploadFuture(from urlRequest: URLRequest, with data: Data) -> ResponseFuture<Response<Data?>> {
        exchange(urlRequest, body: data.isEmpty ? TransferBody.none : .data(data))
    }

    /// A future of the server's response to this request, sent with a body that may be a file or come in chunks.
    ///
    /// Fails with ``TransferError/Kind/fileNotFound`` or ``TransferError/Kind/unreadableBody`` if the body can't be
    /// read, and with what its chunks throw.
    public func uploadFuture(from urlRequest: URLRequest, with body: TransferBody) -> ResponseFuture<Response<Data?>> {
        exchange(urlRequest, body: body)
    }

    /// A future of the server's response to this request, whose body goes to a file: see
    /// ``DownloadDispatcher/downloadFuture(from:to:)``.
    ///
    /// Fails with a ``FileTransferError`` if the file can't be written, which leaves the one that is there as it was.
    public func downloadFuture(from urlRequest: URLRequest, to destination: URL) -> ResponseFuture<Response<URL>> {
        downloadFuture(from: urlRequest, to: destination, isResumable: false)
    }

    /// A future of a download that goes on where an earlier one was interrupted.
    ///
    /// ```swift
    /// let film = dispatcher.downloadFuture(from: request, to: file, isResumable: true)
    /// film.cancel()               // or the connection breaks, or the app ends
    /// // … later, in the same way:
    /// let rest = dispatcher.downloadFuture(from: request, to: file, isResumable: true)
    /// ```
    ///
    /// What has arrived of an interrupted download stays in a hidden file beside the destination, `.NAME.part`, with a
    /// record of the server's entity tag or date. The next resumable download of the same URL to the same place asks
    /// for the rest by a range request (RFC 9110, section 14), and by `If-Range` for all of it if the file has changed.
    /// A server that knows no ranges, or gives no strong entity tag and no date older than a minute, sends all of it
    /// again. Of a file that was whole already, but hadn't been moved, the last byte is asked for. Only a GET without a
    /// body and a `Range` of its own is resumed.
    ///
    /// - Parameters:
    ///   - urlRequest: the request.
    ///   - destination: the `file:` URL that the body goes to.
    ///   - isResumable: whether an interrupted download leaves what has arrived.
    public func downloadFuture(
        from urlRequest: URLRequest, to destination: URL, isResumable: Bool
    ) -> ResponseFuture<Response<URL>> {
        ResponseFuture(of: urlRequest) { [self] report in
            let download = Download(
                request: try await adapted(urlRequest), destination: destination, isResumable: isResumable,
                engine: engine, redirectPolicy: redirectPolicy, responseAdapter: responseAdapter)
            return try await download.run(report: report)
        }
    }

    /// A future of the response to this request, whose body is read while it arrives: see
    /// ``StreamDispatcher/streamFuture(from:)``.
    public func streamFuture(from urlRequest: URLRequest) -> ResponseFuture<Response<StreamedBody>> {
        ResponseFuture(of: urlRequest) { [self] report in
            var request = TransferRequest(try await adapted(urlRequest), expectsLargeResponse: true)
            (request.redirectPolicy, request.isStream) = (redirectPolicy, true)
            let (body, head, answered) = try await Transfer.run(request, on: engine, into: StreamSink(), report: report)
            let adapted = try await responseAdapter.adapt(head, for: answered)
            return Response(data: body, urlRequest: answered, head: adapted)
        }
    }

    /// Lets running requests finish; requests started later fail with `TransferError.Kind.sessionInvalidated`.
    public func finishTasksAndInvalidate() {
        engine.finishTasksAndInvalidate()
    }

    /// Cancels running requests, whose futures end as cancelled; requests started later fail with
    /// `TransferError.Kind.sessionInvalidated`.
    public func invalidateAndCancel() {
        engine.invalidateAndCancel()
    }

    /// An exchange whose response is collected in memory.
    private func exchange(_ urlRequest: URLRequest, body: TransferBody?) -> ResponseFuture<Response<Data?>> {
        ResponseFuture(parent: nil, origin: RequestOrigin(urlRequest)) {
            [self] (_: AnyResponseFuture, run: FutureRun) async throws in
            try Task.checkCancellation()
            return TypedFutureValue(try await response(to: urlRequest, body: body, in: InlineWork(run)))
        }
    }

    package func response(
        to urlRequest: URLRequest, body: TransferBody?, in work: InlineWork
    ) async throws -> Response<Data?> {
        // Most requests have none of what these two are for, and need no frames for it.
        if PolicyContext.current.isOfAnother(urlRequest) {
            return try await ExchangeObservation.carryOut(urlRequest) {
                try await response(to: urlRequest, body: body, in: work)
            }
        }
        if !endsPromptly { return try await adaptedResponse(to: urlRequest, body: body, in: work) }
        let source = TransferSource()
        defer { work.run.endUpdates(of: source) }
        return try await DataSink.response(
            Transfer.run(
                transferRequest(urlRequest, body: body), on: engine, into: DataSink(limit: maximumBodySize),
                cancellation: work.cancellation, report: work.run.reporter(of: source)))
    }

    @inline(never)
    private func adaptedResponse(
        to urlRequest: URLRequest, body: TransferBody?, in work: InlineWork
    ) async throws -> Response<Data?> {
        let source = TransferSource()
        defer { work.run.endUpdates(of: source) }
        let request = transferRequest(try await adapted(urlRequest), body: body)
        let (data, head, answered) = try await Transfer.run(
            request, on: engine, into: DataSink(limit: maximumBodySize), cancellation: work.cancellation,
            report: work.run.reporter(of: source))
        return Response(data: data, urlRequest: answered, head: try await responseAdapter.adapt(head, for: answered))
    }

    // Not inlined: the frames of functions that suspend are on the heap, and are to be small.
    @inline(never)
    private func transferRequest(_ urlRequest: URLRequest, body: TransferBody?) -> TransferRequest {
        var request = TransferRequest(urlRequest, body: body)
        request.redirectPolicy = redirectPolicy
        return request
    }

    package var endsPromptly: Bool { requestAdapter == nil && responseAdapter == nil }

    private func adapted(_ urlRequest: URLRequest) async throws -> URLRequest {
        try await requestAdapter?.adapt(urlRequest) ?? urlRequest
    }
}

extension Optional<any ResponseAdapter> {
    /// The head as the adapter wants it. Without one it stays as it came, and nothing of Foundation's is made.
    func adapt(_ head: TransferHead, for urlRequest: URLRequest) async throws -> TransferHead {
        guard let adapter = self else { return head }
        return head.replacing(try await adapter.adapt(head.urlResponse, for: urlRequest))
    }
}
