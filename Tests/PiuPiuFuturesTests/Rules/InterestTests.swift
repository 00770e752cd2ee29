import PiuPiu
import TestSupport
import Testing

/// An object that cancels a future when it is released.
private final class Canceller: Sendable {
    private let future: Box<ResponseFuture<Int>>

    init(of future: Box<ResponseFuture<Int>>) {
        self.future = future
    }

    deinit { future.value?.cancel() }
}

@Suite("INTEREST: each token is given back", .timeLimit(.minutes(10)))
struct InterestTests {
    /// A legacy action that leaves its promise in the box.
    static func action(_ promise: Box<ResponseFuture<Int>>) -> ResponseFuture<Int> {
        ResponseFuture<Int> { future in promise.value = future }
    }

    /// Checks that nobody is interested in a future that was not sent: it is cold or cancelled, and the next awaiter
    /// is the only one.
    static func expectNoInterest(in future: ResponseFuture<Int>, _ comment: Comment) async {
        guard future.status == .created else {
            #expect(future.status == .cancelled, comment)
            return
        }
        let awaiter = Awaiting(now: future)
        awaiter.cancel()
        #expect(await awaiter.ending == "cancelled", comment)
        #expect(future.status != .started, comment)
    }

    @Test(
        "INTEREST, UP: a child cancelled inside its parent's action cancels the parent",
        arguments: Part.allCases)
    func leftInsideAction(part: Part) async {
        let child = Box<ResponseFuture<Int>>(), promise = Box<ResponseFuture<Int>>(), log = EventLog(), gate = Gate()
        let parent = ResponseFuture<Int> { future in
            promise.value = future
            child.value?.cancel()
            log("\(future.status)")
        }
        child.value = part.whole(of: parent, beside: waiting(at: gate))
        child.value?.send()
        #expect(await log.all(1) == ["cancelled"])
        #expect(child.value?.status == .cancelled)
        promise.value?.succeed(with: 1)
        #expect(parent.status == .cancelled)
        child.value = nil
        promise.value = nil
        gate.open()
    }

    @Test(
        "INTEREST, DOWN: the token of a child cancelled inside its parent's action doesn't outlive the child",
        arguments: Part.allCases)
    func awaitedInsideAction(part: Part) async {
        let child = Box<ResponseFuture<Int>>(), promise = Box<ResponseFuture<Int>>(), gate = Gate(), ready = Gate()
        let itself = Box<ResponseFuture<Int>>(), awaiter = Box<Awaiting>()
        let parent = ResponseFuture<Int> { future in
            promise.value = future
            awaiter.value = itself.value.map { Awaiting(now: $0) }
            child.value?.cancel()
            ready.open()
        }
        itself.value = parent
        child.value = part.whole(of: parent, beside: waiting(at: gate))
        child.value?.send()
        await ready.opened()
        #expect(parent.status == .started)
        awaiter.value?.cancel()
        #expect(await awaiter.value?.ending == "cancelled")
        #expect(parent.status == .cancelled)
        for box in [child, promise, itself] { box.value = nil }
        gate.open()
    }

    @Test("INTEREST: a child sent and cancelled at once leaves no token behind", arguments: Part.synchronous)
    func sentAndCancelledAtOnce(part: Part) async {
        var generator = SeededGenerator(seed: 12)
        for round in 0..<500 {
            let promise = Box<ResponseFuture<Int>>(), gate = Gate()
            let parent = Self.action(promise)
            let child = part.whole(of: parent, beside: waiting(at: gate))
            let lead = Int.random(in: -300...300, using: &generator)
            await onTwoThreads(lead: lead, { child.send() }, { child.cancel() })
            #expect(child.status == .cancelled)
            await Self.expectNoInterest(in: parent, "round \(round), lead \(lead)")
            gate.open()
        }
    }

    @Test(
        "INTEREST, DOWN: an awaiter cancelled while it starts a child leaves no token behind",
        arguments: Part.synchronous)
    func awaitedAndCancelledAtOnce(part: Part) async {
        var generator = SeededGenerator(seed: 13)
        for round in 0..<200 {
            let promise = Box<ResponseFuture<Int>>(), gate = Gate()
            let parent = Self.action(promise)
            let child = part.whole(of: parent, beside: waiting(at: gate)), awaiter = Box<Awaiting>()
            let lead = Int.random(in: -300...300, using: &generator)
            let begun = Awaiting { child }
            await onTwoThreads(lead: lead, { awaiter.value = Awaiting(now: child) }, { begun.cancel() })
            awaiter.value?.cancel()
            #expect(await begun.ending == "cancelled")
            #expect(await awaiter.value?.ending == "cancelled")
            await Self.expectNoInterest(in: parent, "round \(round), lead \(lead)")
            gate.open()
        }
    }

