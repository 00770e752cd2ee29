public import Foundation

extension ResponseInterface where Body == StreamedBody {
    /// The values of JSON Lines (`application/x-ndjson`, `application/jsonl`), decoded while they arrive.
    ///
    /// ```swift
    /// let response = try await dispatcher.streamFuture(from: request).validated().value
    /// for try await post in response.decodedLines(Post.self) { show(post) }
    /// ```
    ///
    /// The lines are those of ``StreamedBody/jsonLines``, so empty ones are skipped, and one of more than 16 MiB is a
    /// ``StreamLimitError``. They are decoded in the background, one when it is asked for. The first that can't be
    /// decoded ends the loop with a ``ResponseDecodingError``, whose ``ResponseDecodingError/body`` is the line, and
    /// cancels the transfer; to go on after it, decode the ``StreamedBody/jsonLines`` yourself. The status is ignored.
    ///
    /// - Parameters:
    ///   - type: the type of a value.
    ///   - decoder: decodes the values.
    public func decodedLines<D: Decodable & Sendable>(
        _ type: D.Type = D.self, using decoder: JSONDecoder = JSONDecoder()
    ) -> DecodedElements<D> {
        DecodedElements(.lines(data.jsonLines), of: self, decoder: decoder)
    }

    /// The data of server-sent events (`text/event-stream`), decoded from JSON while they arrive.
    ///
    /// ```swift
    /// for try await delta in response.decodedEvents(Delta.self, until: "[DONE]") { text += delta.content }
    /// ```
    ///
    /// The events are those of ``StreamedBody/serverSentEvents``, whatever their types. Events without data are skipped.
    /// One of more than 16 MiB is a ``StreamLimitError``. The data is decoded in the background, when it is asked for.
    /// The first event that can't be decoded ends the loop with a ``ResponseDecodingError``, whose
    /// ``ResponseDecodingError/body`` is the data, and cancels the transfer. If the types of the events matter, iterate
    /// the ``StreamedBody/serverSentEvents``, and decode each by ``ServerSentEvent/decode(_:using:)``. The status is
    /// ignored.
    ///
    /// - Parameters:
    ///   - type: the type of the data.
    ///   - last: the data of the event that ends the loop, such as "[DONE]", which isn't decoded; what is left of the
    ///     transfer is cancelled a second later, or after 64 KiB. A response that ends without it is a
    ///     ``TransferError`` of the kind ``TransferError/Kind/truncated``. With `nil` the loop ends with the response.
    ///   - decoder: decodes the data.
    public func decodedEvents<D: Decodable & Sendable>(
        _ type: D.Type = D.self, until last: String? = nil, using decoder: JSONDecoder = JSONDecoder()
    ) -> DecodedElements<D> {
        DecodedElements(.events(data.serverSentEvents, last: last), of: self, decoder: decoder)
    }

    /// The response with all of its body in memory, once that has arrived.
    ///
    /// ```swift
    /// let response = try await dispatcher.streamFuture(from: request).value
    /// guard response.status == .ok else { throw try await response.collected(upTo: 1 << 20).decode(Problem.self) }
    /// ```
    ///
    /// It reads the body, in the background, so nothing else can: see ``StreamedBody``. The response is as that of a data
    /// future, with its metrics, and with `nil` instead of an empty body.
    ///
    /// - Parameter limit: how many bytes may come; of an announced length above it only the first part is read.
    /// - Throws: a ``TransferError`` of the kind ``TransferError/Kind/bodyTooLarge`` if there are more, and the transfer
    ///   is cancelled then; the errors of ``StreamedBody``, such as ``StreamedBodyError/alreadyRead``;
    ///   `CancellationError` if the task, or the transfer, was cancelled.
    @concurrent
    public func collected(
        upTo limit: Int = URLRequestDispatcher.standardMaximumBodySize
    ) async throws -> Response<Data?> {
        let sink = DataSink(limit: limit)
        _ = sink.receive(.head(head, request: urlRequest))
        for try await chunk in data {
            if case .failure(let error)? = sink.receive(.body(chunk)) { throw error }
        }
        if let metrics = data.metrics { _ = sink.receive(.measured(metrics)) }
        guard let output = try sink.receive(.finished)?.get() else { throw ResponseError.noResponse }
        return DataSink.response(output)
    }
}
