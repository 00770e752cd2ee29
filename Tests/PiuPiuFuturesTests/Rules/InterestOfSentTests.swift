import PiuPiu
import TestSupport
import Testing

@Suite("INTEREST: before the start, of the sent, after the settlement", .timeLimit(.minutes(10)))
struct InterestOfSentTests {
    @Test(
        "EARLY, INTEREST: a whole that is cancelled before its start leaves its parts cold",
        arguments: Part.allCases, Holding.reachable)
    func early(part: Part, holding: Holding) async {
        for isUpgradedBefore in [true, false] {
            let keeper = Keeper<Int>(holding), runs = Counter(), gate = Gate()
            let whole = part.whole(
                of: keeper.keep(ResponseFuture { runs.increment() }), beside: waiting(at: gate))
            let before = isUpgradedBefore ? keeper.future : nil
            whole.cancel()
            #expect(whole.status == .cancelled)
            guard let future = before ?? keeper.future else {
                #expect(holding == .weakly)
                continue
            }
            #expect(future.status == .created && runs.value == 0)
            #expect(await future.ending == "value 1")
            gate.open()
        }
    }

    @Test(
        "INTEREST: a child that leaves after its parent has settled changes nothing",
        arguments: Part.allCases, [true, false])
    func afterSettlement(part: Part, isStarted: Bool) async throws {
        let log = EventLog(), gate = Gate()
        let parent = ResponseFuture(result: 1).success { log("success \($0)") }.completion { log("completion") }
        parent.send()
        await log.wait(for: 2)
        let child = part.whole(of: parent, beside: waiting(at: gate))
        if isStarted { child.send() }
        child.cancel()
        #expect(parent.status == .success)
        #expect(await parent.ending == "value 1")
        #expect(log.events == ["success 1", "completion"])
        gate.open()
    }

    @Test(
        "INTEREST: a sent future keeps its value if a child is cancelled while the main actor is busy",
        arguments: Part.allCases, Holding.allCases)
    func sentParent(part: Part, holding: Holding) async {
        let log = EventLog(), settled = Gate(), gate = Gate(), keeper = Keeper<Int>(holding)
        func sent() -> ResponseFuture<Int> {
            let future = ResponseFuture(result: 1)
                .success { log("success \($0)") }.cancellation { log("cancellation") }
                .completion { log("completion") }
                .onSuccess { _ in settled.open() }
            future.send()
            return keeper.keep(future)
        }
        await MainQueue.blocked {
            let child = part.whole(of: sent(), beside: waiting(at: gate))
            await settled.opened()
            child.cancel()
            #expect(child.status == .cancelled)
        }
        #expect(await log.all(2) == ["success 1", "completion"])
        if let future = keeper.future { #expect(future.status == .success) }
        gate.open()
    }

    @Test(
        "INTEREST: a sent future goes on if its unstarted child is cancelled or dropped",
        arguments: Part.allCases, Holding.allCases)
    func sentAndRunning(part: Part, holding: Holding) async {
        for isCancelled in [true, false] {
            let log = EventLog(), gate = Gate(), otherGate = Gate(), keeper = Keeper<Int>(holding)
            func sent() -> ResponseFuture<Int> {
                let future = waiting(at: gate)
                    .success { log("success \($0)") }.cancellation { log("cancellation") }
                    .completion { log("completion") }
                future.send()
                return keeper.keep(future)
            }
            do {
                let child = part.whole(of: sent(), beside: waiting(at: otherGate))
                await gate.reached()
                if isCancelled { child.cancel() }
            }
            gate.open()
            #expect(await log.all(2) == ["success 1", "completion"])
        }
    }

    @Test(
        "INTEREST: a sent future goes on when its last child and its last awaiter leave", arguments: Part.allCases)
    func sentAndLeft(part: Part) async {
        let log = EventLog(), gate = Gate(), otherGate = Gate()
        let parent = waiting(at: gate).completion { log("completion") }
        parent.send()
        await gate.reached()
        let awaiter = Awaiting(now: parent), child = part.whole(of: parent, beside: waiting(at: otherGate))
        child.send()
        awaiter.cancel()
        #expect(await awaiter.ending == "cancelled")
        child.cancel()
        #expect(parent.status == .started)
        gate.open()
        #expect(await parent.ending == "value 1")
        #expect(await log.all(1) == ["completion"])
    }
}
