import Foundation
import PiuPiu
import TestSupport
import Testing

@Suite("Joins of many futures", .timeLimit(.minutes(10)))
struct ChildFuturesTests {
    typealias Numbers = ResponseFuture<[Int]>

    static func later(_ number: Int) async throws -> Int {
        try Task.checkCancellation()
        return number
    }

    /// Futures of every sort that is run in its own way.
    static func child(_ number: Int) -> ResponseFuture<Int> {
        switch number % 6 {
        case 0: ResponseFuture(result: number)
        case 1: ResponseFuture { number }
        case 2: ResponseFuture { try await Self.later(number) }
        case 3: ResponseFuture { $0.succeed(with: number) }
        case 4: ResponseFuture(result: number).flatMap { number in ResponseFuture { try await Self.later(number) } }
        default: ResponseFuture { try await Self.later(number) }.then { $0 }
        }
    }

    @Test("The values keep the order of the children, of whatever sort they are", arguments: [nil, 0, 1, 3, 1000])
    func order(limit: Int?) async throws {
        let numbers = Array(0..<200)
        #expect(try await Numbers(childFutures: numbers.map(Self.child), limit: limit).value == numbers)
        for sort in 0..<6 {
            let alike = numbers.map { number in Self.child(sort).then { _ in number } }
            #expect(try await Numbers(childFutures: alike, limit: limit).value == numbers, "sort \(sort)")
            // The same, seen by somebody else.
            #expect(try await Numbers(childFutures: Array(alike), limit: limit).value == numbers, "sort \(sort)")
        }
        #expect(try await Numbers(childFutures: [], limit: limit).value == [])
    }

    @Test(
        "ONCE, SYNC-START: of many legacy actions that settle at once each is begun once, by the caller, in order",
        arguments: [nil, 3, 1000])
    func legacyActions(limit: Int?) async throws {
        for round in 0..<20 {
            let log = EventLog()
            let actions = (0..<100).map { number in
                ResponseFuture<Int> { future in
                    log("\(number)")
                    future.succeed(with: number)
                }
            }
            let joined = Numbers(childFutures: actions, limit: limit)
            #expect(try await joined.value == Array(0..<100), "round \(round)")
            // Those that a limit keeps from the start begin where there is room, on any thread, maybe in between.
            let first = (0..<min(limit ?? 100, 100)).map(String.init)
            #expect(log.events.filter(first.contains) == first, "round \(round)")
            #expect(log.events.count == 100, "round \(round)")
        }
    }

    @Test("Every Success that can be built from its elements is: array, set, string, other collections")
    func kinds() async throws {
        #expect(try await Numbers(arrayLiteral: Self.child(1), Self.child(2)).value == [1, 2])
        #expect(try await ResponseFuture<Set<Int>>(arrayLiteral: Self.child(3), Self.child(3)).value == [3])
        #expect(try await ResponseFuture<ContiguousArray<Int>>(childFutures: [Self.child(4)]).value == [4])
        let letters = "join".map { ResponseFuture(result: $0) }
        #expect(try await ResponseFuture<String>(childFutures: letters).value == "join")
        #expect(try await ResponseFuture<Data>(arrayLiteral: ResponseFuture(result: 5)).value == Data([5]))
        let futures = [Self.child(6), Self.child(7)]
        let made = ResponseFuture<[Int]>.init { [futures] in futures }
        #expect(try await made.value == [6, 7])
        #expect(try await ResponseFuture<[Int]>(childFuturesCallback: { futures }).value == [6, 7])
        #expect(try await ResponseFuture<[Int]> { [8, 9] }.value == [8, 9])
    }

    @Test("Without a limit all run at once, those too that turn out to need a suspension", arguments: [true, false])
    func allAtOnce(isFlat: Bool) async throws {
        let gate = Gate()
        let waiting = { @Sendable (number: Int) in
            ResponseFuture {
                await gate.pass()
                return number
            }
        }
        let children = (0..<100).map { number in
            isFlat ? ResponseFuture(result: number).flatMap { waiting($0) } : waiting(number)
        }
        let task = Numbers(childFutures: children).then { $0.count }.awaitedInTask()
        await gate.reached(100)
        gate.open()
        #expect(await task.value == "value 100")
    }

    @Test("With a limit no more than so many run at once, in the order of the children", arguments: [1, 3])
    func limited(limit: Int) async throws {
        let gates = (0..<12).map { _ in Gate() }, started = EventLog()
        let children = gates.enumerated().map { number, gate in
            ResponseFuture {
                started("\(number)")
                await gate.pass()
                return number
            }
        }
        let task = Numbers(childFutures: children, limit: limit).then { $0.count }.awaitedInTask()
        for (number, gate) in gates.enumerated() {
            // So many have been started, and no more can have been, as none has ended that could make room.
            await started.wait(for: min(number + limit, gates.count))
            #expect(started.events.count == min(number + limit, gates.count))
            await gate.reached()
            gate.open()
        }
        #expect(await task.value == "value 12")
        #expect(Set(started.events).count == 12)
    }

