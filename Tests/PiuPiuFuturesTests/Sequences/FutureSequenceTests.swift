import PiuPiu
import TestSupport
import Testing

private enum Traits {
    @TaskLocal static var name = "nobody"
}

@Suite("Futures' results and values as an AsyncSequence", .timeLimit(.minutes(10)))
struct FutureSequenceTests {
    private func text(_ result: Result<Int, any Error>?) -> String {
        switch result {
        case .success(let value): "\(value)"
        case .failure(let error): "\(error)"
        case nil: "end"
        }
    }

    @Test("COLD: nothing is read or started before the first next(); then all futures are, without a limit")
    func cold() async {
        let reads = Counter(), controlled = ControlledFutures()
        let futures = (0..<3).lazy.map { number in
            reads.increment()
            return controlled.future(number)
        }
        var iterator = futures.resultsInCompletionOrder().makeAsyncIterator()
        #expect(reads.value == 0)
        async let events = controlled.log.all(3)
        Task {
            await controlled.log.wait(for: 3)
            controlled.succeed(1)
        }
        #expect(text(await iterator.next()) == "1")
        #expect(Set(await events) == ["start 0", "start 1", "start 2"])
        #expect(reads.value == 3)
    }

    @Test("Results come in the order of completion, with the offset of their future")
    func completionOrder() async {
        let controlled = ControlledFutures()
        var iterator = (0..<3).map(controlled.future).indexedResultsInCompletionOrder().makeAsyncIterator()
        Task {
            await controlled.log.wait(for: 3)
            controlled.succeed(2)
        }
        var offsets: [Int] = []
        while let (offset, result) = await iterator.next() {
            #expect(text(result) == (offset == 0 ? "Mishap(number: 0)" : "\(offset)"))
            offsets.append(offset)
            if offset == 2 { controlled.fail(0) } else { controlled.succeed(1) }
        }
        #expect(offsets == [2, 0, 1])
    }

    @Test("Results keep the order of the futures, whichever ends first", arguments: [nil, 3, 10])
    func sequenceOrder(limit: Int?) async {
        let controlled = ControlledFutures()
        Task {
            await controlled.log.wait(for: 3)
            for number in [2, 1, 0] { controlled.succeed(number) }
        }
        var results: [String] = []
        for await result in (0..<3).map(controlled.future).resultsInOrder(limit: limit) { results.append(text(result)) }
        #expect(results == ["0", "1", "2"])
    }

    @Test("A failure or cancellation of one future is a result; the others go on")
    func failures() async {
        let futures = [
            ResponseFuture(result: 1), ResponseFuture(error: Mishap(number: 2)), ResponseFuture { $0.cancel() },
            ResponseFuture { 4 },
        ]
        var results: [String] = []
        for await result in futures.resultsInOrder(limit: 2) { results.append(text(result)) }
        #expect(results == ["1", "Mishap(number: 2)", "CancellationError()", "4"])
        var unordered: Set<String> = []
        for await result in futures.resultsInCompletionOrder() { unordered.insert(text(result)) }
        #expect(unordered == Set(results))
    }

