import Foundation

/// The elements of a parsed body, one at a time; an error comes after the elements before it.
struct ParsedElements<Parser: StreamParser> {
    private var chunks: StreamedBody.Iterator
    private(set) var parser: Parser
    private var elements: [Parser.Element] = []
    private var index = 0
    private var failure: StreamLimitError?
    private var isOver = false

    /// Whether there are elements that have not been returned.
    var hasMore: Bool { index < elements.count }

    /// Whether a scope has cancelled the body.
    var isAbandoned: Bool { chunks.reading.isAbandoned }

    /// No more elements are wanted, but the transfer may end on its own.
    func leave() { chunks.reading.leave() }

    init(_ chunks: StreamedBody.Iterator, _ parser: Parser) {
        self.chunks = chunks
        self.parser = parser
    }

    mutating func next() async throws -> Parser.Element? {
        while true {
            if !Task.isCancelled, !isAbandoned {
                if hasMore {
                    defer { index += 1 }
                    return elements[index]
                }
                if let failure = failure.take() {
                    isOver = true
                    throw failure
                }
            }
            guard !isOver else {
                try Task.checkCancellation()
                return nil
            }
            // In a cancelled task, and after a scope has cancelled the body, it throws, whatever is left of the chunk
            // before.
            guard let chunk = try await nextChunk() else {
                isOver = true
                return try parser.finish()
            }
            elements.removeAll(keepingCapacity: true)
            index = 0
            do throws(StreamLimitError) { try parser.append(chunk, to: &elements) } catch { failure = error }
        }
    }

    /// After an error there is nothing more: what was begun before it is no element.
    private mutating func nextChunk() async throws -> Data? {
        do {
            return try await chunks.next()
        } catch {
            isOver = true
            throw error
        }
    }
}
