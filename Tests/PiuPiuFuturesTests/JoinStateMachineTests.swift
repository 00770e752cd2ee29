import PiuPiu
import TestSupport
import Testing

@Suite("The state machine of a join, without concurrency", .timeLimit(.minutes(10)))
struct JoinStateMachineTests {
    private typealias Machine = JoinStateMachine<Int>

    private func word(_ decision: Machine.Decision) -> String {
        switch decision {
        case .none: "none"
        case .beginNext: "next"
        case .askAgain: "ask again"
        case .end(.all): "all"
        case .end(.one(let place)): "one \(place)"
        case .end(.failed(let error)): "failed \(error)"
        case .end(.cancelled): "cancelled"
        }
    }

    private func failure(_ number: Int) -> FutureOutcome<Void> { .failure(Mishap(number: number)) }

    @Test("GROUPS: a join ends with the last value, whatever the order, and begins no more than its limit")
    func values() {
        for limit in [nil, 1, 2, 3, 0] {
            var machine = Machine(.all, count: 3, limit: limit)
            var running: [Int] = []
            var most = 0
            var last = ""
            for _ in 0..<3 {
                while let place = machine.beginNext() {
                    running.append(place)
                    last = word(machine.didBegin(place, with: nil))
                }
                most = max(most, running.count)
                last = word(machine.didEnd(running.removeLast(), with: .success(())))
            }
            #expect(last == "all")
            #expect(most == max(limit ?? 3, 1))
        }
    }

    @Test("GROUPS: of many failures beside a part that is just beginning the first in order counts; it asks once")
    func manyFailures() {
        var machine = Machine(.all, count: 100, limit: nil)
        while machine.beginNext() != nil {}
        for place in 1..<100 { _ = machine.didBegin(place, with: nil) }
        // In both directions: the first place fails last of all, and then later ones.
        let places = (50..<100).reversed() + [3] + (4..<50)
        let words = places.map { word(machine.didEnd($0, with: failure($0))) }
        #expect(words == ["ask again"] + Array(repeating: "none", count: places.count - 1))
        #expect(word(machine.decideNow()) == "failed \(Mishap(number: 3))")
    }

    @Test("GROUPS: of failures known at once the first in order counts; a lone failure doesn't wait")
    func failures() {
        var machine = Machine(.all, count: 3, limit: nil)
        #expect([machine.beginNext(), machine.beginNext(), machine.beginNext()] == [0, 1, 2])
        #expect(word(machine.didBegin(1, with: failure(1))) == "ask again")
        #expect(word(machine.didBegin(2, with: failure(2))) == "none", "It asks once.")
        #expect(word(machine.didBegin(0, with: failure(0))) == "failed \(Mishap(number: 0))")
        #expect(word(machine.decideNow()) == "none")

        machine = Machine(.all, count: 2, limit: nil)
        _ = (machine.beginNext(), machine.beginNext())
        #expect(word(machine.didBegin(1, with: failure(1))) == "ask again")
        #expect(word(machine.decideNow()) == "failed \(Mishap(number: 1))", "PROMPT")

        machine = Machine(.all, count: 2, limit: nil)
        _ = (machine.beginNext(), machine.beginNext())
        #expect(word(machine.didBegin(0, with: nil)) == "none")
        #expect(word(machine.didBegin(1, with: failure(1))) == "failed \(Mishap(number: 1))")
    }

    @Test("EARLY: once a part has failed no other begins, not even while the join waits for an earlier failure")
    func failureWhileBeginning() {
        var machine = Machine(.all, count: 4, limit: 2)
        #expect([machine.beginNext(), machine.beginNext(), machine.beginNext()] == [0, 1, nil])
        #expect(word(machine.didBegin(1, with: nil)) == "none")
        #expect(word(machine.didEnd(1, with: failure(1))) == "ask again")
        #expect(machine.beginNext() == nil && machine.beginnableCount == 0)
        #expect(word(machine.didBegin(0, with: nil)) == "failed \(Mishap(number: 1))")
    }

