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
/// A `Sendable` value. Copies share one engine, and a running future retains it. When the last of them is released, so
/// are the engine and its connections (contract rule VALUE of <doc:Contract>).
///
/// Its futures report one update at the start, one for each part of the request's body that was sent, one for the head
/// of the response and one for each chunk of its body (contract rule UPDATES). They fail with:
/// - ``InvalidRequestError`` if the request can't be sent as it is (no host, a header that would inject another…);
/// - ``TransferError`` if there is no complete response: refused, unresolvable, timed out, cut off…
///
/// The configuration's `httpMaximumConnectionsPerHost`, usually six, limits the exchanges in flight with one origin
/// (scheme, host and port): so many data requests and uploads, or a hundred over HTTP/2, and beside them so many
/// downloads, so many streams, and so many uploads of unknown length. Further exchanges wait for their turn, first come first served: see
/// ``TransferSettings/exchangesPerOrigin``. A request's `timeoutInterval` starts when it is sent; one of 60
/// seconds, the default, counts as unset (``TransferSettings/timeout``). Only a stream also waits no longer than that
/// for its turn, as the streams ahead of it may never end.
///
/// Headers with secrets, such as `Authorization`, `Cookie` and `X-API-Key`, don't follow a redirect to another scheme,
/// host or port. `file:` and `data:` URLs are also answered, on every platform.
///
/// A request passes the ``RequestAdapter`` before it is sent, and each response passes the ``ResponseAdapter``.
///
/// `URLSession` is also available on Linux, for `URLProtocol` stubs: `URLRequestDispatcher(engine: .urlSession(…))`. If
/// libcurl is older than 7.66, the dispatcher falls back to it; ``URLSessionEngine`` lists its faults.
public struct URLRequestDispatcher: RequestDispatcher, InlineDispatcher {
    private struct Parts: Sendable {
        var engine: EngineRouter
        var requestAdapter: (any RequestAdapter)?
        var responseAdapter: (any ResponseAdapter)?
        var redirectPolicy: RedirectPolicy
        var downloadLine = DownloadLine.shared
    }

    /// Retained by each exchange.
    private var parts: Boxed<Parts>

    private var engine: EngineRouter { parts.value.engine }

    var requestAdapter: (any RequestAdapter)? {
        get { parts.value.requestAdapter }
        set { parts.value.requestAdapter = newValue }
    }

    var responseAdapter: (any ResponseAdapter)? {
        get { parts.value.responseAdapter }
        set { parts.value.responseAdapter = newValue }
    }

    /// How redirects are handled; ``RedirectPolicy/follow`` by default.
    ///
    /// ```swift
    /// var signIn = dispatcher
    /// signIn.redirectPolicy = .decide { _, next in next.url?.scheme == "myapp" ? nil : next }
    /// ```
    ///
    /// It affects futures that are made later, and only of this copy of the dispatcher. All copies share the engine, its
    /// connections and its cookies.
    public var redirectPolicy: RedirectPolicy {
        get { parts.value.redirectPolicy }
        set { parts.value.redirectPolicy = newValue }
    }

    /// How many bytes of a body are collected in memory; ``standardMaximumBodySize`` by default.
    ///
    /// ```swift
    /// var dispatcher = URLRequestDispatcher()
    /// dispatcher.maximumBodySize = 1 << 20
    /// ```
    ///
    /// If a response has or announces a longer body, its data or upload future fails with
    /// ``TransferError/Kind/bodyTooLarge``, and the transfer is cancelled. The limit is for the decoded body, so that a
    /// small response can't unpack to a large one. Downloads and streams have no limit: they take constant memory.
    ///
    /// It affects futures that are made later, and only of this copy of the dispatcher.
    ///
    /// Source: `collect(upTo:)` of async-http-client.
    public var maximumBodySize = standardMaximumBodySize

    /// Where resumable downloads wait before they open files. It affects futures that are made later.
    package var downloadLine: DownloadLine {
        get { parts.value.downloadLine }
        set { parts.value.downloadLine = newValue }
    }

    /// 256 MiB.
    public static let standardMaximumBodySize = 256 << 20

