import PiuPiu
import TestSupport
import Testing

@Suite("The end of iterating futures' results", .timeLimit(.minutes(10)))
struct FutureSequenceCancellationTests {
    /// The ways to iterate, each to its end or to an error, which it returns.
    private static let ways: [@Sendable ([ResponseFuture<Int>]) async -> String] = [
        { futures in
            for await _ in futures.resultsInCompletionOrder() {}
            return "end"
        },
        { futures in
            for await _ in futures.resultsInOrder() {}
            return "end"
        },
        { futures in
            for await _ in futures.indexedResultsInCompletionOrder() {}
            return "end"
        },
        { futures in
            do { for try await _ in futures.valuesInCompletionOrder() {} } catch { return "\(error)" }
            return "end"
        },
        { futures in
            do { for try await _ in futures.valuesInOrder() {} } catch { return "\(error)" }
            return "end"
        },
    ]

    @Test("EARLY: what a source returns after it has cancelled the task stays cold")
    func cancellingSource() async {
        let shared = ResponseFuture { 7 }
        await Task {
            let source = (0..<1).lazy.map { _ in
                withUnsafeCurrentTask { $0?.cancel() }
                return shared
            }
            for await _ in source.resultsInOrder() {}
        }.value
        #expect(shared.status == .created)
        #expect(await shared.ending == "value 7")
    }

