public import Foundation
public import PiuPiu

#if canImport(FoundationNetworking)
    public import FoundationNetworking
#endif

/// A dispatcher that lists the requests that go through another one, the network's or a mock's.
///
/// ```swift
/// let recorder = RecordingDispatcher(MockRouteTable(routes: routes))
/// let model = Model(dispatcher: recorder)
/// model.loadWithCallbacks()
/// let sent = try await recorder.sent(2)                    // waits until two requests were sent
/// #expect(sent[0].urlRequest.httpMethod == "POST")
/// #expect(sent[0].body.data == expectedBody)
/// ```
///
/// It makes the kinds of futures that the other dispatcher makes. They behave like those: it passes on progress,
/// values, errors and cancellation unchanged. A future that isn't started records nothing.
///
/// Wrap a dispatcher before you store it as an `any RequestDispatcher`: around a value of that type a recorder makes no
/// futures, as the compiler doesn't know which kinds it can make.
///
/// A `Sendable` value whose copies share one list. The list keeps bodies up to a limit: of a streamed response the part
/// that was read, and of a request no body of chunks or of an `httpBodyStream`. An error is kept as it is, with its own
/// body: an `UnacceptableStatusError` with up to 1 MiB, whatever the limit. The list grows with each request: it is for
/// tests and debugging.
public struct RecordingDispatcher<Wrapped: Sendable>: Sendable {
    /// The dispatcher that sends the requests.
    public let wrapped: Wrapped

    /// Measures the times.
    let clock: any Clock<Duration>

    let log: RecordedExchangeList
    private let bodyLimit: Int

    /// Wraps a dispatcher.
    ///
    /// - Parameters:
    ///   - wrapped: sends the requests.
    ///   - clock: measures the times, and the limits of ``sent(_:within:clock:where:)`` and
    ///     ``ended(_:within:clock:where:)``.
    ///   - bodyLimit: in bytes; larger bodies are ``RecordedExchange/Body/omitted``.
    public init(_ wrapped: Wrapped, clock: any Clock<Duration> = ContinuousClock(), bodyLimit: Int = 1 << 20) {
        self.wrapped = wrapped
        self.bodyLimit = bodyLimit
        self.clock = clock
        log = RecordedExchangeList(clock: clock, bodyLimit: bodyLimit)
    }

    /// The requests that were sent so far, in order, with the outcome of those that have ended.
    ///
    /// A future that is cancelled ends at once, and its outcome may still be `nil` here: wait for it with
    /// ``ended(_:within:clock:where:)``.
    public var exchanges: [RecordedExchange] { log.exchanges }

    /// What was recorded so far, for a file that a ``ReplayingDispatcher`` serves.
    ///
    /// Secrets in a body are found if it is UTF-8, or if its `Content-Type` is JSON, a form or text in an encoding that
    /// contains ASCII, such as Latin-1. They are not found in UTF-16. The body of a request with a content coding, behind
    /// which they aren't found, is left out: ``RecordedExchange/Body/omitted``. The path of a URL stays as it is, with
    /// secrets such as that of `/app;jsessionid=1`: a replay finds requests by it.
    ///
    /// - Parameter redaction: the names whose values are left out of requests and responses: headers, items of queries
    ///   and forms, members of JSON. `HeaderRedaction.secrets.adding(["X-Customer"])` adds a name; `HeaderRedaction(["X-Customer"])`
    ///   leaves out that one alone. User names and passwords are always left out of the URL of a request or a response;
    ///   of URLs in bodies and in headers, such as `Location` and `Referer`, only if `Authorization` is one of the
    ///   names, as it is by default. A value that was left out of a request matches anything in a replay.
    public func recording(redacting redaction: HeaderRedaction = .secrets) -> TrafficRecording {
        TrafficRecording(exchanges, redacting: redaction)
    }

    /// A future that is noted in the list when it starts and when it ends.
    ///
    /// - Parameters:
    ///   - body: reads the body of the request.
    ///   - makeFuture: makes the future of the wrapped dispatcher.
    ///   - finish: notes the response at this place, and returns it.
    private func recorded<Content>(
        _ kind: RecordedExchange.Kind, _ urlRequest: URLRequest,
        body: @escaping @Sendable () -> RecordedExchange.Body,
        _ makeFuture: @escaping @Sendable () -> ResponseFuture<Response<Content>>,
        finish: @escaping @Sendable (Response<Content>, _ place: Int) -> Response<Content>
    ) -> ResponseFuture<Response<Content>> {
        let future: ResponseFuture<Response<Content>> = .noting(
            for: .object(RequestOrigin(urlRequest)), makeFuture
        ) { [log] in
            log.begin(kind, urlRequest, body())
        } finish: { [log] result, place in
            do {
                return finish(try result.get(), place)
            } catch {
                log.fail(place, error)
                throw error
            }
        }
        // The wrapped dispatcher's own future is bound, too, but only made when this one starts.
        return future.bound(toScopesOf: wrapped)
    }

