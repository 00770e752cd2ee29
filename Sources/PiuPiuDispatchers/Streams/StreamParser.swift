/// Parses the bytes of a text into elements as they come.
protocol StreamParser: Sendable {
    associatedtype Element: Sendable

    /// Parses the next bytes and appends the elements that they complete, including those before an error.
    mutating func append(
        _ bytes: some Sequence<UInt8>, to elements: inout [Element]
    ) throws(StreamLimitError)

    /// Ends the text and returns the rest of it, if that is an element.
    mutating func finish() throws(StreamLimitError) -> Element?
}

extension LineParser: StreamParser {}

extension ServerSentEventParser: StreamParser {
    /// An event that is not finished is discarded.
    mutating func finish() -> ServerSentEvent? { nil }
}
