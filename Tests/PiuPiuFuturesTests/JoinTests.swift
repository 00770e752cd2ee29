import PiuPiu
import TestSupport
import Testing

@Suite("Joins", .timeLimit(.minutes(10)))
struct JoinTests {
    /// Work that waits for the gate, and logs its cancellation.
    static func waiting<Value: Sendable>(_ value: Value, at gate: Gate, _ log: EventLog) -> ResponseFuture<Value> {
        ResponseFuture {
            do {
                try await gate.passUnlessCancelled()
            } catch {
                log("cancelled \(value)")
                throw error
            }
            return value
        }
    }

    @Test("COLD: a parallel callback runs while the chain is built, and its future starts with the chain")
    func parallelCallbackRunsNow() async throws {
        let log = EventLog()
        let joined = ResponseFuture {
            log("first")
            return 1
        }
        .parallelJoin(String.self) {
            log("callback")
            return ResponseFuture {
                log("second")
                return "two"
            }
        }
        #expect(log.events == ["callback"])
        let (number, text) = try await joined.value
        #expect(number == 1 && text == "two")
        #expect(Set(log.events) == ["callback", "first", "second"] && log.events.count == 3)
    }

    @Test("Both run at the same time, and the values keep the order of the futures")
    func together() async throws {
        let gates = [Gate(), Gate()], log = EventLog()
        let joined = Self.waiting(1, at: gates[0], log).parallelJoin { Self.waiting("two", at: gates[1], log) }
        let awaiter = joined.then { "\($0) \($1)" }.awaitedInTask()
        for gate in gates { await gate.reached() }
        gates[1].open()
        gates[0].open()
        #expect(await awaiter.value == "value 1 two")
    }

    @Test("SYNC-START: the actions of all parts run inside send(), in the order of the parts")
    func syncStart() async {
        let log = EventLog()
        func action(_ name: String) -> ResponseFuture<String> {
            ResponseFuture { future in
                log(name)
                future.succeed(with: name)
            }
        }
        let joined = action("a").then { $0 + "+" }
            .join(action("b"), action("c").join(action("d")).then { $0 + $1 })
            .parallelJoin {
                ResponseFuture<[String]>(childFutures: [action("e"), action("f").then { $0 }, action("g")])
            }
            .onSuccess { values, others in log("\(values) \(others)") }
        joined.send()
        #expect(log.events.prefix(7) == ["a", "b", "c", "d", "e", "f", "g"])
        await log.wait(for: 8)
        #expect(log.events.last == #"("a+", "b", "cd") ["e", "f", "g"]"#)
    }

    @Test("GROUPS: the first failure cancels the sibling, and is the error", arguments: [true, false])
    func firstFailure(isFirst: Bool) async {
        let gate = Gate(), log = EventLog()
        let waiting = Self.waiting(1, at: gate, log)
        let failing = ResponseFuture<Int> {
            await gate.reached()
            throw Mishap(number: 7)
        }
        let joined = isFirst ? failing.join(waiting) : waiting.join(failing)
        #expect(await joined.ending == "error Mishap(number: 7)")
        #expect(await log.all(1) == ["cancelled 1"])
    }

    @Test("GROUPS: a failure leaves, but doesn't cancel, a part that others await")
    func seenSibling() async {
        let gate = Gate(), log = EventLog()
        let shared = Self.waiting(1, at: gate, log)
        let other = shared.awaitedInTask()
        await gate.reached()
        #expect(await ResponseFuture<Int>(error: Mishap()).join(shared).ending == "error Mishap(number: 0)")
        gate.open()
        #expect(await other.value == "value 1")
        #expect(log.events.isEmpty)
    }

    @Test("GROUPS: a cancelled part cancels the join and its siblings", arguments: [true, false])
    func cancelledPart(isFirst: Bool) async {
        let gate = Gate(), log = EventLog()
        let waiting = Self.waiting(1, at: gate, log)
        let cancelled = ResponseFuture<Int> { future in
            Task {
                await gate.reached()
                future.cancel()
            }
        }
        let joined = isFirst ? cancelled.join(waiting) : waiting.join(cancelled)
        #expect(await joined.ending == "cancelled")
        #expect(await log.all(1) == ["cancelled 1"])
    }

    @Test("UP, DOWN: cancelling the join, or its only awaiter, cancels every part", arguments: [true, false])
    func cancelledJoin(byAwaiter: Bool) async {
        let gate = Gate(), log = EventLog()
        let joined = Self.waiting(1, at: gate, log).join(Self.waiting(2, at: gate, log))
            .parallelJoin { ResponseFuture<[Int]>(childFutures: (3...5).map { Self.waiting($0, at: gate, log) }) }
        let awaiter = joined.then { _ in 0 }
        let task = awaiter.awaitedInTask()
        await gate.reached(5)
        byAwaiter ? task.cancel() : awaiter.cancel()
        #expect(await task.value == "cancelled")
        await log.wait(for: 5)
        #expect(Set(log.events) == Set((1...5).map { "cancelled \($0)" }))
    }