    @Test("Values come in either order, and the sequence ends after them, for good", arguments: [nil, 1, 3])
    func values(limit: Int?) async throws {
        let futures = (0..<10).map { number in ResponseFuture { number } }
        var iterator = futures.valuesInOrder(limit: limit).makeAsyncIterator()
        for number in 0..<10 { #expect(try await iterator.next() == number) }
        #expect(try await iterator.next() == nil)
        #expect(try await iterator.next() == nil)
        let unordered = try await futures.valuesInCompletionOrder(limit: limit).reduce(into: Set()) { $0.insert($1) }
        #expect(unordered == Set(0..<10))
    }

    @Test("An empty sequence has no results")
    func empty() async throws {
        let none: [ResponseFuture<Int>] = []
        for await _ in none.resultsInCompletionOrder() { Issue.record("a result") }
        for await _ in none.resultsInOrder(limit: 2) { Issue.record("a result") }
        for await _ in none.indexedResultsInCompletionOrder() { Issue.record("a result") }
        for try await _ in none.valuesInOrder() { Issue.record("a value") }
    }

    @Test(
        "Back-pressure: an endless sequence is read on demand, no further than the limit",
        arguments: [(4, 4), (1, 1), (0, 1), (-3, 1), (Int.min, 1)])
    func backPressure(limit: Int, effective: Int) async throws {
        let reads = Counter()
        let futures = (0...).lazy.map { number in
            reads.increment()
            return ResponseFuture(result: number)
        }
        var unordered = futures.resultsInCompletionOrder(limit: limit).makeAsyncIterator()
        for taken in 0..<20 {
            _ = await unordered.next()
            #expect(reads.value == taken + effective)
        }
        var ordered = futures.valuesInOrder(limit: limit).makeAsyncIterator()
        for taken in 0..<20 {
            #expect(try await ordered.next() == taken)
            #expect(reads.value == 19 + effective + taken + effective)
        }
    }

    @Test("As many futures run at once as the limit, and no more")
    func concurrency() async throws {
        let running = Population(), gate = Gate()
        let futures = (0..<50).map { number in
            ResponseFuture {
                let member = running.member()
                await gate.pass()
                return withExtendedLifetime(member) { number }
            }
        }
        Task {
            await gate.reached(3)
            gate.open()
        }
        let sum = try await futures.valuesInCompletionOrder(limit: 3).reduce(0, +)
        #expect(sum == 49 * 25)
        #expect(running.highest == 3)
    }

    @Test("ONCE: the same futures can be iterated again, and keep their results")
    func again() async throws {
        let runs = Counter()
        let sequence = (0..<5).map { number in
            ResponseFuture {
                runs.increment()
                return number
            }
        }.valuesInOrder(limit: 2)
        #expect(try await sequence.reduce(0, +) == 10)
        #expect(try await sequence.reduce(0, +) == 10)
        #expect(runs.value == 5)
    }

    @Test("INHERIT: the work has the iterating task's task-local values and priority")
    func inherit() async throws {
        let futures = (0..<3).map { _ in ResponseFuture { (Traits.name, Task.currentPriority) } }
        let seen = try await Traits.$name.withValue("consumer") {
            try await Task(priority: .high) {
                try await futures.valuesInCompletionOrder().reduce(into: []) { $0.append($1) }
            }.value
        }
        #expect(seen.map(\.0) == ["consumer", "consumer", "consumer"])
        #expect(seen.allSatisfy { $0.1 >= .high })
    }

    @Test("INHERIT: each future has the task-local values of the next() that reads it", arguments: [false, true])
    func inheritEach(inOrder: Bool) async throws {
        let futures = (0..<20).map { _ in ResponseFuture { () async in Traits.name } }
        var iterator = (inOrder ? futures.valuesInOrder(limit: 1) : futures.valuesInCompletionOrder(limit: 1))
            .makeAsyncIterator()
        for number in 0..<20 {
            let name = try await Traits.$name.withValue("\(number)") { try await iterator.next() }
            #expect(name == "\(number)")
        }
    }

    @Test("NO-MAIN: futures are iterated while the main thread is blocked")
    func noMain() async throws {
        let futures = (0..<20).map { number in ResponseFuture { number }.then { $0 + 1 } }
        let sums = try await MainQueue.blocked {
            let unordered = try await futures.valuesInCompletionOrder(limit: 4).reduce(0, +)
            return (unordered, try await futures.valuesInOrder(limit: 4).reduce(0, +))
        }
        #expect(sums == (210, 210))
    }

    @MainActor
    @Test("SYNC-START, BACKGROUND: a legacy action begins on the consumer's thread, all other work off its actor")
    func whereWorkBegins() async throws {
        let futures = [
            ResponseFuture<Bool> { $0.succeed(with: MainQueue.isCurrent) },
            ResponseFuture { MainQueue.isCurrent }, ResponseFuture { () async throws -> Bool in MainQueue.isCurrent },
            ResponseFuture<Bool> { $0.succeed(with: MainQueue.isCurrent) }.then { $0 },
        ]
        var all: [Bool] = []
        for try await isMain in futures.valuesInOrder() { all.append(isMain) }
        #expect(all == [true, false, false, true])
    }

    @MainActor
    @Test("An actor iterates, and reads the source, in its own isolation")
    func onMainActor() async throws {
        var total = 0
        let futures = (1...4).lazy.map { number in
            #expect(MainQueue.isCurrent)
            return ResponseFuture(result: number)
        }
        for try await value in futures.valuesInCompletionOrder(limit: 2) { total += value }
        var iterator = futures.indexedResultsInCompletionOrder(limit: 2).makeAsyncIterator()
        while let (_, result) = await iterator.next() { total += try result.get() }
        #expect(total == 20)
        let settled = ResponseFuture(result: 1)
        _ = try await settled.value
        var updates = settled.updates().makeAsyncIterator()
        #expect(await updates.next() == nil)
    }

    @Test("SENDABLE: a sequence of sendable futures crosses into a task; a user's own actor iterates it")
    func sendable() async throws {
        let sequence = (1...4).map { ResponseFuture(result: $0) }.valuesInCompletionOrder(limit: 2)
        let task = Task { try await sequence.reduce(0, +) }
        #expect(try await task.value == 10)
        #expect(try await Adder().add(sequence) == 10)
    }

    @Test("The types of failure are exact: results throw nothing")
    func failureTypes() async {
        func check<Sequence: AsyncSequence>(_ sequence: Sequence) -> String { "\(Sequence.Failure.self)" }
        let futures = [ResponseFuture(result: 1)]
        #expect(check(futures.resultsInCompletionOrder()) == "Never")
        #expect(check(futures.indexedResultsInCompletionOrder()) == "Never")
        #expect(check(futures.valuesInOrder()) == "any Error" || check(futures.valuesInOrder()) == "Error")
        #expect(check(futures[0].updates()) == "Never")
    }
}

private actor Adder {
    private var sum = 0

    func add(_ numbers: some AsyncSequence<Int, any Error>) async throws -> Int {
        for try await number in numbers { sum += number }
        return sum
    }
}
