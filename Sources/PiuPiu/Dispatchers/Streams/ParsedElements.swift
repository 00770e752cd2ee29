/// What a parser has made of a chunk, until it is asked for: the elements, and the error that came after them.
struct ParsedElements<Element> {
    private var elements: [Element] = []
    private var index = 0
    private var failure: StreamLimitError?

    /// Whether nothing more comes.
    var isLast = false

    /// The next element, or `nil` if there is none; throws once, after the last.
    mutating func next() throws(StreamLimitError) -> Element? {
        if index < elements.count {
            defer { index += 1 }
            return elements[index]
        }
        if let failure = failure.take() {
            isLast = true
            throw failure
        }
        return nil
    }

    /// Takes what `parse` makes of the next chunk.
    mutating func fill(_ parse: (inout [Element]) throws(StreamLimitError) -> Void) {
        elements.removeAll(keepingCapacity: true)
        index = 0
        do throws(StreamLimitError) { try parse(&elements) } catch { failure = error }
    }
}
