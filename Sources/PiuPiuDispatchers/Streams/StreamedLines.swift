import Foundation

extension StreamedBody {
    /// The body as UTF-8 text, line by line, while it arrives.
    ///
    /// ```swift
    /// for try await line in response.data.lines { print(line) }
    /// ```
    ///
    /// A cancelled task gets no further line, but a `CancellationError`; so does a reader whose scope was cancelled.
    ///
    /// Line breaks are those of Foundation's `bytes.lines`, and empty lines are left out, as there. For JSON Lines, also
    /// called NDJSON, use ``jsonLines``: a text in JSON may have a U+2028 and the like, which would end a line here. A
    /// line of more than 16 MiB is an error; ``lines(limit:)`` sets another limit.
    public var lines: StreamedLines { lines(limit: StreamLimit.defaultBytes) }

    /// The same with another limit for the length of a line.
    ///
    /// - Parameter limit: the number of bytes in a line; a longer line throws ``StreamLimitError/lineTooLong(limit:)``,
    ///   so that a server can't fill the memory.
    public func lines(limit: Int) -> StreamedLines { StreamedLines(body: self, limit: limit, ends: .all) }

    /// The lines of JSON Lines (`application/x-ndjson`, `application/jsonl`), each the text of one value, while they
    /// arrive.
    ///
    /// ```swift
    /// for try await line in response.data.jsonLines {
    ///     show(try JSONDecoder().decode(Post.self, from: Data(line.utf8)))
    /// }
    /// ```
    ///
    /// Only LF and CRLF end a line; apart from that it is the same as ``lines``.
    public var jsonLines: StreamedLines { jsonLines(limit: StreamLimit.defaultBytes) }

    /// The same with another limit for the length of a line.
    ///
    /// - Parameter limit: the number of bytes in a line; a longer line throws ``StreamLimitError/lineTooLong(limit:)``,
    ///   so that a server can't fill the memory.
    public func jsonLines(limit: Int) -> StreamedLines { StreamedLines(body: self, limit: limit, ends: .lineFeeds) }
}

/// The lines of a response's body, while it arrives.
public struct StreamedLines: AsyncSequence, Sendable {
    /// A line, without its end.
    public typealias Element = String
    /// The errors of ``StreamedBody``, and ``StreamLimitError``.
    public typealias Failure = any Error

    let body: StreamedBody
    let limit: Int
    let ends: LineParser.Ends

    /// Begins to read.
    public func makeAsyncIterator() -> Iterator {
        Iterator(parsed: ParsedElements(body.makeAsyncIterator(), LineParser(limit: limit, ends: ends)))
    }

    /// Returns the lines one by one.
    public struct Iterator: AsyncIteratorProtocol {
        var parsed: ParsedElements<LineParser>

        /// The next line, or `nil` at the end.
        public mutating func next() async throws -> String? {
            try await parsed.next()
        }
    }
}

@available(*, unavailable)
extension StreamedLines.Iterator: Sendable {}