    private func keepData(_ response: Response<Data?>, _ place: Int) -> Response<Data?> {
        log.end(place, .response(response.urlResponse, body: RecordedExchange.Body(response.data, limit: bodyLimit)))
        return response
    }
}

extension RecordingDispatcher: Dispatching where Wrapped: Dispatching {}

extension RecordingDispatcher: RequestDispatcher where Wrapped: RequestDispatcher {}

extension RecordingDispatcher: ScopeBinding {
    package var scopes: [ScopeMembers] { (wrapped as? any ScopeBinding)?.scopes ?? [] }
}

extension RecordingDispatcher: DataDispatcher where Wrapped: DataDispatcher {
    /// The wrapped dispatcher's future, recorded.
    public func dataFuture(from urlRequest: URLRequest) -> ResponseFuture<Response<Data?>> {
        recorded(.data, urlRequest, body: { RecordedExchange.Body(of: urlRequest, limit: bodyLimit) }) {
            wrapped.dataFuture(from: urlRequest)
        } finish: {
            keepData($0, $1)
        }
    }
}

extension RecordingDispatcher: UploadDispatcher where Wrapped: UploadDispatcher {
    /// The wrapped dispatcher's future, recorded.
    public func uploadFuture(from urlRequest: URLRequest, with data: Data) -> ResponseFuture<Response<Data?>> {
        recorded(.upload, urlRequest, body: { RecordedExchange.Body(data, limit: bodyLimit) }) {
            wrapped.uploadFuture(from: urlRequest, with: data)
        } finish: {
            keepData($0, $1)
        }
    }

    /// The wrapped dispatcher's future, recorded. Chunks are not read for the record. A file is, up to
    /// `bodyLimit` + 1 bytes, by the thread that starts the future.
    public func uploadFuture(from urlRequest: URLRequest, with body: TransferBody) -> ResponseFuture<Response<Data?>> {
        recorded(.upload, urlRequest, body: { RecordedExchange.Body(body, limit: bodyLimit) }) {
            wrapped.uploadFuture(from: urlRequest, with: body)
        } finish: {
            keepData($0, $1)
        }
    }
}

extension RecordingDispatcher: DownloadDispatcher where Wrapped: DownloadDispatcher {
    /// The wrapped dispatcher's future, recorded. When the file has arrived, up to `bodyLimit` + 1 bytes of it are read for
    /// the record.
    public func downloadFuture(from urlRequest: URLRequest, to destination: URL) -> ResponseFuture<Response<URL>> {
        downloadFuture(from: urlRequest, to: destination, isResumable: false)
    }

    /// The wrapped dispatcher's future, recorded. When the file has arrived, up to `bodyLimit` + 1 bytes of it are read for
    /// the record.
    public func downloadFuture(
        from urlRequest: URLRequest, to destination: URL, isResumable: Bool
    ) -> ResponseFuture<Response<URL>> {
        recorded(.download, urlRequest, body: { RecordedExchange.Body(of: urlRequest, limit: bodyLimit) }) {
            wrapped.downloadFuture(from: urlRequest, to: destination, isResumable: isResumable)
        } finish: { response, place in
            // After an error the file at the destination isn't the server's.
            let body =
                response.urlResponse.bringsFile(to: response.urlRequest)
                ? RecordedExchange.Body(contentOf: response.data, limit: bodyLimit) ?? .omitted
                : RecordedExchange.Body(response.head.unsavedBody, limit: bodyLimit)
            log.end(place, .response(response.urlResponse, body: body))
            return response
        }
    }
}

extension RecordingDispatcher: StreamDispatcher where Wrapped: StreamDispatcher {
    /// The wrapped dispatcher's future, recorded. The record has the part of the body that was read, however the reading
    /// ends.
    public func streamFuture(from urlRequest: URLRequest) -> ResponseFuture<Response<StreamedBody>> {
        recorded(.stream, urlRequest, body: { RecordedExchange.Body(of: urlRequest, limit: bodyLimit) }) {
            wrapped.streamFuture(from: urlRequest)
        } finish: { [log] response, place in
            let head = response.urlResponse
            let observer = StreamObserver(limit: bodyLimit) { ending in
                switch ending {
                case .read(let data), .dropped(let data):
                    log.end(place, .response(head, body: RecordedExchange.Body(read: data)))
                case .failed(let error, let data):
                    log.fail(place, error, breaking: (head, RecordedExchange.Body(read: data)))
                }
            }
            return Response(response: response, data: StreamedBody(response.data, observedBy: observer))
        }
    }
}