    @Test("PROMPT: a race ends with the first end, a first success with the first value or the last failure")
    func first() {
        var race = Machine(.first, count: 2, limit: nil)
        _ = (race.beginNext(), race.beginNext())
        #expect(word(race.didEnd(1, with: .cancelled)) == "cancelled")
        #expect(word(race.didEnd(0, with: .success(()))) == "none")

        var success = Machine(.firstSuccess, count: 3, limit: 2)
        #expect([success.beginNext(), success.beginNext(), success.beginNext()] == [0, 1, nil])
        #expect(word(success.didEnd(1, with: failure(1))) == "next")
        #expect(success.beginNext() == 2)
        #expect(word(success.didEnd(2, with: .cancelled)) == "none")
        let ending = word(success.didEnd(0, with: failure(0)))
        #expect(ending == "failed \(AllFuturesFailedError(errors: [Mishap(number: 0), Mishap(number: 1)]))")
        success = Machine(.firstSuccess, count: 1, limit: nil)
        _ = success.beginNext()
        #expect(word(success.didEnd(0, with: .cancelled)) == "cancelled")
    }

    @Test("EARLY, INTEREST: after its end a join begins nothing, refuses tokens, and gives up its own once")
    func end() {
        var machine = Machine(.all, count: 3, limit: nil)
        _ = (machine.beginNext(), machine.beginNext())
        let isHeld = machine.hold(10, for: 0)
        #expect(isHeld)
        #expect(word(machine.didBegin(0, with: nil)) == "next")
        #expect(word(machine.didBegin(1, with: .cancelled)) == "cancelled")
        #expect(machine.beginNext() == nil)
        let isHeldLate = machine.hold(11, for: 1), early = machine.beginEarly(0..<2)
        #expect(!isHeldLate && early.isEmpty)
        let tokens = machine.giveUp(), none = machine.giveUp()
        #expect(tokens == [10] && none.isEmpty)
    }

    @Test("SYNC-START: parts that the caller begins are not begun again")
    func early() {
        var machine = Machine(.all, count: 4, limit: 2)
        let early = machine.beginEarly(0..<3)
        #expect(early == 0..<2, "the third is beyond the limit")
        #expect(machine.unbegunCount == 2)
        #expect(machine.beginNext() == nil)
        #expect(word(machine.didEnd(1, with: .success(()))) == "next")
        #expect(machine.beginNext() == 2)
    }

    @Test("GROUPS: a failure waits for earlier parts that the caller has yet to begin, not for later ones")
    func earlyFailures() {
        var machine = Machine(.all, count: 4, limit: nil)
        #expect(machine.beginEarly(0..<3) == 0..<3)
        #expect(machine.beginNext() == 3)
        #expect(word(machine.didBegin(3, with: failure(3))) == "ask again")
        for place in [0, 1] { #expect(word(machine.didBegin(place, with: nil)) == "none") }
        #expect(word(machine.didBegin(2, with: nil)) == "failed \(Mishap(number: 3))")

        var other = Machine(.all, count: 4, limit: nil)
        #expect(other.beginEarly(0..<3) == 0..<3)
        #expect(word(other.didBegin(0, with: failure(0))) == "failed \(Mishap(number: 0))")
    }

    @Test("Those who look for a cycle get as many tokens as they ask for")
    func someTokens() {
        var machine = Machine(.all, count: 3, limit: nil)
        for token in 0..<3 {
            let place = machine.beginNext(), isHeld = machine.hold(token, for: token)
            #expect(place == token && isHeld)
        }
        #expect([machine.heldTokens(2), machine.heldTokens(0), machine.heldTokens()] == [[0, 1], [], [0, 1, 2]])
    }

    @Test("A join of nothing ends at once")
    func empty() {
        var all = Machine(.all, count: 0, limit: nil), race = Machine(.first, count: 0, limit: nil)
        guard case .all = all.endIfEmpty(), case .failed(let error) = race.endIfEmpty() else {
            Issue.record("no end")
            return
        }
        #expect((error as? AllFuturesFailedError)?.errors.isEmpty == true)
    }
}