    @Test("INTEREST, GROUPS: a task group's child, cancelled around its start, leaves no token behind")
    func taskGroup() async {
        for round in 0..<500 {
            let promise = Box<ResponseFuture<Int>>(), parent = Self.action(promise)
            await withThrowingTaskGroup(of: Int.self) { group in
                group.addFuture(parent)
                group.addFuture(parent.then { $0 })
                for _ in 0..<round { _ = parent.status }
                group.cancelAll()
                while let result = await group.nextResult() {
                    #expect(throws: CancellationError.self) { try result.get() }
                }
            }
            await Self.expectNoInterest(in: parent, "round \(round)")
        }
    }

    @Test(
        "INTEREST: a future goes on while anyone is interested, and is cancelled when the last one leaves",
        arguments: Part.allCases, [true, false])
    func last(part: Part, isWholeFirst: Bool) async {
        let gate = Gate(), otherGate = Gate(), cancelled = Gate()
        let parent = waiting(at: gate, cancelled: cancelled)
        let whole = part.whole(of: parent, beside: waiting(at: otherGate))
        whole.send()
        await gate.reached()
        let awaiter = Awaiting(now: parent)
        if isWholeFirst {
            whole.cancel()
            #expect(parent.status == .started)
            awaiter.cancel()
            #expect(await awaiter.ending == "cancelled")
        } else {
            awaiter.cancel()
            #expect(await awaiter.ending == "cancelled")
            #expect(parent.status == .started)
            whole.cancel()
        }
        #expect(parent.status == .cancelled)
        await cancelled.opened()
    }

    @Test(
        "EARLY, INTEREST: if one part's action cancels the whole, a part that has not begun stays cold",
        arguments: Part.second)
    func notBegun(part: Part) async {
        let whole = Box<ResponseFuture<Int>>(), promise = Box<ResponseFuture<Int>>(), runs = Counter()
        let other = ResponseFuture<Int> { future in
            promise.value = future
            whole.value?.cancel()
        }
        let later = ResponseFuture { runs.increment() }
        whole.value = part.whole(of: later, beside: other)
        whole.value?.send()
        #expect(whole.value?.status == .cancelled)
        #expect(later.status == .created && runs.value == 0)
        #expect(await later.ending == "value 1")
        whole.value = nil
        promise.value = nil
    }

    /// Futures of which each was made from the one before, all cold, and all held by the array.
    private static func cold(_ count: Int) -> [ResponseFuture<Int>] {
        var futures = [ResponseFuture { 7 }]
        while futures.count < count { futures.append(futures[futures.count - 1].then { $0 }) }
        return futures
    }

    @Test("EARLY, UP: a chain cancelled while it starts its parent leaves cold what that was made from")
    func cancelledWhileItStarts() async {
        for count in 2...4 {
            let futures = Self.cold(count), parent = futures[count - 1], child = Box<ResponseFuture<Int>>()
            do {
                // The start of a child releases it.
                let canceller = Canceller(of: child)
                _ = parent.success { _ in withExtendedLifetime(canceller) {} }
            }
            child.value = parent.then { $0 }
            child.value?.send()
            #expect(child.value?.status == .cancelled)
            #expect(parent.status == .cancelled)
            #expect(futures.dropLast().allSatisfy { $0.status == .created }, "\(futures.map(\.status))")
            #expect(await futures[0].ending == "value 7")
            child.value = nil
        }
    }

    @Test("EARLY, UP: what is cold once cancel() has returned stays cold, though the chain is being started")
    func coldAfterCancel() async {
        var generator = SeededGenerator(seed: 16)
        for round in 0..<3_000 {
            let futures = Self.cold(20), child = futures[19].then { $0 }, coldCount = Box<Int>()
            let lead = Int.random(in: -300...300, using: &generator)
            await onTwoThreads(lead: lead) {
                child.send()
            } _: {
                child.cancel()
                coldCount.value = futures.prefix { $0.status == .created }.count
            }
            let stayedCold = futures.prefix { $0.status == .created }.count
            guard stayedCold == coldCount.value else {
                Issue.record("round \(round), lead \(lead): \(coldCount.value ?? -1) were cold, \(stayedCold) are")
                return
            }
        }
    }
}