    @Test("EARLY: a join cancelled before its start starts no part, and its parts stay cold")
    func early() async {
        let runs = Counter()
        let parts = (0..<4).map { _ in ResponseFuture { runs.increment() } }
        let joined = parts[0].join(parts[1], ResponseFuture { runs.increment() })
            .parallelJoin { ResponseFuture<[Int]>(childFutures: [parts[2], parts[3]]) }
        joined.cancel()
        #expect(await joined.ending == "cancelled")
        #expect(parts.map(\.status) == Array(repeating: .created, count: 4))
        #expect(runs.value == 0)
        #expect(await parts[3].ending == "value 1")
    }

    @Test("EARLY: after a failure, the parts that a limited join hasn't begun stay cold, no matter who holds them")
    func limitedFailure() async throws {
        let runs = Counter()
        let parts = [ResponseFuture<Int>(error: Mishap())] + (0..<3).map { _ in ResponseFuture { runs.increment() } }
        #expect(await ResponseFuture<[Int]>(childFutures: parts, limit: 1).ending != "cancelled")
        #expect(parts.dropFirst().map(\.status) == Array(repeating: .created, count: 3))
        #expect(runs.value == 0)
        #expect(try await parts[3].value == 1)
    }

    @Test(
        "UP: a join's started parts are cancelled once cancel() returns, and when onCancellation runs",
        arguments: [true, false])
    func cancelledAtOnce(inCallback: Bool) async {
        let gate = Gate(), log = EventLog()
        let parts = (0..<4).map { _ in
            ResponseFuture<Int> {
                log("begun")
                await gate.pass()
                return 1
            }
        }
        let joined = ResponseFuture<[Int]>(childFutures: parts)
        joined.onCancellation { log("\(parts.map(\.status) == Array(repeating: .cancelled, count: 4))") }.send()
        await log.wait(for: 4)
        joined.cancel()
        if !inCallback { #expect(parts.map(\.status) == Array(repeating: .cancelled, count: 4)) }
        #expect(await log.all(5).last == "true")
        gate.open()
    }

    @Test("UPDATES of every part are updates of the join")
    func updates() async throws {
        let log = EventLog()
        func reporting(_ count: Int64) -> ResponseFuture<Int64> {
            ResponseFuture { future in
                let progress = TransferProgress(bytesReceived: count)
                future.update(with: TransferUpdate(stage: .received, progress: progress))
                future.succeed(with: count)
            }
        }
        let joined = reporting(1).join(reporting(2))
            .parallelJoin { ResponseFuture<[Int64]>(childFutures: [reporting(3), reporting(4)]) }
            .onUpdate { log("\($0.progress.bytesReceived)") }
            .onCompletion { log("end") }
        joined.send()
        await log.wait(for: 5)
        #expect(Set(log.events.prefix(4)) == ["1", "2", "3", "4"] && log.events.last == "end")
    }

    /// The result in a word.
    private static func word<Value>(_ result: Result<Value, any Error>?) -> String {
        switch result {
        case nil: "nil"
        case .success(let value): "value \(value)"
        case .failure(let error): "error \(error)"
        }
    }

    @Test("GROUPS: a nullable join makes the other part's absence a value, a safe join its failure")
    func nullableAndSafe() async throws {
        let one = { ResponseFuture(result: 1) }
        let failing = { ResponseFuture<String>(error: Mishap(number: 2)) }
        #expect(try await one().parallelNullableJoin(String.self) { nil }.value.1 == nil)
        #expect(try await one().parallelNullableJoin { ResponseFuture(result: "a") }.value.1 == "a")
        #expect(await one().parallelNullableJoin { failing() }.ending == "error Mishap(number: 2)")
        #expect(try await Self.word(one().safeParallelJoin { failing() }.value.1) == "error Mishap(number: 2)")
        #expect(try await Self.word(one().safeParallelNullableJoin(String.self) { nil }.value.1) == "nil")
        #expect(try await Self.word(one().safeParallelNullableJoin { failing() }.value.1) == "error Mishap(number: 2)")
        let broken = ResponseFuture<Int>(error: Mishap(number: 3))
        #expect(await broken.safeParallelJoin { failing() }.ending == "error Mishap(number: 3)")
    }

    @Test("MAIN, NO-MAIN: the series forms run on the main actor, their flat twins off it, and agree")
    func seriesForms() async throws {
        let one = { ResponseFuture(result: 1) }
        let none: @Sendable (Int) -> ResponseFuture<Bool>? = { _ in nil }
        let isMain: @Sendable (Int) -> ResponseFuture<Bool>? = { _ in
            let isMain = MainQueue.isCurrent
            return ResponseFuture { isMain }
        }
        let failing: @Sendable (Int) -> ResponseFuture<Bool>? = { _ in ResponseFuture(error: Mishap(number: 4)) }

        #expect(try await one().seriesNullableJoin(callback: isMain).value.1 == true)
        #expect(try await one().seriesNullableJoin(callback: none).value.1 == nil)
        #expect(await one().seriesNullableJoin(callback: failing).ending == "error Mishap(number: 4)")
        #expect(try await one().flatNullableJoin(Bool.self, isMain).value.1 == false)
        #expect(try await one().flatNullableJoin(Bool.self, none).value.1 == nil)
        #expect(await one().flatNullableJoin(Bool.self, failing).ending == "error Mishap(number: 4)")

        #expect(try await Self.word(one().safeSeriesJoin(callback: isMain).value.1) == "value true")
        #expect(try await Self.word(one().safeSeriesJoin(callback: failing).value.1) == "error Mishap(number: 4)")
        #expect(await one().safeSeriesJoin(callback: none).ending == "cancelled")
        #expect(try await Self.word(one().safeFlatJoin(Bool.self, isMain).value.1) == "value false")
        #expect(try await Self.word(one().safeFlatJoin(Bool.self, failing).value.1) == "error Mishap(number: 4)")
        #expect(await one().safeFlatJoin(Bool.self, none).ending == "cancelled")

        #expect(try await Self.word(one().safeSeriesNullableJoin(callback: isMain).value.1) == "value true")
        #expect(try await Self.word(one().safeSeriesNullableJoin(callback: none).value.1) == "nil")
        #expect(try await Self.word(one().safeFlatNullableJoin(Bool.self, isMain).value.1) == "value false")
        #expect(
            try await Self.word(one().safeFlatNullableJoin(Bool.self, failing).value.1) == "error Mishap(number: 4)")

        let broken = ResponseFuture<Int>(error: Mishap())
        #expect(await broken.safeSeriesJoin(callback: isMain).ending == "error Mishap(number: 0)")
    }

