import PiuPiu
import TestSupport
import Testing

/// Two tasks of one actor that take turns with one iterator.
@MainActor
@Suite("Two consumers that share the iterator of a limited sequence", .timeLimit(.minutes(10)))
struct SharedIteratorTests {
    enum Order: CaseIterable, Sendable {
        case results, resultsInOrder, indexedResults, values, valuesInOrder
    }

    private let gate = Gate()

    /// Futures, the first of which waits at the gate.
    private func futures(_ count: Int) -> [ResponseFuture<Int>] {
        (0..<count).map { [gate] number in
            ResponseFuture { () async in
                if number == 0 { await gate.pass() }
                return number
            }
        }
    }

    /// Returns how many elements the two took, when both have stopped.
    ///
    /// - Parameter most: after how many elements the first stops.
    private func count(
        _ order: Order, of futures: [ResponseFuture<Int>], limit: Int, most: Int = .max
    ) async throws -> [Int] {
        switch order {
        case .results:
            let iterator = futures.resultsInCompletionOrder(limit: limit).makeAsyncIterator()
            return try await count(most) {
                var copy = iterator
                return await copy.next(isolation: #isolation) != nil
            }
        case .resultsInOrder:
            let iterator = futures.resultsInOrder(limit: limit).makeAsyncIterator()
            return try await count(most) {
                var copy = iterator
                return await copy.next(isolation: #isolation) != nil
            }
        case .indexedResults:
            let iterator = futures.indexedResultsInCompletionOrder(limit: limit).makeAsyncIterator()
            return try await count(most) {
                var copy = iterator
                return await copy.next(isolation: #isolation) != nil
            }
        case .values:
            let iterator = futures.valuesInCompletionOrder(limit: limit).makeAsyncIterator()
            return try await count(most) {
                var copy = iterator
                return try await copy.next(isolation: #isolation) != nil
            }
        case .valuesInOrder:
            let iterator = futures.valuesInOrder(limit: limit).makeAsyncIterator()
            return try await count(most) {
                var copy = iterator
                return try await copy.next(isolation: #isolation) != nil
            }
        }
    }

    private func count(_ most: Int, next: @escaping @MainActor () async throws -> Bool) async throws -> [Int] {
        // In this order on the main actor: both wait when the gate opens.
        let tasks = [most, .max].map { most in
            Task {
                var count = 0
                while count < most, try await next() { count += 1 }
                return count
            }
        }
        Task { [gate] in gate.open() }
        return [try await tasks[0].value, try await tasks[1].value]
    }

    @Test(
        "NEVER-HANG: both take results until both have come to the end", arguments: Order.allCases,
        [(1, 1), (1, 2), (4, 1), (4, 2), (5, 1), (5, 2)])
    func bothEnd(order: Order, size: (count: Int, limit: Int)) async throws {
        let counts = try await count(order, of: futures(size.count), limit: size.limit)
        #expect(counts.reduce(0, +) == size.count)
    }

    @Test(
        "NEVER-HANG: the second goes on when the first has stopped", arguments: Order.allCases,
        [(1, 1), (1, 2), (4, 1), (4, 2), (5, 1), (5, 2)])
    func firstStops(order: Order, size: (count: Int, limit: Int)) async throws {
        let counts = try await count(order, of: futures(size.count), limit: size.limit, most: 1)
        // On a busy machine the second may have taken all before the first asks.
        #expect(counts.reduce(0, +) == size.count && counts[0] <= 1, "\(counts)")
    }
}
