import Foundation

extension StreamedBody {
    /// The body as UTF-8 text, line by line, while it arrives.
    ///
    /// ```swift
    /// for try await line in response.data.lines { print(line) }
    /// ```
    ///
    /// Lines end and empty ones are left out as in Foundation's `bytes.lines`. A line of more than 16 MiB is an error;
    /// ``lines(limit:)`` sets another limit.
    public var lines: StreamedLines { lines(limit: StreamLimit.defaultBytes) }

    /// The same with another limit for the length of a line.
    ///
    /// - Parameter limit: the number of bytes that a line may have; a longer one throws
    ///   ``StreamLimitError/lineTooLong(limit:)``, as a server must not be able to fill the memory.
    public func lines(limit: Int) -> StreamedLines { StreamedLines(body: self, limit: limit) }
}

/// The lines of a response's body, while it arrives.
public struct StreamedLines: AsyncSequence, Sendable {
    /// A line, without its end.
    public typealias Element = String
    /// What ``StreamedBody`` throws, and ``StreamLimitError``.
    public typealias Failure = any Error

    let body: StreamedBody
    let limit: Int

    /// Begins to read.
    public func makeAsyncIterator() -> Iterator {
        Iterator(chunks: body.makeAsyncIterator(), parser: LineParser(limit: limit))
    }

    /// Gives the lines one by one.
    public struct Iterator: AsyncIteratorProtocol {
        private var chunks: StreamedBody.Iterator
        private var parser: LineParser
        private var parsed = ParsedElements<String>()

        init(chunks: StreamedBody.Iterator, parser: LineParser) {
            self.chunks = chunks
            self.parser = parser
        }

        /// The next line, or `nil` at the end.
        public mutating func next() async throws -> String? {
            while true {
                if let line = try parsed.next() { return line }
                guard !parsed.isLast else { return nil }
                if let chunk = try await chunks.next() {
                    parsed.fill { (lines) throws(StreamLimitError) in try parser.append(chunk, to: &lines) }
                } else {
                    parsed.isLast = true
                    if let rest = try parser.finish() { return rest }
                }
            }
        }
    }
}

@available(*, unavailable)
extension StreamedLines.Iterator: Sendable {}
