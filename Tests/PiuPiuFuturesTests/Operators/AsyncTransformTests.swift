import Dispatch
import PiuPiu
import TestSupport
import Testing

@Suite("Transforms with async closures", .timeLimit(.minutes(10)))
struct AsyncTransformTests {
    private func taskNumber() -> Int { withUnsafeCurrentTask { $0?.hashValue ?? 0 } }

    @Test("A closure without an await runs in the awaiter's own task; one with an await doesn't")
    func overloads() async throws {
        let (own, gate) = (taskNumber(), Gate())
        gate.open()
        let synchronous = try await ResponseFuture(result: 1).then { _ in taskNumber() }.value
        let several = try await ResponseFuture(result: 1).then { number in
            let sum = number + 1
            return sum == 2 ? taskNumber() : 0
        }.value
        let recovered = try await ResponseFuture<Int>(error: Mishap()).recover { _ in taskNumber() }.value
        let flat = try await ResponseFuture(result: 1).flatMap { _ in ResponseFuture { taskNumber() } }.value
        #expect(synchronous == own && several == own && recovered == own && flat == own)
        let suspending = try await ResponseFuture(result: 1).then { _ in
            await gate.pass()
            return taskNumber()
        }.value
        #expect(suspending != own)
        let mapped = try await ResponseFuture(result: 1).map { _ in taskNumber() }.value
        let joined = try await ResponseFuture(result: 1).flatJoin { _ in ResponseFuture { taskNumber() } }.value
        #expect(mapped == own && joined.1 == own)
        let suspendingMap = try await ResponseFuture(result: 1).map { _ in
            await gate.pass()
            return taskNumber()
        }.value
        #expect(suspendingMap != own)
    }

    @Test("A function value picks its form by its type")
    func functions() async throws {
        @Sendable func synchronous(_ number: Int) throws -> Int { number + 1 }
        @Sendable func asynchronous(_ number: Int) async throws -> String { "\(number)" }
        #expect(try await ResponseFuture(result: 1).then(synchronous).then(asynchronous).value == "2")
        #expect(try await ResponseFuture(result: 1).then(String.self, asynchronous).value == "1")
        #expect(try await ResponseFuture(result: 1).map(successCallback: asynchronous).value == "1")
    }

    @Test("PROMPT: a deaf closure doesn't keep a cancelled awaiter waiting", arguments: Holding.allCases)
    func deafClosure(holding: Holding) async {
        let gate = Gate(), keeper = Keeper<Int>(holding)
        defer { gate.open() }
        let task = Awaiting {
            keeper.keep(ResponseFuture { 1 }).then { number in
                await gate.pass()
                return number
            }
        }
        await gate.reached()
        task.cancel()
        #expect(await task.ending == "cancelled")
    }

    @Test("UP: cancelling the chain cancels the closure's task, and runs nothing after it")
    func closureCancelled() async {
        let gate = Gate(), hasEnded = Gate(), later = Counter()
        let future = ResponseFuture { 1 }.then { number in
            defer { hasEnded.open() }
            try await gate.passUnlessCancelled()
            return number
        }.then { _ in later.increment() }
        future.send()
        await gate.reached()
        future.cancel()
        await hasEnded.opened()
        #expect(await future.ending == "cancelled")
        #expect(later.value == 0)
    }

    @Test("INHERIT, BACKGROUND: the closure has the task-local values of the start, and is off the main queue")
    func inherit() async {
        let future = ResponseFuture { 1 }.then { number in
            await Task { number + Locals.number + (MainQueue.isCurrent ? 100 : 0) }.value
        }
        await MainActor.run { Locals.$number.withValue(5) { future.send() } }
        #expect(await future.ending == "value 6")
    }

