import Foundation
import PiuPiu
import TestSupport
import Testing

@Suite("Recovering from errors", .timeLimit(.minutes(10)))
struct RecoverTests {
    private func failing(_ number: Int = 1) -> ResponseFuture<Int> {
        ResponseFuture { throw Mishap(number: number) }
    }

    private func suspended<Value: Sendable>(_ value: Value) async -> Value { await Task { value }.value }

    @Test("Recovery with a value or a future, synchronous or async, from all errors or one kind")
    func forms() async {
        #expect(await failing().recover { _ in 7 }.ending == "value 7")
        #expect(await failing().recover { _ in await suspended(7) }.ending == "value 7")
        #expect(await failing().recover { _ in ResponseFuture { 7 } }.ending == "value 7")
        #expect(await failing().recover { _ in ResponseFuture(result: await suspended(7)) }.ending == "value 7")
        #expect(await failing(7).recover(only: Mishap.self) { $0.number }.ending == "value 7")
        #expect(await failing(7).recover(only: Mishap.self) { await suspended($0.number) }.ending == "value 7")
        #expect(await failing(7).recover(only: Mishap.self) { ResponseFuture(result: $0.number) }.ending == "value 7")
        #expect(
            await failing(7).recover(only: Mishap.self) { ResponseFuture(result: await suspended($0.number)) }.ending
                == "value 7")
    }

    @Test("Other errors, and values, skip the closure")
    func others() async {
        let calls = Counter()
        let other = failing(3).recover(only: TransferError.self) { _ in calls.increment() }
        #expect(await other.ending == "error Mishap(number: 3)")
        let unwanted = failing(3).recover(from: .errors { ($0 as? Mishap)?.number == 4 }) { _ in calls.increment() }
        #expect(await unwanted.ending == "error Mishap(number: 3)")
        let value = ResponseFuture { 1 }.recover { _ in calls.increment() }
        #expect(await value.ending == "value 1")
        #expect(calls.value == 0)
        let wanted = failing(4).recover(from: .errors { ($0 as? Mishap)?.number == 4 }) { _ in calls.increment() }
        #expect(await wanted.ending == "value 1")
    }

    @Test("An error from the closure fails the chain; an optional can be recovered with nil")
    func throwing() async {
        #expect(await failing().recover { _ in throw Mishap(number: 2) }.ending == "error Mishap(number: 2)")
        let suspending = failing().recover { _ in
            await Task {}.value
            throw Mishap(number: 2)
        }
        #expect(await suspending.ending == "error Mishap(number: 2)")
        #expect(await failing().recover { _ in throw URLError(.cancelled) }.ending == "cancelled")
        let optional = failing().then { Optional($0) }.recover { _ in nil }
        #expect(await optional.ending == "value nil")
    }

    @Test("Where there is no value, a closure of one expression continues with its future, too, whatever that makes")
    func withoutValue() async {
        let saving = ResponseFuture<Void> { throw Mishap(number: 1) }
        let log = EventLog()
        @Sendable func backup(_ name: String) -> ResponseFuture<Void> { ResponseFuture { log(name) } }
        #expect(await saving.recover { _ in backup("all") }.ending == "value ()")
        #expect(await saving.recover { _ in backup(await suspended("all, async")) }.ending == "value ()")
        #expect(await saving.recover(only: Mishap.self) { _ in backup("one") }.ending == "value ()")
        let async = saving.recover(only: Mishap.self) { _ in backup(await suspended("one, async")) }
        #expect(await async.ending == "value ()")
        let counted = saving.recover { _ in backup("counted").then { _ in 7 } }
        #expect(await counted.ending == "value ()")
        #expect(log.events == ["all", "all, async", "one", "one, async", "counted"])
        #expect(await saving.recover { _ in failing(2) }.ending == "error Mishap(number: 2)")
    }

    @Test("Where there is no value, closures that make none and closures that only throw mean what they say")
    func withoutValueOrFuture() async {
        let saving = ResponseFuture<Void> { throw Mishap(number: 1) }
        let log = EventLog()
        #expect(await saving.recover { _ in }.ending == "value ()")
        #expect(await saving.recover { _ in log("all") }.ending == "value ()")
        #expect(await saving.recover(only: Mishap.self) { _ in log(await suspended("one")) }.ending == "value ()")
        #expect(log.events == ["all", "one"])
        #expect(await saving.recover { _ in throw Mishap(number: 2) }.ending == "error Mishap(number: 2)")
        let changed = saving.recover(only: Mishap.self) { error in throw Mishap(number: error.number + 1) }
        #expect(await changed.ending == "error Mishap(number: 2)")
    }

    private static let cancellations: [any Error] = [CancellationError(), URLError(.cancelled)]

    @Test("Only closures that ask for cancellations see one of the work", arguments: 0..<2, Holding.allCases)
    func cancellation(number: Int, holding: Holding) async {
        let keeper = Keeper<Int>(holding)
        func cancelled() -> ResponseFuture<Int> {
            keeper.keep(ResponseFuture { () async throws -> Int in throw Self.cancellations[number] })
        }
        #expect(await cancelled().recover { _ in 7 }.ending == "cancelled")
        #expect(await cancelled().recover(only: Mishap.self) { _ in 7 }.ending == "cancelled")
        let calls = Counter()
        let all = cancelled().recover(from: .errorsAndCancellations) { error in
            error is CancellationError ? calls.increment() : -1
        }
        #expect(await all.ending == "value 1")
        let only = cancelled().recover(only: CancellationError.self) { _ in await suspended(calls.increment()) }
        #expect(await only.ending == "value 2")
    }

    /// Work that stays in its handler of cancellations until somebody lets it go on. The work itself lasts until then:
    /// its end would have to wait for the handler, and would block a thread of the pool.
    private struct HeldCancellation: Sendable {
        let gate = Gate(), isInside = Gate(), mayReturn = DispatchSemaphore(value: 0)

        func work(onCancel: @escaping @Sendable () -> Void = {}) async throws -> Int {
            try await withTaskCancellationHandler {
                await gate.pass()
                try Task.checkCancellation()
                return 1
            } onCancel: {
                onCancel()
                isInside.open()
                mayReturn.wait()
            }
        }

        /// Cancels a future, on a thread of its own. While the handler runs, others recover: what was about to recover
        /// before has done so by then.
        func cancel(_ future: AnyResponseFuture) async {
            let done = Gate()
            Thread.detachNewThread {
                future.cancel()
                done.open()
            }
            await isInside.opened()
            for _ in 0..<100 {
                let other = ResponseFuture<Int> { throw Mishap() }.recover { _ in await Task { 7 }.value }
                #expect(await other.ending == "value 7")
            }
            mayReturn.signal()
            await done.opened()
            gate.open()
        }
    }

    @Test("UP: a chain that is cancelled inside of another cancellation recovers from nothing")
    func insideOfAnother() async {
        let held = HeldCancellation(), log = EventLog()
        let parent = ResponseFuture<Int> { () async throws -> Int in try await held.work() }
        let chain = parent.recover(from: .errorsAndCancellations) { _ in
            log("recovered")
            return 7
        }
        let outer = ResponseFuture<Int> { () async throws -> Int in try await chain.value }
        outer.send()
        await held.gate.reached()
        await held.cancel(outer)
        #expect(await chain.ending == "cancelled")
        #expect(parent.status == .cancelled && log.events == [])
    }

    @Test("UP: nor from what the cancellation of other work in it cancels, or fails", arguments: [false, true])
    func cancelledBeside(fails: Bool) async {
        let held = HeldCancellation(), log = EventLog()
        let (location, promise) = ResponseFuture<Int>.pending()
        let first = ResponseFuture<Int> { () async throws -> Int in try await location.value }
            .recover(from: .errorsAndCancellations) { _ in
                log("recovered")
                return 7
            }
        let second = ResponseFuture<Int> { () async throws -> Int in
            try await held.work { fails ? promise.fail(with: Mishap(number: 1)) : promise.cancel() }
        }
        let both = first.join(second)
        both.send()
        await held.gate.reached()
        await held.cancel(both)
        #expect(await first.ending == "cancelled")
        #expect(location.status == (fails ? .error : .cancelled) && log.events == [])
    }

    @Test("UP: a cancellation of the work from elsewhere can be recovered from, the chain's own can't")
    func fromElsewhere() async {
        let gate = Gate(), work = waiting(at: gate)
        let recovered = work.recover(from: .errorsAndCancellations) { _ in 7 }
        recovered.send()
        await gate.reached()
        work.cancel()
        #expect(await recovered.ending == "value 7")

        let deaf = DeafWork(.operation), calls = Counter(), closures = Population()
        func sent() -> ResponseFuture<Int> {
            let member = closures.member()
            let future = deaf.future().recover(from: .errorsAndCancellations) { _ in
                withExtendedLifetime(member) { calls.increment() }
            }
            future.send()
            return future
        }
        let chain = sent()
        await deaf.reached()
        chain.cancel()
        #expect(await chain.ending == "cancelled")
        deaf.release()
        await closures.extinct()
        #expect(calls.value == 0)
    }

    @Test(
        "The future that the closure makes is started, its updates pass, and it is cancelled with the chain",
        arguments: Holding.allCases)
    func madeFuture(holding: Holding) async {
        let deaf = DeafWork(.operation), keeper = Keeper<Int>(holding), log = EventLog()
        defer { deaf.release() }
        let chain = failing().recover { _ in keeper.keep(deaf.future()) }
        chain.send()
        await deaf.reached()
        chain.cancel()
        #expect(chain.status == .cancelled)
        if let inner = keeper.future { #expect(inner.status == .cancelled) }

        let promise = Box<ResponseFuture<Int>>(), begun = Gate()
        failing().recover { _ in
            ResponseFuture<Int> { (future: ResponseFuture<Int>) in
                promise.value = future
                begun.open()
            }
        }
        .onUpdate { log("\($0.stage)") }.onSuccess { log("\($0)") }.send()
        await begun.opened()
        promise.value?.update(with: TransferUpdate(stage: .sent))
        promise.value?.succeed(with: 7)
        #expect(await log.all(2) == ["sent", "7"])
    }

    @Test("NEVER-HANG: a closure that returns its own future fails")
    func itself() async {
        let own = Box<ResponseFuture<Int>>()
        let future = failing().recover { _ in own.value ?? ResponseFuture(result: 0) }
        own.value = future
        await #expect(throws: FutureError.waitsForItself) { try await future.value }
        own.value = nil
    }

    @Test("mapError replaces each error; a cancellation error cancels")
    func mapError() async {
        let mapped = failing(2).mapError { Mishap(number: (($0 as? Mishap)?.number ?? 0) + 1) }
        #expect(await mapped.ending == "error Mishap(number: 3)")
        #expect(await failing().mapError { _ in CancellationError() }.ending == "cancelled")
        let calls = Counter()
        let cancelled = ResponseFuture<Int> { throw CancellationError() }.mapError { error in
            calls.increment()
            return error
        }
        #expect(await cancelled.ending == "cancelled")
        #expect(calls.value == 0)
    }
}