    @Test("Two to six futures of different kinds are joined by join and by zip")
    func zip() async throws {
        let (a, b, c) = (ResponseFuture(result: 1), ResponseFuture(result: "b"), ResponseFuture(result: 2.5))
        let (d, e, f) = (
            ResponseFuture(result: [4]), ResponseFuture(result: true), ResponseFuture(result: Character("f"))
        )
        #expect(try await a.join(b).value == (1, "b"))
        #expect(try await ResponseFuture.zip(a, b).value == (1, "b"))
        #expect(try await ResponseFuture.zip(a, b, c).value == (1, "b", 2.5))
        #expect(try await ResponseFuture.zip(a, b, c, d).value == (1, "b", 2.5, [4]))
        #expect(try await ResponseFuture.zip(a, b, c, d, e).value == (1, "b", 2.5, [4], true))
        #expect(try await ResponseFuture.zip(a, b, c, d, e, f).value == (1, "b", 2.5, [4], true, "f"))
        #expect(try await f.join(e, d, c, b, a).value == ("f", true, [4], 2.5, "b", 1))
        // One future may be several parts.
        let runs = Counter()
        let shared = ResponseFuture { runs.increment() }
        #expect(try await shared.join(shared, shared.then { $0 }).value == (1, 1, 1))
    }

    @Test("The value of one more future is added to a sequence")
    func adding() async throws {
        let two = { ResponseFuture<Set<Int>>(result: [7]) }
        #expect(try await two().addingSeriesResult { ResponseFuture(result: $0.count) }.value == [7, 1])
        #expect(await two().addingSeriesResult { _ in nil }.ending == "cancelled")
        #expect(try await two().addingSeriesNullableResult { _ in nil }.value == [7, nil])
        #expect(try await two().addingSeriesNullableResult { ResponseFuture(result: $0.count) }.value == [7, 1])
        #expect(try await two().addingParallelResult { ResponseFuture(result: 2) }.value == [7, 2])
        #expect(try await two().addingParallelNullableResult { nil }.value == [7, nil])
        #expect(try await two().addingParallelNullableResult { ResponseFuture(result: 3) }.value == [7, 3])
    }

    @Test("UNSENT, RELEASE: a join releases its parts, unstarted or settled")
    func release() async throws {
        for isStarted in [false, true] {
            let members = Population()
            var token: Population.Member? = members.member()
            var joined: ResponseFuture<(Int, [Int])>? = ResponseFuture { [token] in withExtendedLifetime(token) { 1 } }
                .parallelJoin { [token] in
                    ResponseFuture<[Int]>(childFutures: [
                        ResponseFuture { withExtendedLifetime(token) { 2 } },
                        ResponseFuture { try await Self.later(withExtendedLifetime(token) { 3 }) },
                    ])
                }
            token = nil
            if isStarted {
                #expect(try await joined?.value.1 == [2, 3])
            } else {
                #expect(members.count == 1)
                joined = nil
            }
            await members.extinct()
        }
    }

    private static func later(_ number: Int) async throws -> Int {
        try Task.checkCancellation()
        return number
    }
}
