/// Makes elements of the bytes of a text as they come.
protocol StreamParser: Sendable {
    associatedtype Element: Sendable

    /// Takes the next bytes and appends the elements that they finish, those before an error included.
    mutating func append(
        _ bytes: some Sequence<UInt8>, to elements: inout [Element]
    ) throws(StreamLimitError)

    /// Ends the text and returns what is left of it, if that is an element.
    mutating func finish() throws(StreamLimitError) -> Element?
}

extension LineParser: StreamParser {}

extension ServerSentEventParser: StreamParser {
    /// An event that is not finished is discarded.
    mutating func finish() -> ServerSentEvent? { nil }
}