    /// Makes a dispatcher with its own engine.
    ///
    /// - Parameters:
    ///   - configuration: the configuration of the engine; it is copied. Headers, timeouts, connections per host,
    ///     proxies, cookie storage and cookie policy count on every platform: see ``TransferSettings/init(_:)`` and
    ///     ``CurlEngine``. The whole process shares the cookie storage of `.default`; `.ephemeral` has its own. The
    ///     cache and the protocol classes count only on Apple platforms. So do the TLS versions, which a configuration
    ///     lacks on Linux; `security` has one for all platforms.
    ///   - security: which servers are trusted, and the client certificate.
    ///   - requestAdapter: changes each request before it is sent. For several, make a ``RequestAdapterChain``, or add
    ///     them with `adapting(requestAdapter:responseAdapter:)`.
    ///   - responseAdapter: changes the head of each response before the caller sees it.
    ///   - redirectPolicy: how redirects are handled.
    public init(
        configuration: URLSessionConfiguration = .default, security: TransferSecurity = TransferSecurity(),
        requestAdapter: (any RequestAdapter)? = nil, responseAdapter: (any ResponseAdapter)? = nil,
        redirectPolicy: RedirectPolicy = .follow
    ) {
        self.init(
            engine: StandardEngine.make(configuration, security), requestAdapter: requestAdapter,
            responseAdapter: responseAdapter, redirectPolicy: redirectPolicy)
    }

    /// Makes a dispatcher over another HTTP client.
    ///
    /// - Parameters:
    ///   - engine: carries out the exchanges. Dispatchers may share one: it ends with the last of them, or when one of
    ///     them is invalidated.
    ///   - requestAdapter: changes each request before it is sent.
    ///   - responseAdapter: changes the head of each response before the caller sees it.
    ///   - redirectPolicy: how redirects are handled.
    public init(
        engine: any TransferEngine, requestAdapter: (any RequestAdapter)? = nil,
        responseAdapter: (any ResponseAdapter)? = nil, redirectPolicy: RedirectPolicy = .follow
    ) {
        parts = Boxed(
            Parts(
                engine: EngineRouter(engine), requestAdapter: requestAdapter, responseAdapter: responseAdapter,
                redirectPolicy: redirectPolicy))
    }

    /// The same dispatcher over a decorated engine: both end together.
    func over(_ decorated: (any TransferEngine) -> any TransferEngine) -> URLRequestDispatcher {
        var copy = self
        copy.parts.value.engine = engine.decorated(decorated)
        return copy
    }

    /// The types of its parts, for its description.
    var kindsOfParts: [Any.Type] {
        let adapters: [Any?] = [requestAdapter, responseAdapter]
        return [type(of: engine.engine)] + adapters.compactMap(\.self).map { type(of: $0) }
    }

    /// A future of the server's response to this request, whatever its status.
    ///
    /// Starting the future checks and sends the request, and cancelling the future cancels it. The response names the
    /// request that it answers: the adapted one; after redirects, the last one.
    public func dataFuture(from urlRequest: URLRequest) -> ResponseFuture<Response<Data?>> {
        exchange(urlRequest, body: nil)
    }

    /// A future of the server's response to this request, sent with these bytes as its body.
    public func uploadFuture(from urlRequest: URLRequest, with data: Data) -> ResponseFuture<Response<Data?>> {
        exchange(urlRequest, body: .data(data))
    }

    /// A future of the server's response to this request, sent with a body that may be a file or come in chunks.
    ///
    /// Fails with ``TransferError/Kind/fileNotFound`` or ``TransferError/Kind/unreadableBody`` if the body can't be
    /// read, and with the error of its chunks.
    public func uploadFuture(from urlRequest: URLRequest, with body: TransferBody) -> ResponseFuture<Response<Data?>> {
        exchange(urlRequest, body: body)
    }

    /// A future of the server's response to this request, with its body in a file: see
    /// ``DownloadDispatcher/downloadFuture(from:to:)``.
    ///
    /// Fails with a ``FileTransferError`` if the file can't be written. An existing file is left alone then.
    public func downloadFuture(from urlRequest: URLRequest, to destination: URL) -> ResponseFuture<Response<URL>> {
        downloadFuture(from: urlRequest, to: destination, isResumable: false)
    }

