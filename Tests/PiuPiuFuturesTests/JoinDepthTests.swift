import PiuPiu
import TestSupport
import Testing

@Suite("DEPTH: joins", .timeLimit(.minutes(10)))
struct JoinDepthTests {
    typealias Numbers = ResponseFuture<[Int]>

    @Test("A join of a hundred thousand children, or of twenty thousand with a limit")
    func wide() async throws {
        let count = DepthTests.length
        let sum = try await Numbers(childFutures: (0..<count).map { ResponseFuture(result: $0) }).value.reduce(0, +)
        #expect(sum == count * (count - 1) / 2)
        let children = (0..<20_000).map { number in ResponseFuture { try await ChildFuturesTests.later(number) } }
        #expect(try await Numbers(childFutures: children, limit: 8).value.count == 20_000)
        withExtendedLifetime(Numbers(childFutures: (0..<100_000).map { ResponseFuture(result: $0) })) {}
    }

    @Test("A join of a hundred thousand children whose last is a legacy action, on a small stack")
    func wideWithAction() async throws {
        let count = DepthTests.length
        let join = await onSmallStack {
            var children = (0..<count).map { number in ResponseFuture { number } }
            children.append(ResponseFuture<Int> { $0.succeed(with: count) })
            let join = Numbers(childFutures: children)
            join.send()
            return join
        }
        #expect(try await join.value.reduce(0, +) == count * (count + 1) / 2)
    }

    @Test("Joins below joins, thirty thousand deep, are built and released without overflowing the stack")
    func deep() async throws {
        var left = ResponseFuture(result: 0), right = ResponseFuture(result: 0)
        for number in 0..<30_000 {
            left = left.join(ResponseFuture(result: number)).then { $1 }
            right = ResponseFuture(result: number).parallelJoin { right }.then { $0 + $1 * 0 }
        }
        #expect(left.status == .created && right.status == .created)
    }

    @Test("Joins below joins, two thousand deep, run", arguments: [true, false])
    func deepRun(isLeft: Bool) async throws {
        var future = ResponseFuture(result: 0)
        for number in 1...2_000 {
            let other = ResponseFuture { try await ChildFuturesTests.later(number) }
            future = isLeft ? future.join(other).then { max($0, $1) } : other.join(future).then { max($0, $1) }
        }
        #expect(try await future.value == 2_000)
    }

    @Test("SYNC-START: joins of legacy actions below joins, ten thousand deep, begin in order before send() returns")
    func deepActions() async {
        let begun = Locked<[Int]>([]), count = 10_000
        let ending = await onSmallStack {
            var all = ResponseFuture<Int>(result: 0)
            for number in 1...count {
                all = (consume all).parallelJoin {
                    ResponseFuture<Int> { promise in
                        begun.withLock { $0.append(number) }
                        promise.succeed(with: number)
                    }
                }.then { max($0, $1) }
            }
            all.send()
            return (all, begun.withLock { $0 })
        }
        #expect(ending.1 == Array(1...count))
        #expect(await ending.0.ending == "value \(count)")
    }

    @Test("SYNC-START: a join that an action sends has begun its actions when that send() returns")
    func joinInAction() async {
        let log = EventLog()
        @Sendable func part(_ name: String) -> ResponseFuture<Int> {
            ResponseFuture<Int> { promise in
                log(name)
                promise.succeed(with: 1)
            }
        }
        let outer = ResponseFuture<Int> { promise in
            part("a").join(part("b")).send()
            log("sent")
            promise.succeed(with: 1)
        }
        let join = outer.join(part("c"))
        join.send()
        log("returned")
        #expect(log.events == ["a", "b", "sent", "c", "returned"])
        #expect(await join.then { $0 + $1 }.ending == "value 2")
    }

    @Test("Joins below joins are cancelled without overflowing the stack: before the start, and while they run")
    func deepCancellation() async {
        var unstarted = ResponseFuture(result: 0)
        for _ in 0..<30_000 { unstarted = ResponseFuture(result: 1).join(consume unstarted).then { $0 + $1 } }
        unstarted.cancel()
        #expect(unstarted.status == .cancelled)

        let gate = Gate(), log = EventLog()
        var running = ResponseFuture {
            try await gate.passUnlessCancelled()
            return 1
        }
        .onCompletion { log("root") }
        for _ in 0..<10_000 { running = (consume running).join(ResponseFuture { 1 }).then { $0 + $1 } }
        running.send()
        await gate.reached()
        running.cancel()
        #expect(await running.ending == "cancelled")
        await log.wait(for: 1)
    }

    @Test("A chain of 10,000 flatMaps that all wait ends")
    func waitingFlatMaps() async throws {
        var chain = ResponseFuture(result: 0)
        for _ in 0..<10_000 {
            chain = (consume chain).flatMap { number in
                ResponseFuture { try await ChildFuturesTests.later(number + 1) }
            }
        }
        #expect(try await chain.value == 10_000)
    }

    @Test("Long chains of flatMap, and recursions through it, end")
    func flat() async throws {
        var chain = ResponseFuture(result: 0)
        for _ in 0..<20_000 { chain = chain.flatMap { number in ResponseFuture(result: number + 1) } }
        #expect(try await chain.value == 20_000)

        @Sendable func countdown(_ number: Int) -> ResponseFuture<Int> {
            ResponseFuture(result: number).then { $0 }.flatMap {
                $0 == 0 ? ResponseFuture(result: 0) : countdown($0 - 1)
            }
        }
        #expect(try await countdown(20_000).value == 0)
        let held = countdown(20_000)
        #expect(try await held.value == 0 && held.status == .success)

        @Sendable func sum(_ number: Int) -> ResponseFuture<Int> {
            ResponseFuture(result: number).flatMap { number in
                number == 0 ? ResponseFuture(result: 0) : sum(number - 1).then { $0 + number }
            }
        }
        #expect(try await sum(1_000).value == 500_500)
    }
}
