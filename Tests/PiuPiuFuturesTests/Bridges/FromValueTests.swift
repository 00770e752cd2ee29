import Foundation
import PiuPiu
import TestSupport
import Testing

@Suite("Futures of results and of sequences", .timeLimit(.minutes(10)))
struct FromValueTests {
    /// A stream of buffered numbers, and its end.
    private func stream(_ numbers: [Int], failing error: (any Error)? = nil) -> AsyncThrowingStream<Int, any Error> {
        AsyncThrowingStream { continuation in
            for number in numbers { continuation.yield(number) }
            continuation.finish(throwing: error)
        }
    }

    @Test("A result settles the future once it starts, and comes back unchanged")
    func result() async {
        let value = ResponseFuture<Int>(completedWith: .success(1))
        #expect(value.status == .created)
        #expect(await value.ending == "value 1")
        #expect(
            await ResponseFuture<Int>(completedWith: .failure(Mishap(number: 2))).ending == "error Mishap(number: 2)")
        #expect(await ResponseFuture<Int>(completedWith: .failure(URLError(.cancelled))).ending == "cancelled")
        #expect(await ResponseFuture(completedWith: await value.result).ending == "value 1")
    }

    @Test("Labels distinguish a future of a result from a future whose value is a result")
    func resultOfResult() async throws {
        let failure = Result<Int, any Error>.failure(Mishap())
        let valued = ResponseFuture(result: failure)
        await #expect(throws: Mishap()) { try await valued.value.get() }
        let nested = ResponseFuture<Result<Int, any Error>>(completedWith: .success(failure))
        #expect(await nested.ending == "value \(failure)")
    }

    @Test("The first, the last and all elements of a sequence")
    func elements() async {
        #expect(await ResponseFuture(firstOf: stream([1, 2, 3])).ending == "value 1")
        #expect(await ResponseFuture(lastOf: stream([1, 2, 3])).ending == "value 3")
        #expect(await ResponseFuture(allOf: stream([1, 2, 3])).ending == "value [1, 2, 3]")
        #expect(await ResponseFuture(allOf: stream([])).ending == "value []")
    }

    @Test("A sequence's error fails the future, unless the first element came before")
    func failures() async {
        let error = Mishap(number: 4)
        #expect(await ResponseFuture(firstOf: stream([1], failing: error)).ending == "value 1")
        #expect(await ResponseFuture(firstOf: stream([], failing: error)).ending == "error \(error)")
        #expect(await ResponseFuture(lastOf: stream([1], failing: error)).ending == "error \(error)")
        #expect(await ResponseFuture(allOf: stream([1], failing: error)).ending == "error \(error)")
    }

    @Test(
        "NEVER-HANG: an empty sequence has no first or last element; the error says where, and what to do"
    )
    func empty() async {
        let line: UInt = #line + 1
        let first = ResponseFuture(firstOf: stream([]))
        let last = ResponseFuture(lastOf: stream([]))
        let expected = FutureError.emptySequence(file: #fileID, line: line)
        await #expect(throws: expected) { try await first.value }
        await #expect(throws: FutureError.emptySequence(file: #fileID, line: line + 1)) { try await last.value }
        #expect(expected.localizedDescription.contains("FromValueTests.swift:\(line)"))
        #expect(expected.localizedDescription.contains("init(allOf:)"))
    }

    @Test("COLD, EARLY: the iteration begins when the future starts, and never if it is cancelled before")
    func cold() async {
        let reads = Counter()
        let numbers = AsyncStream { reads.increment() }
        let futures = [ResponseFuture(firstOf: numbers), ResponseFuture(firstOf: numbers)]
        #expect(reads.value == 0)
        futures[0].cancel()
        #expect(await futures[0].ending == "cancelled")
        #expect(reads.value == 0)
        #expect(await futures[1].ending == "value 1")
        #expect(reads.value == 1)
    }

    @Test("DOWN, UP: cancelling the future, or its only awaiter, ends the iteration", arguments: 0..<3, [true, false])
    func cancellation(kind: Int, cancelsFuture: Bool) async {
        let gate = Gate(), ended = Gate()
        let numbers = AsyncStream<Int> {
            try? await gate.passUnlessCancelled()
            ended.open()
            return nil
        }
        let future =
            switch kind {
            case 0: ResponseFuture(firstOf: numbers)
            case 1: ResponseFuture(lastOf: numbers)
            default: ResponseFuture(allOf: numbers).then(\.count)
            }
        let awaiter = future.awaitedInTask()
        await gate.reached()
        if cancelsFuture { future.cancel() } else { awaiter.cancel() }
        #expect(await awaiter.value == "cancelled")
        await ended.opened()
    }

    @Test("The first element ends the iteration, and releases the sequence")
    func firstEndsIteration() async {
        let population = Population()
        func future() -> ResponseFuture<Int> {
            let member = population.member()
            return ResponseFuture(firstOf: AsyncStream { withExtendedLifetime(member) { 7 } })
        }
        let kept = future()
        #expect(await kept.ending == "value 7")
        await population.extinct()
        #expect(kept.status == .success)
    }

    @Test("NO-MAIN: a sequence is iterated while the main thread is blocked, and off the main actor")
    func noMain() async throws {
        let all = try await MainQueue.blocked {
            try await ResponseFuture(allOf: stream([1, 2]).map { "\($0) \(MainQueue.isCurrent)" }).value
        }
        #expect(all == ["1 false", "2 false"])
    }

    @Test("A future's own results and updates become futures again")
    func roundTrip() async {
        let futures = (1...3).map { ResponseFuture(result: $0) }
        #expect(await ResponseFuture(allOf: futures.valuesInOrder(limit: 2)).ending == "value [1, 2, 3]")
        let cancelled: [ResponseFuture<Int>] = [ResponseFuture { $0.cancel() }]
        #expect(await ResponseFuture(firstOf: cancelled.valuesInOrder()).ending == "cancelled")
    }
}