    @Test("MAIN: the main actor's form runs there, unless the chain has been cancelled")
    func onMain() async {
        let future = ResponseFuture { 1 }.then(on: .main) { number in
            await Task { @MainActor in number }.value + (MainQueue.isCurrent ? 10 : 0)
        }
        #expect(await future.ending == "value 11")
        let runs = Counter(), gone = DispatchSemaphore(value: 0)
        let cancelled = (0..<200).map { _ in
            ResponseFuture { gone.signal() }.then(on: .main) { _ in await Task { runs.increment() }.value }
        }
        await MainActor.run {
            for future in cancelled { future.send() }
            // Most of the closures wait for the main actor by then.
            for _ in cancelled { gone.wait() }
            for future in cancelled { future.cancel() }
        }
        for future in cancelled { #expect(await future.ending == "cancelled") }
        #expect(runs.value == 0)
    }

    @Test("thenResult sees values and errors, but no cancellation")
    func results() async {
        func word(_ future: ResponseFuture<Int>) -> ResponseFuture<String> {
            future.thenResult { result in await Task { (try? result.get()).map(String.init) ?? "failed" }.value }
        }
        #expect(await word(ResponseFuture { 1 }).ending == "value 1")
        #expect(await word(ResponseFuture { throw Mishap() }).ending == "value failed")
        #expect(await word(ResponseFuture { throw CancellationError() }).ending == "cancelled")
    }

    @Test("MAIN: thenResult's forms for the main actor and for a queue run there")
    func resultsElsewhere() async {
        let queue = DispatchQueue(label: "results"), key = DispatchSpecificKey<String>()
        queue.setSpecific(key: key, value: "on the queue")
        func words(_ future: ResponseFuture<Int>) -> [ResponseFuture<String>] {
            [
                future.thenResult(on: .main) { "\((try? $0.get()) ?? 0) \(MainQueue.isCurrent)" },
                future.thenResult(on: .main) { result in
                    await Task { "\((try? result.get()) ?? 0)" }.value + " \(MainQueue.isCurrent)"
                },
                future.thenResult(on: queue) {
                    "\((try? $0.get()) ?? 0) \(DispatchQueue.getSpecific(key: key) ?? "elsewhere")"
                },
            ]
        }
        func endings(_ future: ResponseFuture<Int>) async -> [String] {
            var endings: [String] = []
            for word in words(future) { endings.append(await word.ending) }
            return endings
        }
        #expect(await endings(ResponseFuture { 1 }) == ["value 1 true", "value 1 true", "value 1 on the queue"])
        #expect(
            await endings(ResponseFuture { throw Mishap() }) == [
                "value 0 true", "value 0 true", "value 0 on the queue",
            ])
        #expect(await endings(ResponseFuture { throw CancellationError() }) == Array(repeating: "cancelled", count: 3))
    }

    @Test("flatMap: the made future's updates pass, nil cancels, an error fails", arguments: Holding.allCases)
    func flatMap(holding: Holding) async {
        let promise = Box<ResponseFuture<Int>>(), begun = Gate()
        let keeper = Keeper<Int>(holding), log = EventLog()
        ResponseFuture { 1 }.flatMap { _ in
            await Task {}.value
            return keeper.keep(
                ResponseFuture<Int> { (future: ResponseFuture<Int>) in
                    promise.value = future
                    begun.open()
                })
        }
        .onUpdate { log("\($0.stage)") }.onSuccess { log("\($0)") }.send()
        await begun.opened()
        promise.value?.update(with: TransferUpdate(stage: .received))
        promise.value?.succeed(with: 7)
        #expect(await log.all(2) == ["received", "7"])

        let none = ResponseFuture { 1 }.flatMap(Int.self) { _ in
            await Task {}.value
            return nil
        }
        #expect(await none.ending == "cancelled")
        let failing = ResponseFuture { 1 }.flatMap(Int.self) { _ in
            await Task {}.value
            throw Mishap(number: 2)
        }
        #expect(await failing.ending == "error Mishap(number: 2)")
    }

    @Test(
        "UP, EARLY: the made future is cancelled with the chain, and not started after it", arguments: Holding.allCases)
    func madeFuture(holding: Holding) async {
        let deaf = DeafWork(.operation), keeper = Keeper<Int>(holding)
        defer { deaf.release() }
        let future = ResponseFuture { 1 }.flatMap { _ in
            await Task {}.value
            return keeper.keep(deaf.future())
        }
        future.send()
        await deaf.reached()
        future.cancel()
        #expect(future.status == .cancelled)
        if let inner = keeper.future { #expect(inner.status == .cancelled) }

        let gate = Gate(), closures = Population(), runs = Counter(), cold = ResponseFuture { runs.increment() }
        func sendLate() -> ResponseFuture<Int> {
            let member = closures.member()
            let late = ResponseFuture { 1 }.flatMap { _ in
                await gate.pass()
                return withExtendedLifetime(member) { cold }
            }
            late.send()
            return late
        }
        let late = sendLate()
        await gate.reached()
        late.cancel()
        gate.open()
        await closures.extinct()
        #expect(runs.value == 0 && cold.status == .created)
    }
}
