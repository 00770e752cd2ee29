public import Foundation
public import PiuPiu

#if canImport(FoundationNetworking)
    public import FoundationNetworking
#endif

/// What a mock answers to one request: a response or a failure, at once or after a latency.
///
/// ```swift
/// MockAnswer.json(post)                                     // 200
/// MockAnswer.status(.serviceUnavailable, headers: ["Retry-After": "1"])
/// MockAnswer.failure(TransferError(.timedOut)).after(.seconds(30))
/// MockAnswer.chunks(prices, headers: ["Content-Type": "text/event-stream"])
/// MockAnswer.stream { request, values in try await network.streamFuture(from: request).value }
/// MockAnswer { request, values in                           // anything else
///     Response.makeMockResponse(with: request, data: request.httpBody, statusCode: .ok)
/// }
/// ```
public struct MockAnswer: Sendable {
    /// Makes a response to a request, or throws the error of its future. There is one value for each component of the
    /// route's path pattern.
    public typealias Handler = @Sendable (URLRequest, [PathValue]) async throws -> Response<Data?>

    /// Makes a response whose body comes chunk by chunk, or throws the error of its future. The values are those of a
    /// ``Handler``.
    public typealias StreamHandler = @Sendable (URLRequest, [PathValue]) async throws -> Response<StreamedBody>

    private enum Content: Sendable {
        case whole(Handler)
        case streamed(StreamHandler)
    }

    /// How long the answer takes.
    public let latency: Duration

    private let content: Content

    /// An answer that depends on the request.
    ///
    /// - Parameters:
    ///   - latency: how long it takes, by the clock of the mock; zero or less means at once.
    ///   - handler: makes the answer after the latency, once for each request: off the main actor in a future; a direct
    ///     call of `answer(to:)` runs it where the caller runs.
    public init(latency: Duration = .zero, handler: @escaping Handler) {
        self.init(latency: latency, .whole(handler))
    }

    private init(latency: Duration, _ content: Content) {
        self.latency = latency
        self.content = content
    }

    /// A response with a status, and a body if there is one.
    public static func status(_ status: StatusCode, headers: [String: String] = [:], data: Data? = nil) -> MockAnswer {
        MockAnswer { request, _ in
            Response.makeMockResponse(with: request, data: data, statusCode: status, headers: headers)
        }
    }

    /// A response with a text in UTF-8 as its body.
    public static func text(
        _ text: String, status: StatusCode = .ok,
        headers: [String: String] = ["Content-Type": "text/plain; charset=utf-8"]
    ) -> MockAnswer {
        .status(status, headers: headers, data: Data(text.utf8))
    }

    /// A response with a model's JSON as its body.
    ///
    /// A `String` or `Data` becomes a string of JSON: what is JSON already is for ``text(_:status:headers:)`` or
    /// ``status(_:headers:data:)``.
    ///
    /// The future fails with `MockResponseError.failedToEncodeBody(typeName:url:underlyingError:)` when the encoder
    /// throws.
    ///
    /// - Parameters:
    ///   - value: the model.
    ///   - status: the status of the response.
    ///   - headers: the headers of the response.
    ///   - encoder: makes the JSON; don't change it afterwards.
    public static func json(
        _ value: some Encodable & Sendable, status: StatusCode = .ok,
        headers: [String: String] = ["Content-Type": "application/json"], encoder: JSONEncoder = JSONEncoder()
    ) -> MockAnswer {
        MockAnswer { request, _ in
            try Response.makeMockJSONResponse(
                with: request, encodable: value, statusCode: status, headers: headers, encoder: encoder)
        }
    }

    /// A response whose body comes chunk by chunk, for streams. Other futures get the chunks collected, or their error.
    ///
    /// ```swift
    /// let (chunks, continuation) = AsyncThrowingStream.makeStream(of: Data.self)
    /// let server = MockRouteTable(script: MockScript([.chunks(chunks)]))
    /// continuation.yield(Data("first".utf8))
    /// continuation.finish(throwing: TransferError(.connectionLost))
    /// ```
    ///
    /// A stream asks for a chunk when its reader waits for it, and none before: see `StreamedBody.init(_:)`. The release
    /// of its body, and the cancellation of its reader, cancel the task that iterates over the sequence. An error of the
    /// sequence comes after the chunks before it: a `TransferError` without a URL gets that of the request, and any other
    /// is unchanged. An answer to HEAD, a 204 and a 304 leave the sequence alone.
    ///
    /// Most sequences can be iterated only once, so the first request takes it, and every further one that gets this
    /// answer fails with ``MockError/chunksUsedUp(method:url:)``. For several requests pass
    /// `TransferChunks { makeStream() }`, which are made for each.
    ///
    /// - Parameters:
    ///   - chunks: the parts of the body.
    ///   - status: the status of the response.
    ///   - headers: the headers of the response.
    public static func chunks<Chunks: AsyncSequence & Sendable>(
        _ chunks: Chunks, status: StatusCode = .ok, headers: [String: String] = [:]
    ) -> MockAnswer where Chunks.Element == Data {
        let chunks = MockChunks(TransferChunks(chunks))
        return .stream { request, _ in
            let response = Response.makeMockResponse(with: request, statusCode: status, headers: headers)
            if response.head.isBare(answering: request) { return response.streamed }
            let body = StreamedBody(try chunks.take(for: request).measured, from: request.url)
            return Response(response: response, data: body)
        }
    }

    /// A response that depends on the request, with a body that comes chunk by chunk, for streams.
    ///
    /// ```swift
    /// MockAnswer.stream { request, values in
    ///     let head = Response.makeMockResponse(with: request, statusCode: .ok)
    ///     let events = news(after: request.value(forHTTPHeaderField: "Last-Event-ID"))
    ///     return Response(response: head, data: StreamedBody(events))
    /// }
    /// ```
    ///
    /// Other futures get the chunks collected, or their error. With an answer to HEAD, a 204 and a 304 no body arrives.
    ///
    /// - Parameter handler: makes the answer after the latency, once for each request, where the handler of
    ///   ``init(latency:handler:)`` does. Its body may be made by `StreamedBody.init(_:)`, or come from the
    ///   `streamFuture` of another dispatcher.
    public static func stream(_ handler: @escaping StreamHandler) -> MockAnswer {
        MockAnswer(latency: .zero, .streamed(handler))
    }

    /// No response: the future fails with this error. A `CancellationError` cancels it.
    public static func failure(_ error: any Error) -> MockAnswer {
        MockAnswer { _, _ in throw error }
    }

    /// The same answer with this latency.
    public func after(_ latency: Duration) -> MockAnswer {
        MockAnswer(latency: latency, content)
    }

    /// Waits for the latency, and makes the response.
    func response(
        to urlRequest: URLRequest, _ values: [PathValue], clock: any Clock<Duration>
    ) async throws -> Response<Data?> {
        try await clock.sleep(latency: latency)
        switch content {
        case .whole(let handler): return try await handler(urlRequest, values)
        case .streamed(let handler):
            let response = try await handler(urlRequest, values)
            if response.head.isBare(answering: urlRequest) { return Response(response: response, data: nil) }
            return Response(response: response, data: try await response.data.reduce(into: Data()) { $0 += $1 })
        }
    }

    /// The same for a stream.
    func streamedResponse(
        to urlRequest: URLRequest, _ values: [PathValue], clock: any Clock<Duration>
    ) async throws -> Response<StreamedBody> {
        try await clock.sleep(latency: latency)
        switch content {
        case .whole(let handler): return try await handler(urlRequest, values).streamed
        case .streamed(let handler): return try await handler(urlRequest, values)
        }
    }
}
