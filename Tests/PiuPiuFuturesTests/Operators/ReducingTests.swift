import Dispatch
import PiuPiu
import TestSupport
import Testing

@Suite("One value from many futures", .timeLimit(.minutes(10)))
struct ReducingTests {
    @Test("The values keep the order of the futures, whichever ends first", arguments: [nil, 1, 2])
    func order(limit: Int?) async {
        let futures = (1...5).map { number in ResponseFuture { () async -> Int in number } }
        let text = ResponseFuture.reduce("", futures, limit: limit) { text, number in text + "\(number)" }
        #expect(await text.ending == "value 12345")
        let suspending = ResponseFuture.reduce(0, futures.lazy.map { $0.then { $0 * 10 } }) { sum, number in
            await Task { sum + number }.value
        }
        #expect(await suspending.ending == "value 150")
        let folded = ResponseFuture { "0" }.fold(futures, limit: limit) { text, number in text + "\(number)" }
        #expect(await folded.ending == "value 012345")
    }

    @Test("No futures give the initial value")
    func empty() async {
        #expect(await ResponseFuture.reduce(7, [ResponseFuture<Int>]()) { $0 + $1 }.ending == "value 7")
        #expect(await ResponseFuture { 7 }.fold([ResponseFuture<Int>]()) { $0 + $1 }.ending == "value 7")
    }

    @Test("GROUPS: the first failure cancels the others, and no step runs")
    func failure() async {
        let gate = Gate(), cancelled = Gate(), steps = Counter()
        let futures = [
            waiting(at: gate, cancelled: cancelled),
            ResponseFuture {
                await gate.reached()
                throw Mishap(number: 2)
            },
        ]
        let future = ResponseFuture.reduce(0, futures) { _, _ in steps.increment() }
        #expect(await future.ending == "error Mishap(number: 2)")
        await cancelled.opened()
        #expect(steps.value == 0)
        let folded = ResponseFuture<Int> { throw Mishap(number: 4) }.fold([ResponseFuture { 1 }]) { $0 + $1 }
        #expect(await folded.ending == "error Mishap(number: 4)")
    }

    @Test("A step that throws fails the future, and is the last")
    func throwing() async {
        let steps = Counter()
        let future = ResponseFuture.reduce(0, (1...3).map { ResponseFuture(result: $0) }) { _, number in
            steps.increment()
            if number == 2 { throw Mishap(number: number) }
            return number
        }
        #expect(await future.ending == "error Mishap(number: 2)")
        #expect(steps.value == 2)
    }

    @Test("PROMPT: a cancellation doesn't wait for a deaf step, and no step follows")
    func deafStep() async {
        let gate = Gate(), steps = Counter(), closures = Population()
        @Sendable func make() -> ResponseFuture<Int> {
            let member = closures.member()
            return .reduce(0, [ResponseFuture { 1 }, ResponseFuture { 2 }]) { _, _ in
                await gate.pass()
                return withExtendedLifetime(member) { steps.increment() }
            }
        }
        let task = Awaiting { make() }
        await gate.reached()
        task.cancel()
        #expect(await task.ending == "cancelled")
        gate.open()
        await closures.extinct()
        #expect(steps.value == 1)
    }
}

@Suite("All results of many futures", .timeLimit(.minutes(10)))
struct WhenAllCompleteTests {
    private func word(_ result: Result<Int, any Error>) -> String {
        switch result {
        case .success(let number): "\(number)"
        case .failure(is CancellationError): "cancelled"
        case .failure(let error): "\(error)"
        }
    }

    private func futures() -> [ResponseFuture<Int>] {
        let cancelled = ResponseFuture { 3 }
        cancelled.cancel()
        return [
            ResponseFuture { 0 }, ResponseFuture { throw Mishap(number: 1) },
            ResponseFuture { throw CancellationError() }, cancelled, ResponseFuture { () async -> Int in 4 },
        ]
    }

    @Test("A cancelled member is a failure with CancellationError, in all forms", arguments: [nil, 1, 2])
    func agreement(limit: Int?) async throws {
        let expected = ["0", "Mishap(number: 1)", "cancelled", "cancelled", "4"]
        let whole = try await ResponseFuture.whenAllComplete(futures(), limit: limit).value
        #expect(whole.map(word) == expected)
        var inOrder: [String] = [], indexed = Array(repeating: "", count: 5)
        for await result in futures().resultsInOrder(limit: limit) { inOrder.append(word(result)) }
        #expect(inOrder == expected)
        for await (offset, result) in futures().indexedResultsInCompletionOrder(limit: limit) {
            indexed[offset] = word(result)
        }
        #expect(indexed == expected)
        let none = try await ResponseFuture.whenAllComplete([ResponseFuture<Int>]()).value
        #expect(none.isEmpty)
    }

    @Test("UP: cancelling the whole cancels members in flight, and is no result", arguments: Holding.allCases)
    func cancelled(holding: Holding) async {
        let deaf = DeafWork(.operation), keeper = Keeper<Int>(holding)
        defer { deaf.release() }
        let task = Awaiting {
            ResponseFuture.whenAllComplete([ResponseFuture { 1 }, keeper.keep(deaf.future())]).then(\.count)
        }
        await deaf.reached()
        task.cancel()
        #expect(await task.ending == "cancelled")
        await keeper.cancelled()
    }

    @Test("GROUPS: the limit applies to the parts of reduce, fold and whenAllComplete")
    func limits() async throws {
        let running = Locked((now: 0, most: 0))
        func parts() -> [ResponseFuture<Int>] {
            (0..<20).map { number in
                ResponseFuture<Int> { promise in
                    running.withLock { $0 = ($0.now + 1, max($0.most, $0.now + 1)) }
                    DispatchQueue.global().async {
                        running.withLock { $0.now -= 1 }
                        promise.succeed(with: number)
                    }
                }
            }
        }
        #expect(try await ResponseFuture.reduce(0, parts(), limit: 1) { $0 + $1 }.value == 190)
        #expect(try await ResponseFuture(result: 1).fold(parts(), limit: 1) { $0 + $1 }.value == 191)
        #expect(try await ResponseFuture.whenAllComplete(parts(), limit: 1).value.count == 20)
        #expect(running.withLock { $0.most } == 1)
    }
}