    @Test("EARLY: what a source returns after an earlier future has failed stays cold", arguments: [false, true])
    func failingSource(inOrder: Bool) async {
        let promise = Box<ResponseFuture<Int>>(), shared = ResponseFuture { 7 }
        let first = ResponseFuture<Int> { promise.value = $0 }
        let source = (0..<2).lazy.map { number -> ResponseFuture<Int> in
            if number == 0 { return first }
            promise.value?.fail(with: Mishap())
            return shared
        }
        await #expect(throws: Mishap.self) {
            if inOrder {
                for try await _ in source.valuesInOrder() {}
            } else {
                for try await _ in source.valuesInCompletionOrder() {}
            }
        }
        #expect(shared.status == .created)
        #expect(await shared.ending == "value 7")
        promise.value = nil
    }

    @Test("DOWN: leaving the loop early cancels the futures in flight")
    func earlyExit() async {
        let controlled = ControlledFutures()
        Task {
            await controlled.log.wait(for: 3)
            controlled.succeed(1)
        }
        for await result in (0..<3).map(controlled.future).resultsInCompletionOrder() {
            #expect((try? result.get()) == 1)
            break
        }
        #expect(Set(await controlled.log.all(5).dropFirst(3)) == ["cancel 0", "cancel 2"])
    }

    @Test("DOWN: a released iterator cancels the futures in flight, synchronously")
    func iteratorGone() async throws {
        let controlled = ControlledFutures()
        let futures = (0..<2).map(controlled.future)
        Task {
            await controlled.log.wait(for: 2)
            controlled.succeed(0)
        }
        func first() async throws -> Int? {
            var iterator = futures.valuesInOrder().makeAsyncIterator()
            return try await iterator.next()
        }
        #expect(try await first() == 0)
        #expect(futures[1].status == .cancelled)
    }

    @Test("DOWN: cancelling the task ends the results, and throws CancellationError from the values", arguments: 0..<5)
    func taskCancelled(way: Int) async {
        let controlled = ControlledFutures()
        let futures = (0..<2).map(controlled.future)
        let task = Task { await Self.ways[way](futures) }
        await controlled.log.wait(for: 2)
        task.cancel()
        #expect(await task.value == (way < 3 ? "end" : "CancellationError()"))
        #expect(futures.map(\.status) == [.cancelled, .cancelled])
    }

    @Test("DOWN: a cancelled task cancels the futures in flight when its loop asks for the next, not in the body")
    func taskCancelledInBody() async {
        let controlled = ControlledFutures(), body = Gate(), goOn = Gate()
        let futures = (0..<2).map(controlled.future)
        let task = Task {
            for await _ in futures.resultsInCompletionOrder() {
                body.open()
                await goOn.pass()
            }
        }
        await controlled.log.wait(for: 2)
        controlled.succeed(0)
        await body.opened()
        task.cancel()
        #expect(futures[1].status == .started)
        goOn.open()
        await task.value
        #expect(futures[1].status == .cancelled)
    }

    @Test("DOWN: deaf work doesn't hold up the end")
    func deafWork() async {
        let gate = Gate()
        let futures = (0..<2).map { _ in
            ResponseFuture {
                await gate.pass()
                return 1
            }
        }
        let task = Task { await Self.ways[0](futures) }
        await gate.reached(2)
        task.cancel()
        #expect(await task.value == "end")
        gate.open()
    }

    @Test("EARLY: an already cancelled task reads and starts nothing", arguments: 0..<5)
    func cancelledBefore(way: Int) async {
        let runs = Counter()
        let futures = (0..<3).map { _ in ResponseFuture { runs.increment() } }
        let task = Task {
            withUnsafeCurrentTask { $0?.cancel() }
            return await Self.ways[way](futures)
        }
        #expect(await task.value == (way < 3 ? "end" : "CancellationError()"))
        #expect(runs.value == 0)
        #expect(futures.allSatisfy { $0.status == .created })
    }

    @Test("DOWN: a cancelled task stops reading an endless source of ready futures")
    func endlessSource() async throws {
        let task = Task {
            var count = 0
            for await _ in (0...).lazy.map({ ResponseFuture(result: $0) }).resultsInCompletionOrder(limit: 3) {
                count += 1
                if count == 10 { withUnsafeCurrentTask { $0?.cancel() } }
            }
            return count
        }
        #expect(await task.value == 10)
        let unlimited = Task {
            var iterator = (0...).lazy.map { number in
                if number == 100 { withUnsafeCurrentTask { $0?.cancel() } }
                return ResponseFuture(result: number)
            }.valuesInCompletionOrder().makeAsyncIterator()
            return try await iterator.next()
        }
        await #expect(throws: CancellationError.self) { try await unlimited.value }
    }

    @Test("After an error, of a cancellation or a failure, the sequence has ended")
    func endAfterError() async throws {
        var failing = [ResponseFuture<Int>(error: Mishap())].valuesInOrder().makeAsyncIterator()
        await #expect(throws: Mishap()) { try await failing.next() }
        #expect(try await failing.next() == nil)
        let task = Task {
            withUnsafeCurrentTask { $0?.cancel() }
            var iterator = [ResponseFuture(result: 1)].valuesInOrder().makeAsyncIterator()
            await #expect(throws: CancellationError.self) { try await iterator.next() }
            return try await iterator.next()
        }
        #expect(try await task.value == nil)
    }

    @Test("SHARED: a sent future, or one with another awaiter, outlives an early exit and a cancellation")
    func shared() async {
        for exitsEarly in [true, false] {
            let controlled = ControlledFutures()
            let futures = (0..<3).map(controlled.future)
            let other = Task { await futures[1].ending }
            await controlled.log.wait(for: 1)
            futures[2].send()
            if exitsEarly {
                Task {
                    await controlled.log.wait(for: 3)
                    controlled.succeed(0)
                }
                for await _ in futures.resultsInCompletionOrder() { break }
            } else {
                let task = Task { await Self.ways[3](futures) }
                await controlled.log.wait(for: 3)
                task.cancel()
                #expect(await task.value == "CancellationError()")
            }
            #expect(futures[1].status == .started)
            #expect(futures[2].status == .started)
            controlled.succeed(1)
            controlled.succeed(2)
            #expect(await other.value == "value 1")
            #expect(await futures[2].ending == "value 2")
        }
    }

    @Test("GROUPS: the first failure cancels the others, before it is thrown", arguments: 3..<5)
    func failureCancels(way: Int) async {
        let controlled = ControlledFutures()
        let futures = (0..<3).map(controlled.future)
        let task = Task { await Self.ways[way](futures) }
        await controlled.log.wait(for: 3)
        controlled.fail(1)
        #expect(await task.value == "Mishap(number: 1)")
        #expect(futures.map(\.status) == [.cancelled, .error, .cancelled])
    }

    @Test("GROUPS: a failure starts no more futures; a cancelled future is a failure of the values", arguments: 3..<5)
    func cancelledChild(way: Int) async {
        let runs = Counter()
        let failing = ResponseFuture<Int> { $0.cancel() }
        let rest = (0..<10).lazy.map { _ in ResponseFuture { runs.increment() } }
        #expect(await Self.ways[way]([failing]) == "CancellationError()")
        var iterator = ([failing] + Array(rest)).valuesInOrder(limit: 1).makeAsyncIterator()
        await #expect(throws: CancellationError.self) { try await iterator.next() }
        #expect(runs.value == 0)
    }

    @Test(
        "RELEASE: futures and their captures are released after the end, and after an early exit",
        arguments: [true, false])
    func release(exitsEarly: Bool) async {
        let population = Population(), gate = Gate()
        let futures = (0..<20).lazy.map { number in
            let member = population.member()
            return ResponseFuture {
                if exitsEarly, number > 2 { try await gate.passUnlessCancelled() }
                return withExtendedLifetime(member) { number }
            }
        }
        for await _ in futures.resultsInCompletionOrder(limit: 8) where exitsEarly { break }
        await population.extinct()
        #expect(population.highest > 0)
    }

    @Test("RELEASE: values that nobody took are released with the iterator")
    func releaseOfValues() async throws {
        let population = Population()
        let futures = (0..<10).lazy.map { _ in ResponseFuture { population.member() } }
        for try await _ in futures.valuesInCompletionOrder(limit: 10) { break }
        await population.extinct()
    }
}
