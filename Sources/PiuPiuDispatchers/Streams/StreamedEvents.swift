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
    /// A cancelled task gets no further event, but a `CancellationError`; so does a reader whose scope was cancelled.
    ///
    /// They are parsed by the WHATWG's HTML standard, section "Server-sent events". The sequence ends with the
    /// response. An ``EventSource`` reconnects, with the `Last-Event-ID` and the delay that the events have set. An
    /// event of more than 16 MiB is an error; ``serverSentEvents(limit:)`` sets another limit.
    public var serverSentEvents: StreamedEvents { serverSentEvents(limit: StreamLimit.defaultBytes) }

    /// The same with another limit for the length of a line and the data of an event.
    ///
    /// - Parameter limit: the number of bytes; more throw a ``StreamLimitError``, so that a server can't fill the
    ///   memory.
    public func serverSentEvents(limit: Int) -> StreamedEvents { StreamedEvents(body: self, limit: limit) }
}

/// The server-sent events of a response's body, while it arrives.
public struct StreamedEvents: AsyncSequence, Sendable {
    /// An event.
    public typealias Element = ServerSentEvent
    /// The errors of ``StreamedBody``, and ``StreamLimitError``.
    public typealias Failure = any Error

    let body: StreamedBody
    let limit: Int

    /// Begins to read.
    public func makeAsyncIterator() -> Iterator {
        Iterator(parsed: ParsedElements(body.makeAsyncIterator(), ServerSentEventParser(limit: limit)))
    }

    /// Returns the events one by one.
    public struct Iterator: AsyncIteratorProtocol {
        var parsed: ParsedElements<ServerSentEventParser>

        /// The next event, or `nil` at the end.
        public mutating func next() async throws -> ServerSentEvent? {
            try await parsed.next()
        }
    }
}

@available(*, unavailable)
extension StreamedEvents.Iterator: Sendable {}
