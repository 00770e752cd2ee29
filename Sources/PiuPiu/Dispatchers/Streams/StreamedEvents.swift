import Foundation

extension StreamedBody {
    /// The server-sent events of a `text/event-stream`, as they arrive.
    ///
    /// ```swift
    /// let response = try await dispatcher.streamFuture(from: request).value
    /// for try await event in response.data.serverSentEvents where event.event == "price" {
    ///     show(event.data)
    /// }
    /// ```
    ///
    /// They are parsed by the rules of the WHATWG's HTML standard, section "Server-sent events". The sequence ends with
    /// the response: whether to connect again, after which time and with which `Last-Event-ID`, is the caller's
    /// business, who finds both in the events. An event of more than 16 MiB is an error; ``serverSentEvents(limit:)``
    /// sets another limit.
    public var serverSentEvents: StreamedEvents { serverSentEvents(limit: StreamLimit.defaultBytes) }

    /// The same with another limit for the length of a line and the data of an event.
    ///
    /// - Parameter limit: the number of bytes; more throw a ``StreamLimitError``, as a server must not be able to fill
    ///   the memory.
    public func serverSentEvents(limit: Int) -> StreamedEvents { StreamedEvents(body: self, limit: limit) }
}

/// The server-sent events of a response's body, while it arrives.
public struct StreamedEvents: AsyncSequence, Sendable {
    /// An event.
    public typealias Element = ServerSentEvent
    /// What ``StreamedBody`` throws, and ``StreamLimitError``.
    public typealias Failure = any Error

    let body: StreamedBody
    let limit: Int

    /// Begins to read.
    public func makeAsyncIterator() -> Iterator {
        Iterator(chunks: body.makeAsyncIterator(), parser: ServerSentEventParser(limit: limit))
    }

    /// Gives the events one by one.
    public struct Iterator: AsyncIteratorProtocol {
        private var chunks: StreamedBody.Iterator
        private var parser: ServerSentEventParser
        private var parsed = ParsedElements<ServerSentEvent>()

        init(chunks: StreamedBody.Iterator, parser: ServerSentEventParser) {
            self.chunks = chunks
            self.parser = parser
        }

        /// The next event, or `nil` at the end.
        public mutating func next() async throws -> ServerSentEvent? {
            while true {
                if let event = try parsed.next() { return event }
                guard !parsed.isLast, let chunk = try await chunks.next() else {
                    parsed.isLast = true
                    return nil
                }
                parsed.fill { (events) throws(StreamLimitError) in try parser.append(chunk, to: &events) }
            }
        }
    }
}

@available(*, unavailable)
extension StreamedEvents.Iterator: Sendable {}