    @Test(
        "GROUPS: the first failure cancels the siblings and is thrown; those not begun never begin",
        arguments: [nil, 2])
    func firstFailure(limit: Int?) async {
        let gate = Gate(), log = EventLog(), late = Counter()
        let failing = ResponseFuture<Int> {
            await gate.reached()
            throw Mishap(number: 5)
        }
        let others = limit == nil ? [] : (0..<50).map { _ in ResponseFuture { late.increment() } }
        let children = [JoinTests.waiting(1, at: gate, log), failing] + others
        #expect(await Numbers(childFutures: children, limit: limit).ending == "error Mishap(number: 5)")
        #expect(await log.all(1) == ["cancelled 1"])
        #expect(late.value == 0)
    }

    @Test("GROUPS: a cancelled child cancels the join and its siblings; it is not left out")
    func cancelledChild() async {
        let gate = Gate(), log = EventLog()
        let cancelled = ResponseFuture<Int> { future in
            Task {
                await gate.reached()
                future.cancel()
            }
        }
        let joined = Numbers(childFutures: [JoinTests.waiting(1, at: gate, log), cancelled])
        #expect(await joined.ending == "cancelled")
        #expect(await log.all(1) == ["cancelled 1"])
    }

    @Test("DOWN: cancelling the only awaiter of a join of synchronous children ends it before the next child")
    func cancelledBetween() async {
        let gate = Gate(), runs = Counter(), awaiter = Box<Task<String, Never>>()
        let first = ResponseFuture { () -> Int in
            awaiter.value?.cancel()
            return 0
        }
        let joined = Numbers(
            childFutures: [first] + (0..<100).map { _ in ResponseFuture { runs.increment() } }, limit: 1)
        awaiter.value = Task {
            await gate.pass()
            return await joined.ending
        }
        gate.open()
        #expect(await awaiter.value?.value == "cancelled")
        #expect(runs.value == 0)
    }

    @Test("NO-MAIN: joins of all kinds are awaited while the main thread is blocked")
    func noMain() async throws {
        let numbers = Array(0..<24)
        let sum = try await MainQueue.blocked {
            let joined = Numbers(childFutures: numbers.map(Self.child)).parallelJoin { Self.child(2) }
                .then { $0.reduce($1, +) }
            return try await ResponseFuture.race(ResponseFuture.firstSuccess(of: joined)).value
        }
        #expect(sum == numbers.reduce(2, +))
    }

    @Test("A race ends with the first outcome, of whatever kind, and cancels the others")
    func race() async {
        for outcome in [Result<Int, any Error>.success(2), .failure(Mishap(number: 8)), .failure(CancellationError())] {
            let gate = Gate(), log = EventLog()
            let first = ResponseFuture {
                await gate.reached(2)
                return try outcome.get()
            }
            let others = (0..<2).map { JoinTests.waiting($0, at: gate, log) }
            let ending = await ResponseFuture.race([others[0], first, others[1]]).ending
            let expected: String
            switch outcome {
            case .success(let value): expected = "value \(value)"
            case .failure(let error): expected = error is Mishap ? "error \(error)" : "cancelled"
            }
            #expect(ending == expected)
            await log.wait(for: 2)
            #expect(Set(log.events) == ["cancelled 0", "cancelled 1"])
        }
        await #expect(throws: AllFuturesFailedError.self) { try await ResponseFuture<Int>.race([]).value }
    }

    @Test(
        "The first success wins over earlier failures; with none, all errors are reported, in order",
        arguments: [nil, 1, 2])
    func firstSuccess(limit: Int?) async throws {
        let failing = { (number: Int) in ResponseFuture<Int>(error: Mishap(number: number)) }
        let cancelled = ResponseFuture<Int> { $0.cancel() }
        let gate = Gate(), log = EventLog()
        let winning = [failing(1), cancelled, Self.child(2), JoinTests.waiting(3, at: gate, log)]
        #expect(try await ResponseFuture.firstSuccess(of: winning, limit: limit).value == 2)
        let losing = ResponseFuture.firstSuccess(of: [failing(1), cancelled, failing(2)], limit: limit)
        let error = await #expect(throws: AllFuturesFailedError.self) { try await losing.value }
        #expect(error?.errors.map { $0 as? Mishap } == [Mishap(number: 1), Mishap(number: 2)])
        #expect(error?.localizedDescription.contains("None of 2 futures") == true)
        #expect(await ResponseFuture.firstSuccess(of: [cancelled], limit: limit).ending == "cancelled")
        await #expect(throws: AllFuturesFailedError.self) {
            try await ResponseFuture<Int>.firstSuccess(of: [], limit: limit).value
        }
    }
}
