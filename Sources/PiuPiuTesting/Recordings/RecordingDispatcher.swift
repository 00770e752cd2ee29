public import Foundation
public import PiuPiu

#if canImport(FoundationNetworking)
    public import FoundationNetworking
#endif

/// A dispatcher that lists what goes through another one, the network's or a mock's.
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
/// It makes the kinds of futures that the other dispatcher makes. They behave as that one's do: what they report, give and
/// fail with is passed on as it is, and so is their cancellation. A future that isn't started records nothing.
///
/// A `Sendable` value whose copies share one list. The list keeps the bodies up to a limit, and grows with each request:
/// it is for tests and debugging.
public struct RecordingDispatcher<Wrapped: Sendable>: Sendable {
    /// The dispatcher that carries the requests out.
    public let wrapped: Wrapped

    /// What the times are measured by.
    let clock: any Clock<Duration>

    let log: RecordedExchangeList
    private let bodyLimit: Int

    /// Wraps a dispatcher.
    ///
    /// - Parameters:
    ///   - wrapped: carries the requests out.
    ///   - clock: what the times are measured by.
    ///   - bodyLimit: larger bodies are ``RecordedExchange/Body/omitted``; in bytes.
    public init(_ wrapped: Wrapped, clock: any Clock<Duration> = ContinuousClock(), bodyLimit: Int = 1 << 20) {
        self.wrapped = wrapped
        self.bodyLimit = bodyLimit
        self.clock = clock
        log = RecordedExchangeList(clock: clock)
    }

    /// The requests that were sent so far, in that order, with what came of those that have ended.
    public var exchanges: [RecordedExchange] { log.exchanges }

    /// What was recorded so far, for a file that a ``ReplayingDispatcher`` serves.
    ///
    /// - Parameter redaction: what is left out of requests and of responses, by name: the values of headers, of items of
    ///   queries and forms, and of members of JSON. User names and passwords in URLs are left out in any case. What was left
    ///   out of a request matches anything when it is replayed.
    public func recording(redacting redaction: HeaderRedaction = .secrets) -> TrafficRecording {
        TrafficRecording(exchanges, redacting: redaction)
    }

    /// A future that is noted in the list when it starts and when it ends.
    ///
    /// - Parameters:
    ///   - body: reads what is sent.
    ///   - makeFuture: makes the future of the wrapped dispatcher.
    ///   - finish: notes the response at this place, and gives it on.
    private func recorded<Content>(
        _ kind: RecordedExchange.Kind, _ urlRequest: URLRequest,
        body: @escaping @Sendable () -> RecordedExchange.Body,
        _ makeFuture: @escaping @Sendable () -> ResponseFuture<Response<Content>>,
        finish: @escaping @Sendable (Response<Content>, _ place: Int) -> Response<Content>
    ) -> ResponseFuture<Response<Content>> {
        .noting(makeFuture) { [log] in
            log.begin(kind, urlRequest, body())
        } finish: { [log] result, place in
            do {
                return finish(try result.get(), place)
            } catch {
                log.fail(place, error)
                throw error
            }
        }
    }

    private func keepData(_ response: Response<Data?>, _ place: Int) -> Response<Data?> {
        log.end(place, .response(response.urlResponse, body: RecordedExchange.Body(response.data, limit: bodyLimit)))
        return response
    }
}

extension RecordingDispatcher: Dispatching where Wrapped: Dispatching {}

extension RecordingDispatcher: RequestDispatcher where Wrapped: RequestDispatcher {}

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

    /// The wrapped dispatcher's future, recorded. A small file is read for that, chunks are not.
    public func uploadFuture(from urlRequest: URLRequest, with body: TransferBody) -> ResponseFuture<Response<Data?>> {
        recorded(.upload, urlRequest, body: { RecordedExchange.Body(body, limit: bodyLimit) }) {
            wrapped.uploadFuture(from: urlRequest, with: body)
        } finish: {
            keepData($0, $1)
        }
    }
}

extension RecordingDispatcher: DownloadDispatcher where Wrapped: DownloadDispatcher {
    /// The wrapped dispatcher's future, recorded. A small file is read for that when it has arrived.
    public func downloadFuture(from urlRequest: URLRequest, to destination: URL) -> ResponseFuture<Response<URL>> {
        downloadFuture(from: urlRequest, to: destination, isResumable: false)
    }

    /// The wrapped dispatcher's future, recorded. A small file is read for that when it has arrived.
    public func downloadFuture(
        from urlRequest: URLRequest, to destination: URL, isResumable: Bool
    ) -> ResponseFuture<Response<URL>> {
        recorded(.download, urlRequest, body: { RecordedExchange.Body(of: urlRequest, limit: bodyLimit) }) {
            wrapped.downloadFuture(from: urlRequest, to: destination, isResumable: isResumable)
        } finish: { response, place in
            // What is at the destination after an error is not what the server sent.
            let body: RecordedExchange.Body =
                response.urlResponse.bringsFile
                ? RecordedExchange.Body(contentOf: response.data, limit: bodyLimit) : .omitted
            log.end(place, .response(response.urlResponse, body: body))
            return response
        }
    }
}

extension RecordingDispatcher: StreamDispatcher where Wrapped: StreamDispatcher {
    /// The wrapped dispatcher's future, recorded. The body in the record is what was read of it.
    public func streamFuture(from urlRequest: URLRequest) -> ResponseFuture<Response<StreamedBody>> {
        recorded(.stream, urlRequest, body: { RecordedExchange.Body(of: urlRequest, limit: bodyLimit) }) {
            wrapped.streamFuture(from: urlRequest)
        } finish: { [log] response, place in
            let head = response.urlResponse
            let observer = StreamObserver(limit: bodyLimit) { ending in
                switch ending {
                case .read(let data?), .dropped(let data?):
                    log.end(place, .response(head, body: data.isEmpty ? .none : .data(data)))
                case .read(nil), .dropped(nil): log.end(place, .response(head, body: .omitted))
                case .failed(let error): log.fail(place, error)
                }
            }
            return Response(response: response, data: StreamedBody(response.data, observedBy: observer))
        }
    }
}
