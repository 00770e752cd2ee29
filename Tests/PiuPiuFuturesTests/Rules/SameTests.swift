import PiuPiu
import TestSupport
import Testing

@Suite("SAME: a future beside its await, no matter who holds it", .timeLimit(.minutes(10)))
struct SameTests {
    @Test(
        "SAME, UP: a cancellation through any handle ends the await and the work, deaf or not",
        arguments: Holding.allCases, [true, false])
    func cancel(holding: Holding, isDeaf: Bool) async throws {
        let keeper = Keeper<Int>(holding), gate = Gate(), cancelled = Gate()
        defer { gate.open() }
        let task = Awaiting {
            keeper.keep(
                ResponseFuture {
                    await withTaskCancellationHandler {
                        if isDeaf { await gate.pass() } else { try? await gate.passUnlessCancelled() }
                    } onCancel: {
                        cancelled.open()
                    }
                    return 1
                })
        }
        await gate.reached()
        if holding == .temporary {
            task.cancel()
        } else {
            let handle = try #require(keeper.future)
            handle.cancel()
            #expect(handle.status == .cancelled)
        }
        #expect(await task.ending == "cancelled")
        await cancelled.opened()
    }

    @Test(
        "SAME: the future may be a variable whose last use is the await", arguments: Holding.reachable)
    func lastUse(holding: Holding) async throws {
        let keeper = Keeper<Int>(holding), gate = Gate(), cancelled = Gate()
        defer { gate.open() }
        let task = Awaiting(isVariable: true) {
            keeper.keep(waiting(at: gate, cancelled: cancelled).then { $0 + 1 })
        }
        await gate.reached()
        let handle = try #require(keeper.future)
        #expect(handle.status == .started)
        handle.cancel()
        #expect(await task.ending == "cancelled")
        await cancelled.opened()
        #expect(await handle.ending == "cancelled")
    }

    @Test(
        "SAME, SETTLE: a value or an error given through any handle is the outcome for all",
        arguments: Holding.reachable, [true, false])
    func settle(holding: Holding, isValue: Bool) async throws {
        for work in WaitingWork.allCases {
            let keeper = Keeper<Int>(holding), gate = Gate(), cancelled = Gate()
            defer { gate.open() }
            let task = Awaiting { keeper.keep(work.future(at: gate, cancelled: cancelled)) }
            await gate.reached()
            let handle = try #require(keeper.future)
            handle.complete(with: isValue ? .success(42) : .failure(Mishap(number: 4)))
            let outcome = isValue ? "value 42" : "error Mishap(number: 4)"
            #expect(handle.status == (isValue ? .success : .error))
            #expect(await handle.ending == outcome)
            #expect(await task.ending == outcome)
            // An action has no work that a future could cancel.
            if work != .action { await cancelled.opened() }
        }
    }

    @Test(
        "SAME, SHARED: of two awaiters, one through any handle, cancelling one doesn't affect the other",
        arguments: Holding.reachable, [true, false])
    func twoAwaiters(holding: Holding, firstLeaves: Bool) async throws {
        for work in WaitingWork.allCases {
            let keeper = Keeper<Int>(holding), gate = Gate(), runs = Counter()
            defer { gate.open() }
            let first = Awaiting {
                keeper.keep(
                    work.future(at: gate).then { number in
                        runs.increment()
                        return number
                    })
            }
            await gate.reached()
            let handle = try #require(keeper.future), second = Awaiting(now: handle)
            let leaving = firstLeaves ? first : second, staying = firstLeaves ? second : first
            leaving.cancel()
            #expect(await leaving.ending == "cancelled")
            #expect(handle.status == .started)
            gate.open()
            #expect(await staying.ending == "value 1")
            #expect(await handle.ending == "value 1")
            #expect(runs.value == 1)
        }
    }

    @Test(
        "SAME, SHARED: an awaiter that comes through a handle while the first one begins outlives it",
        arguments: Holding.reachable)
    func secondAwaiterAtStart(holding: Holding) async {
        for round in 0..<300 {
            let keeper = Keeper<Int>(holding), gate = Gate()
            let isFlat = round.isMultiple(of: 2)
            let first = Awaiting {
                keeper.keep(
                    isFlat
                        ? ResponseFuture { 0 }.flatMap { _ in waiting(at: gate) }
                        : waiting(at: gate).then { $0 })
            }
            await keeper.filled()
            guard let second = keeper.future.map({ Awaiting(now: $0) }) else {
                Issue.record("gone in round \(round)")
                continue
            }
            first.cancel()
            #expect(await first.ending == "cancelled", "round \(round)")
            gate.open()
            #expect(await second.ending == "value 1", "round \(round)")
        }
    }

    @Test(
        "SAME: callbacks attached through any handle run, and a send through it outlives the awaiter",
        arguments: Holding.reachable)
    func attach(holding: Holding) async throws {
        for (isSent, work) in WaitingWork.allCases.flatMap({ [(true, $0), (false, $0)] }) {
            let keeper = Keeper<Int>(holding), gate = Gate(), log = EventLog()
            let task = Awaiting { keeper.keep(work.future(at: gate)) }
            await gate.reached()
            do {
                let handle = try #require(keeper.future)
                handle.updated { log("updated \($0.progress.bytesReceived)") }
                    .success { log("success \($0)") }.cancellation { log("cancellation") }
                    .completion { log("completion") }.update(with: TransferUpdate(stage: .received))
                if isSent { handle.send() }
            }
            if isSent {
                task.cancel()
                #expect(await task.ending == "cancelled")
            }
            gate.open()
            if !isSent { #expect(await task.ending == "value 1") }
            #expect(await log.all(3) == ["updated 0", "success 1", "completion"])
        }
    }

    @Test("SAME, MEMO: the outcome can be read through any handle when the await is over", arguments: Holding.reachable)
    func memo(holding: Holding) async throws {
        for work in WaitingWork.allCases {
            let keeper = Keeper<Int>(holding), gate = Gate(), runs = Counter()
            let task = Awaiting { keeper.keep(work.future(at: gate).then { _ in runs.increment() }) }
            await gate.reached()
            let handle = try #require(keeper.future)
            gate.open()
            #expect(await task.ending == "value 1")
            #expect(handle.status == .success)
            #expect(await handle.ending == "value 1")
            #expect(await handle.then { $0 + 1 }.ending == "value 2")
            #expect(runs.value == 1)
        }
    }
}
