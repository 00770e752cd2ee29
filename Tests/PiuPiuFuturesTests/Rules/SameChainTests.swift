import PiuPiu
import TestSupport
import Testing

/// A chain of three links. The test chooses which of the first two is held, and how.
@Suite("SAME: a link of a chain, no matter who holds it", .timeLimit(.minutes(10)))
struct SameChainTests {
    enum Link: CaseIterable { case root, middle }

    private struct Chain: Sendable {
        let keeper: Keeper<Int>
        let link: Link
        let gate = Gate(), cancelled = Gate()
        let runs = Counter()

        init(_ link: Link, _ holding: Holding) {
            self.link = link
            keeper = Keeper(holding)
        }

        /// The root gives 1, the middle 2, and the last link 20.
        func last() -> ResponseFuture<Int> {
            let root = waiting(at: gate, cancelled: cancelled)
            let middle = (link == .root ? keeper.keep(root) : root).then { [runs] number in
                runs.increment()
                return number + 1
            }
            return (link == .middle ? keeper.keep(middle) : middle).then { $0 * 10 }
        }
    }

    @Test(
        "SAME, UP: cancelling a link ends the chain and its work", arguments: Link.allCases, Holding.allCases)
    func cancel(link: Link, holding: Holding) async throws {
        for isSent in [true, false] {
            let chain = Chain(link, holding), log = EventLog()
            defer { chain.gate.open() }
            let task = isSent ? nil : Awaiting { chain.last() }
            if isSent { chain.last().onCancellation { log("cancelled") }.send() }
            await chain.gate.reached()
            if let handle = chain.keeper.future {
                handle.cancel()
                #expect(handle.status == .cancelled)
            } else if let task {
                task.cancel()
            } else {
                continue
            }
            if let task { #expect(await task.ending == "cancelled") } else { await log.wait(for: 1) }
            await chain.cancelled.opened()
            #expect(chain.runs.value == 0)
        }
    }

    @Test(
        "SAME, SETTLE: a value given to a link passes down the chain, and the work above is cancelled",
        arguments: Link.allCases, Holding.reachable)
    func succeed(link: Link, holding: Holding) async throws {
        let chain = Chain(link, holding)
        defer { chain.gate.open() }
        let task = Awaiting { chain.last() }
        await chain.gate.reached()
        guard let handle = chain.keeper.future else {
            #expect(holding == .weakly)
            return task.cancel()
        }
        handle.succeed(with: 42)
        #expect(await task.ending == (link == .root ? "value 430" : "value 420"))
        #expect(await handle.ending == "value 42")
        await chain.cancelled.opened()
    }

    @Test(
        "SAME, SHARED: awaiters of a link and of the chain don't affect each other",
        arguments: Link.allCases, Holding.reachable)
    func awaiters(link: Link, holding: Holding) async throws {
        for chainLeaves in [true, false] {
            let chain = Chain(link, holding)
            defer { chain.gate.open() }
            let ofChain = Awaiting { chain.last() }
            await chain.gate.reached()
            guard let handle = chain.keeper.future else {
                #expect(holding == .weakly)
                return ofChain.cancel()
            }
            let ofLink = Awaiting(now: handle), leaving = chainLeaves ? ofChain : ofLink
            leaving.cancel()
            #expect(await leaving.ending == "cancelled")
            #expect(handle.status == .started)
            chain.gate.open()
            let value = link == .root ? "value 1" : "value 2"
            #expect(await (chainLeaves ? ofLink : ofChain).ending == (chainLeaves ? value : "value 20"))
            #expect(await handle.ending == value)
            #expect(chain.runs.value == (chainLeaves && link == .root ? 0 : 1))
        }
    }

    @Test(
        "SAME, ONCE, MEMO: a link reached while the chain runs has its value once the chain has run",
        arguments: Link.allCases, Holding.reachable)
    func memo(link: Link, holding: Holding) async throws {
        for round in 0..<100 {
            let chain = Chain(link, holding)
            let task = Awaiting { chain.last() }
            await chain.gate.reached()
            let handle = chain.keeper.future
            // On its way through the chain now, or before it, or behind it.
            chain.gate.open()
            let late = chain.keeper.future ?? handle
            let lateAwaiting = late.map { Awaiting(now: $0) }
            #expect(await task.ending == "value 20", "round \(round)")
            let expected = late == nil ? nil : link == .root ? "value 1" : "value 2"
            #expect(await lateAwaiting?.ending == expected, "round \(round)")
            if let handle { #expect(handle.status == .success) }
            #expect(chain.runs.value == 1)
        }
    }

    @Test(
        "SAME, INTEREST: a link reached and sent while the chain runs outlives it",
        arguments: Link.allCases, Holding.reachable)
    func sent(link: Link, holding: Holding) async throws {
        let chain = Chain(link, holding), log = EventLog()
        defer { chain.gate.open() }
        let task = Awaiting { chain.last() }
        await chain.gate.reached()
        guard let handle = chain.keeper.future else {
            #expect(holding == .weakly)
            return task.cancel()
        }
        handle.onSuccess { log("\($0)") }.send()
        task.cancel()
        #expect(await task.ending == "cancelled")
        #expect(handle.status == .started)
        chain.gate.open()
        #expect(await log.all(1) == [link == .root ? "1" : "2"])
    }
}
