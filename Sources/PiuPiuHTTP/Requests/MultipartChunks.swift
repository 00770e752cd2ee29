import Foundation

/// The sections of a multipart body, one after the other, with at most one file open.
struct MultipartChunks: AsyncSequence, Sendable {
    typealias Element = Data

    let sections: [MultipartSection]

    func makeAsyncIterator() -> Iterator { Iterator(sections: sections[...]) }

    struct Iterator: AsyncIteratorProtocol {
        private var sections: ArraySlice<MultipartSection>
        private var current: TransferChunks.Iterator?

        init(sections: ArraySlice<MultipartSection>) {
            self.sections = sections
        }

        mutating func next() async throws -> Data? {
            while let section = sections.first {
                if current == nil { current = try section.chunks()?.makeAsyncIterator() }
                if let chunk = try await current?.next() { return chunk }
                current = nil
                sections.removeFirst()
            }
            return nil
        }
    }
}
