import Foundation

/// The sections of a multipart body, one after the other, with at most one file open.
struct MultipartChunks: AsyncSequence, Sendable {
    typealias Element = Data

    let sections: [MultipartSection]

    func makeAsyncIterator() -> Iterator { Iterator(sections: sections[...]) }

    struct Iterator: AsyncIteratorProtocol {
        private var sections: ArraySlice<MultipartSection>
        private var current: TransferChunks.Iterator?
        /// How many bytes of the first section are left, once it has begun.
        private var rest: Int64 = 0

        init(sections: ArraySlice<MultipartSection>) {
            self.sections = sections
        }

        mutating func next() async throws -> Data? {
            while let section = sections.first {
                if current == nil {
                    current = try section.chunks()?.makeAsyncIterator()
                    rest = section.length
                }
                let chunk = try await current?.next()
                rest -= Int64(chunk?.count ?? 0)
                // The length sent must be the length announced.
                if let file = section.file, rest < 0 || chunk == nil && rest > 0 {
                    throw MultipartFormError.fileChanged(file)
                }
                if let chunk { return chunk }
                current = nil
                sections.removeFirst()
            }
            return nil
        }
    }
}
