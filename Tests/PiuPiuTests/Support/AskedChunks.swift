import Foundation
import PiuPiuTesting

/// As many chunks as given, one each time it is asked; it counts how often.
struct AskedChunks: AsyncSequence, Sendable {
    typealias Element = Data
    typealias Failure = any Error

    /// How often a chunk was asked for.
    let asked = Watched(0)
    let count: Int
    /// Runs before the chunk with this number is given.
    let wait: @Sendable (Int) async throws -> Void

    init(_ count: Int, wait: @escaping @Sendable (Int) async throws -> Void = { _ in }) {
        self.count = count
        self.wait = wait
    }

    func makeAsyncIterator() -> Iterator { Iterator(chunks: self) }

    struct Iterator: AsyncIteratorProtocol {
        let chunks: AskedChunks

        func next() async throws -> Data? {
            let number = chunks.asked.withLock { asked in
                asked += 1
                return asked
            }
            try await chunks.wait(number)
            return number <= chunks.count ? Data("\(number) ".utf8) : nil
        }
    }
}