    /// A future of a download that resumes an interrupted one.
    ///
    /// ```swift
    /// let film = dispatcher.downloadFuture(from: request, to: file, isResumable: true)
    /// film.cancel()               // or the connection breaks, or the app ends
    /// // … later, in the same way:
    /// let rest = dispatcher.downloadFuture(from: request, to: file, isResumable: true)
    /// ```
    ///
    /// The bytes of an interrupted download stay in a hidden file beside the destination, `.NAME.part`, with a record
    /// of the server's entity tag or date. The next resumable download of the same URL to the same place requests the
    /// rest with a range (RFC 9110, section 14), whatever adapters and policies have put into the URL. With `If-Range`
    /// it requests the whole file if that has changed. A server without ranges, or with neither a strong entity tag nor
    /// a date older than a minute, sends the whole file again. If the file was complete, but not moved yet, the last
    /// byte is requested. Only a GET without a body and without its own `Range` is resumed. A file whose name has more
    /// than 200 bytes isn't resumable, nor is a second download to the same place at the same time, nor any on a volume
    /// that can't lock files.
    ///
    /// Such a download has two files open from before its request is sent until it is over. So that many of them don't
    /// take all descriptors, they wait in a line of the process before they open any: the slots are an eighth of the
    /// descriptors that the process may have when it makes its first dispatcher, at least 6 and at most 256; half of
    /// them, at least 6, go to one origin. It is first come, first served, and origins take turns. A deadline runs
    /// meanwhile, but no timeout does, and the update at the start comes afterwards. A cancelled download leaves the
    /// line at once. The dispatcher's engine doesn't know of those that wait: if it is invalidated before their turn,
    /// they fail with ``TransferError/Kind/sessionInvalidated``, and its ``TransferSettings/wholeTimeout`` begins
    /// afterwards. A cache is asked afterwards, too.
    ///
    /// Other downloads have one file open until it is in its place. They wait in a line of their own, by the same
    /// rules: its slots are a quarter of the descriptors, at least 6.
    ///
    /// - Parameters:
    ///   - urlRequest: the request.
    ///   - destination: the `file:` URL for the body.
    ///   - isResumable: whether an interrupted download keeps the bytes that have arrived.
    public func downloadFuture(
        from urlRequest: URLRequest, to destination: URL, isResumable: Bool
    ) -> ResponseFuture<Response<URL>> {
        ResponseFuture(of: urlRequest) { [self] run, report in
            let source = PolicyContext.current.original(of: urlRequest).url
            let download = Download(
                request: try await adapted(urlRequest), source: source, destination: destination,
                isResumable: isResumable, line: downloadLine, engine: engine, redirectPolicy: redirectPolicy,
                responseAdapter: responseAdapter)
            return try await download.run(for: run, report: report)
        }
    }

    /// A future of the response to this request, with a body that is read while it arrives: see
    /// ``StreamDispatcher/streamFuture(from:)``.
    public func streamFuture(from urlRequest: URLRequest) -> ResponseFuture<Response<StreamedBody>> {
        ResponseFuture(of: urlRequest) { [self] _, report in
            var request = TransferRequest(try await adapted(urlRequest), expectsLargeResponse: true)
            (request.redirectPolicy, request.isStream) = (redirectPolicy, true)
            let (body, head, answered) = try await Transfer.run(request, on: engine, into: StreamSink(), report: report)
            let adapted = try await withTaskCancellationHandler {
                try await responseAdapter.adapt(head, for: answered)
            } onCancel: {
                // The adapter may not notice, and the transfer goes on meanwhile.
                body.buffer.cancel()
            }
            return Response(data: body, urlRequest: answered, head: adapted)
        }
    }

    /// Lets the requests that were started end, also those that wait for their turn; requests started later fail with
    /// `TransferError.Kind.sessionInvalidated`.
    ///
    /// A redirect is still followed. But these are requests of their own, and fail with that if they would start later,
    /// even of a future that has started before:
    /// - the first request, if an adapter or the refresh of a credential is still at work before it, or if a download
    ///   still waits in a line of the process for its files: see ``downloadFuture(from:to:isResumable:)``;
    /// - a retry, and the same request with a refreshed credential;
    /// - the request for the whole file, if what was left of a resumable download is stale.
    ///
    /// Nor is anything sent any more that a cache would validate in the background and that waits for its turn, as
    /// nobody waits for it; what was sent ends.
    ///
    /// It is the end of every dispatcher that was decorated from the same one, too, as by ``cached(in:partition:)``.
    /// The engine ends after the last of their requests.
    public func finishTasksAndInvalidate() {
        engine.finishTasksAndInvalidate()
    }

    /// Does the same as ``finishTasksAndInvalidate()``, and returns when the last request has ended.
    ///
    /// ```swift
    /// await dispatcher.shutdown()
    /// ```
    ///
    /// It waits for streams, too, which may be open for ever: ``invalidateAndCancel()`` from elsewhere ends the wait.
    /// When the waiting task is cancelled, this returns at once, and the dispatcher goes on ending. It waits for the
    /// network, not for what is done with the outcomes: callbacks run, adapters change heads and files are moved to
    /// their destinations a moment later, so await the futures for that. It also waits for what a cache validates in the
    /// background, if that was sent. A future that would go on with another request meanwhile, such as a retry, fails:
    /// see ``finishTasksAndInvalidate()``. The connections close with the last copy of the dispatcher.
    ///
    /// Source: `shutdown()` of async-http-client.
    public func shutdown() async {
        await engine.shutdown()
    }

