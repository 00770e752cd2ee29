import Foundation

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// The lines or the server-sent events of a streamed response, decoded from JSON while it arrives.
///
/// ```swift
/// for try await post in response.decodedLines(Post.self) { show(post) }
/// ```
///
/// `decodedLines` and `decodedEvents` of a response with a ``StreamedBody`` make it. It is read once, as the body is:
/// every further iterator throws ``StreamedBodyError/alreadyRead``. The transfer is cancelled when the loop ends early,
/// when the reading task is cancelled, and when an element can't be decoded. After the last event of `decodedEvents` the
/// loop ends at once, and the transfer has another second, or 64 KiB, to end on its own before it is cancelled: so its
/// connection may be used again, and for an observer it has finished.
///
/// An element is decoded when it is asked for, in the background, whatever the actor of the loop. A slow reader applies
/// back-pressure, and memory stays constant (contract rule MEMORY).
///
/// A cancelled task gets no further element, but a `CancellationError`; so does a reader whose scope was cancelled.
public struct DecodedElements<Element: Decodable & Sendable>: AsyncSequence, Sendable {
    /// The errors of ``StreamedBody``, ``StreamLimitError``, and ``ResponseDecodingError``, after the elements before
    /// it; a ``TransferError`` of the kind ``TransferError/Kind/truncated`` if the last event is missing.
    public typealias Failure = any Error

    /// The texts to decode.
    enum Source: Sendable {
        case lines(StreamedLines)
        /// The events up to one with these data, if any.
        case events(StreamedEvents, last: String?)
    }

    let source: Source
    /// The response, without its body.
    let response: Response<Void>
    let decoder: JSONDecoder

    init(_ source: Source, of response: some ResponseInterface, decoder: JSONDecoder) {
        self.source = source
        self.response = Response(response: response, data: ())
        self.decoder = decoder
    }

    /// Begins to read.
    public func makeAsyncIterator() -> Iterator {
        let texts = StreamedTexts(source, from: response.urlRequest.url)
        return Iterator(texts: texts, response: response, decoder: decoder)
    }

    /// Returns the elements one by one.
    public struct Iterator: AsyncIteratorProtocol {
        /// `nil` once it is over: its release cancels the transfer.
        fileprivate var texts: StreamedTexts?
        let response: Response<Void>
        let decoder: JSONDecoder

        /// The next element, or `nil` at the end.
        ///
        /// - Throws: ``ResponseDecodingError`` when it can't be decoded, and then there are no more; the errors of
        ///   ``StreamedBody``; ``StreamLimitError``; `CancellationError` if the task, or the transfer, was cancelled.
        public mutating func next() async throws -> Element? {
            do {
                guard let text = try await texts?.next() else {
                    try Task.checkCancellation()
                    texts?.leave()
                    texts = nil
                    return nil
                }
                let element = await decoded(text)
                try texts?.checkCancellation()
                return try element.get()
            } catch {
                texts = nil
                throw error
            }
        }

        /// Off the actor of the reader.
        private func decoded(_ text: String) async -> Result<Element, any Error> {
            await Self.decoded(text, of: response, using: decoder)
        }

        @concurrent
        private static func decoded(
            _ text: String, of response: Response<Void>, using decoder: JSONDecoder
        ) async -> Result<Element, any Error> {
            let data = Data(text.utf8)
            return Result { try decoder.decode(Element.self, from: data) }.mapError { error in
                ResponseDecodingError(
                    decoding: readableName(of: Element.self), from: response, body: data, underlyingError: error)
            }
        }
    }
}

@available(*, unavailable)
extension DecodedElements.Iterator: Sendable {}

/// The texts of a stream, one at a time.
private struct StreamedTexts {
    private var lines: StreamedLines.Iterator?
    private var events: StreamedEvents.Iterator?
    private var last: String?
    private let url: URL?

    init<Element>(_ source: DecodedElements<Element>.Source, from url: URL?) {
        self.url = url
        switch source {
        case .lines(let lines): self.lines = lines.makeAsyncIterator()
        case .events(let events, let last):
            self.events = events.makeAsyncIterator()
            self.last = last
        }
    }

    /// The next text that isn't empty.
    mutating func next() async throws -> String? {
        if let line = try await lines?.next() { return line }
        while let event = try await events?.next() {
            if event.data == last { return nil }
            if !event.data.isEmpty { return event.data }
        }
        if let last { try checkEnd(last) }
        return nil
    }

    /// The response has ended without the last event.
    private func checkEnd(_ last: String) throws {
        try Task.checkCancellation()
        // A server may leave out the empty line after it.
        var parser = events?.parsed.parser, unfinished: [ServerSentEvent] = []
        try parser?.append("\n\n\n".utf8, to: &unfinished)
        guard unfinished.first?.data == last else { throw TransferError(.truncated, url: url) }
    }

    /// After the last text: what comes behind the last event isn't wanted.
    func leave() {
        if last != nil { events?.parsed.leave() }
    }

    /// What has been read isn't for a reader that has been cancelled in the meantime.
    func checkCancellation() throws {
        try Task.checkCancellation()
        if (lines?.parsed.isAbandoned ?? events?.parsed.isAbandoned) == true { throw CancellationError() }
    }
}
