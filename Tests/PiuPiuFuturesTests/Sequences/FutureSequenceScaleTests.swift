import PiuPiu
import TestSupport
import Testing

@Suite("Many futures' results", .timeLimit(.minutes(10)))
struct FutureSequenceScaleTests {
    @Test("30,000 futures with a limit of 16 take no more memory than a few", arguments: [true, false])
    func constantMemory(inOrder: Bool) async {
        let population = Population(), count = 30_000
        let futures = (0..<count).lazy.map { number in
            let member = population.member()
            return ResponseFuture { withExtendedLifetime(member) { number } }
        }
        var expected = 0, sum = 0
        if inOrder {
            for await result in futures.resultsInOrder(limit: 16) {
                #expect((try? result.get()) == expected)
                expected += 1
            }
        } else {
            for await result in futures.resultsInCompletionOrder(limit: 16) {
                sum += (try? result.get()) ?? 0
                expected += 1
            }
            #expect(sum == count * (count - 1) / 2)
        }
        #expect(expected == count)
        // Sixteen, and those whose task is about to end.
        #expect(population.highest < 100)
        await population.extinct()
    }

    @Test("20,000 futures without a limit, all ready, are delivered")
    func unlimited() async throws {
        let count = 20_000
        let futures = (0..<count).map { number in ResponseFuture { number } }
        #expect(try await futures.valuesInCompletionOrder().reduce(0, +) == count * (count - 1) / 2)
        #expect(try await futures.valuesInOrder().reduce(0, +) == count * (count - 1) / 2)
    }

    /// How one of the futures of a random round ends.
    private enum Ending: CaseIterable {
        case value, failure, cancellation
    }

    @Test("The results of random futures, limits, orders and outcomes match a plain model", arguments: 0..<100)
    func againstModel(seed: UInt64) async {
        var generator = SeededGenerator(seed: seed)
        let endings = (0..<Int.random(in: 0...30, using: &generator)).map { _ in
            Ending.allCases.randomElement(using: &generator) ?? .value
        }
        let hops = endings.map { _ in Int.random(in: 0...3, using: &generator) }
        let limit: Int? = Bool.random(using: &generator) ? nil : Int.random(in: 0...6, using: &generator)
        let taken = Bool.random(using: &generator) ? Int.max : Int.random(in: 1...10, using: &generator)
        let reads = Counter()
        let futures = endings.indices.lazy.map { number in
            reads.increment()
            var future = ResponseFuture {
                switch endings[number] {
                case .value: number
                case .failure: throw Mishap(number: number)
                case .cancellation: throw CancellationError()
                }
            }
            for _ in 0..<hops[number] { future = future.flatMap { value in ResponseFuture { value } } }
            return future
        }
        let expected = endings.enumerated().map { number, ending in
            switch ending {
            case .value: "success(\(number))"
            case .failure: "failure(TestSupport.Mishap(number: \(number)))"
            case .cancellation: "failure(Swift.CancellationError())"
            }
        }

        var inOrder: [String] = []
        for await result in futures.resultsInOrder(limit: limit) {
            inOrder.append("\(result)")
            #expect(reads.value <= inOrder.count - 1 + (limit.map { max(1, $0) } ?? endings.count))
            if inOrder.count == taken { break }
        }
        #expect(inOrder == Array(expected.prefix(taken)))

        var offsets: Set<Int> = []
        for await (offset, result) in futures.indexedResultsInCompletionOrder(limit: limit) {
            #expect(offsets.insert(offset).inserted)
            #expect("\(result)" == expected[offset])
            if offsets.count == taken { break }
        }
        #expect(offsets.count == min(taken, endings.count))

        let failures = endings.indices.filter { endings[$0] != .value }
        var values: [Int] = [], error = "none"
        do {
            for try await value in futures.valuesInOrder(limit: limit) { values.append(value) }
        } catch let thrown {
            error = "failure(TestSupport.\(thrown))".replacing("TestSupport.Cancel", with: "Swift.Cancel")
        }
        #expect(values == Array(0..<values.count))
        #expect(values.count <= failures.first ?? endings.count)
        #expect(failures.isEmpty ? error == "none" : failures.map { expected[$0] }.contains(error))
    }
}