    /// Cancels the requests that were started and their futures, also those that wait for their turn; requests started
    /// later fail with `TransferError.Kind.sessionInvalidated`.
    ///
    /// It is the end of every dispatcher that was decorated from the same one, too: a cache over it answers no new
    /// request either. Downloads that still wait in a line of the process for their files fail in their turn: see
    /// ``downloadFuture(from:to:isResumable:)``.
    public func invalidateAndCancel() {
        engine.invalidateAndCancel()
    }

    /// An exchange whose response is collected in memory.
    private func exchange(_ urlRequest: URLRequest, body: TransferBody?) -> ResponseFuture<Response<Data?>> {
        ResponseFuture(
            origin: .object(RequestOrigin(urlRequest)), work: RequestWork(self, urlRequest, body: body))
    }

    /// Begins an exchange without a task that waits for it.
    ///
    /// - Parameter end: is called with the outcome, on the thread of the engine.
    /// - Returns: false if it has to wait for something before it begins, or may not notice its cancellation at once.
    func begin(
        _ urlRequest: URLRequest, body: TransferBody?, for run: FutureRun, settlement: TransferSettlement,
        _ end: @escaping @Sendable (Result<Response<Data?>, any Error>) -> Void
    ) -> Bool {
        let context = PolicyContext.current
        guard endsPromptly, !context.isOfAnother(urlRequest) else { return false }
        let request = transferRequest(urlRequest, body: body)
        guard request.body.isInMemory else { return false }
        let source = TransferSource()
        Transfer.begin(
            request, on: engine, limit: maximumBodySize, settlement: settlement,
            report: context.noting(run.reporter(of: source), of: urlRequest)
        ) { outcome in
            run.endUpdates(of: source)
            end(outcome.map(DataSink.response))
        }
        return true
    }

    func response(
        to urlRequest: URLRequest, body: TransferBody?, in work: InlineWork
    ) async throws -> Response<Data?> {
        let isNarrow = work.isInOwnContext || !PolicyContext.current.isOfAnother(urlRequest)
        guard isNarrow, endsPromptly else {
            return try await adaptedResponse(to: urlRequest, body: body, in: work, isNarrow: isNarrow)
        }
        let source = TransferSource()
        defer { work.run.endUpdates(of: source) }
        return try await DataSink.response(
            Transfer.data(
                transferRequest(urlRequest, body: body), on: engine, limit: maximumBodySize,
                cancellation: work.cancellation,
                report: PolicyContext.current.noting(work.run.reporter(of: source), of: urlRequest)))
    }

    // Not inlined, to keep the frame of the function above small: it is on the heap.
    @inline(never)
    private func adaptedResponse(
        to urlRequest: URLRequest, body: TransferBody?, in work: InlineWork, isNarrow: Bool
    ) async throws -> Response<Data?> {
        guard isNarrow else {
            return try await ExchangeObservation.carryOut(urlRequest) {
                try await adaptedResponse(to: urlRequest, body: body, in: work, isNarrow: true)
            }
        }
        let source = TransferSource()
        defer { work.run.endUpdates(of: source) }
        let request = transferRequest(try await adapted(urlRequest), body: body)
        let (data, head, answered) = try await Transfer.data(
            request, on: engine, limit: maximumBodySize, cancellation: work.cancellation,
            report: PolicyContext.current.noting(work.run.reporter(of: source), of: urlRequest))
        return Response(data: data, urlRequest: answered, head: try await responseAdapter.adapt(head, for: answered))
    }

    // Not inlined, to keep the frames of functions that suspend small: they are on the heap.
    @inline(never)
    private func transferRequest(_ urlRequest: URLRequest, body: TransferBody?) -> TransferRequest {
        var request = TransferRequest(urlRequest, body: body)
        request.redirectPolicy = redirectPolicy
        return request
    }

    // An adapter may not notice a cancellation.
    var endsPromptly: Bool { parts.value.requestAdapter == nil && parts.value.responseAdapter == nil }

    var stack: PolicyStack<Data?> { PolicyStack(self, reportsUpdates: true) }

    private func adapted(_ urlRequest: URLRequest) async throws -> URLRequest {
        guard let requestAdapter else { return urlRequest }
        return try await PolicyContext.inAdapter { try await requestAdapter.adapt(urlRequest) }
    }
}

extension Optional<any ResponseAdapter> {
    /// The head after the adapter. It is unchanged if that returns what it got, and without one: then no Foundation
    /// response is made.
    func adapt(_ head: TransferHead, for urlRequest: URLRequest) async throws -> TransferHead {
        guard let adapter = self else { return head }
        let given = head.urlResponse
        let adapted = try await PolicyContext.inAdapter { try await adapter.adapt(given, for: urlRequest) }
        // Foundation's response has neither the lines of the head nor its version of HTTP.
        return adapted === given ? head : head.replacing(adapted)
    }
}
