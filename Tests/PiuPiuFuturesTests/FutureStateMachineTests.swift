import PiuPiu
import TestSupport
import Testing

@Suite("The state machine of a future, without concurrency", .timeLimit(.minutes(10)))
struct FutureStateMachineTests {
    private typealias Machine = FutureStateMachine<Int, Int>

    private enum Step: CaseIterable {
        case send, join, wait, leave, succeed, fail, cancel
    }

    /// A run of the machine beside the simplest possible model.
    private struct Trial {
        var machine = Machine()
        var steps: [Step] = []
        var violations: [String] = []
        var launches = 0
        var settlements: [FutureStatus] = []
        /// Joined, but not notified yet, and whether each has said how to resume it.
        var pending: [(id: Machine.InterestID, isWaiting: Bool)] = []
        var woken: [Int] = []
        var isSent = false

        /// Cheaper than `#expect`, which would take a minute over all sequences under a sanitizer.
        mutating func check(_ isTrue: Bool, _ rule: String) {
            if !isTrue { violations.append("\(rule) after \(steps)") }
        }

        mutating func take(_ settlement: Machine.Settlement) {
            settlements.append(settlement.outcome.status)
            var parties: [Int] = []
            settlement.interests.forEach { parties.append($0) }
            woken += parties.filter { $0 != 0 }
            check(parties == pending.map { $0.isWaiting ? Int($0.id) : 0 }, "all interested parties are notified")
            pending.removeAll(where: \.isWaiting)
        }

        mutating func perform(_ step: Step) {
            steps.append(step)
            let wasSettled = machine.isSettled
            switch step {
            case .send:
                isSent = true
                if machine.send() { launches += 1 }
            case .join:
                join(wasSettled: wasSettled)
            case .wait:
                guard let index = pending.firstIndex(where: { !$0.isWaiting }) else { return }
                if machine.wait(pending[index].id, as: Int(pending[index].id)) != nil {
                    check(wasSettled, "MEMO")
                    pending.remove(at: index)
                } else {
                    pending[index].isWaiting = true
                }
            case .leave:
                leave(wasSettled: wasSettled)
            case .succeed:
                settleForSoleParty()
                if let settlement = machine.settle(.success(1)) {
                    take(settlement)
                } else {
                    check(wasSettled, "SETTLE")
                }
            case .fail:
                if let settlement = machine.settle(.failure(Mishap())) {
                    take(settlement)
                } else {
                    check(wasSettled, "SETTLE")
                }
            case .cancel:
                cancel(wasSettled: wasSettled)
            }
            check(launches <= 1, "ONCE")
            check(settlements.count <= 1, "SETTLE")
            check(Set(woken).count == woken.count, "no party is resumed twice")
            check(machine.isSettled == (settlements.count == 1), "SETTLE")
            if let status = settlements.first { check(machine.status == status, "MEMO") }
            check(machine.isSettled || pending.isEmpty == machine.interests.isEmpty, "SHARED")
        }

        private mutating func join(wasSettled: Bool) {
            switch machine.join(0) {
            case .settled: check(wasSettled, "MEMO")
            case .launch(let id):
                launches += 1
                pending.append((id, false))
            case .wait(let id): pending.append((id, false))
            }
        }

        /// The short way to settle has the same effect as the long one, or none.
        private mutating func settleForSoleParty() {
            var short = machine, long = machine
            let party = short.settleForSoleParty(.success(1)), settlement = long.settle(.success(1))
            guard let party else { return check(short.status == machine.status, "SETTLE") }
            var parties: [Int] = []
            settlement?.interests.forEach { parties.append($0) }
            check(settlement != nil && parties == [party].compactMap(\.self), "SETTLE")
            check(short.isSettled && short.status == long.status && short.interests.isEmpty, "SETTLE")
        }

        private mutating func leave(wasSettled: Bool) {
            guard !pending.isEmpty else { return }
            let leaving = pending.removeFirst()
            let expected = leaving.isWaiting ? Int(leaving.id) : 0
            switch machine.leave(leaving.id) {
            case .unknown:
                check(wasSettled, "DOWN")
            case .left(let party):
                check(party == expected && (isSent || !pending.isEmpty) && !machine.isSettled, "SHARED")
            case .last(let party, let settlement):
                check(party == expected && !isSent && pending.isEmpty, "DOWN")
                take(settlement)
            }
        }

        private mutating func cancel(wasSettled: Bool) {
            let wasIdle = machine.status == .created
            switch machine.cancel(hadUndelivered: false) {
            case .beforeStart(let settlement):
                check(wasIdle, "EARLY")
                take(settlement)
            case .whileRunning(let settlement):
                check(!wasIdle, "UP")
                take(settlement)
            case .beforeDelivery: check(false, "AFTER-CANCEL")
            case .ignored: check(wasSettled, "SETTLE")
            }
        }
    }

    @Test("ONCE, SETTLE, MEMO, SHARED, DOWN, UP, EARLY: every sequence of up to six steps")
    func everySequence() {
        func explore(_ trial: Trial, depth: Int) -> [String] {
            guard depth > 0, trial.violations.isEmpty else { return trial.violations }
            for step in Step.allCases {
                var next = trial
                next.perform(step)
                let violations = explore(next, depth: depth - 1)
                if !violations.isEmpty { return violations }
            }
            return []
        }
        #expect(explore(Trial(), depth: 6) == [])
    }

    @Test("AFTER-CANCEL: an undelivered outcome becomes a cancellation, and the status says so")
    func cancelBeforeDelivery() {
        var machine = Machine()
        _ = machine.send()
        _ = machine.settle(.success(1))
        guard case .beforeDelivery = machine.cancel(hadUndelivered: true) else {
            Issue.record("unexpected answer")
            return
        }
        #expect(machine.status == .cancelled)
        guard case .settled(.success(1)) = machine.phase else {
            Issue.record("MEMO: awaiters must still get the value")
            return
        }
    }

    @Test("THROW: a callback's error shows in the status, not in the outcome")
    func callbackThrew() {
        var machine = Machine()
        _ = machine.settle(.success(1))
        machine.callbackThrew(Mishap())
        #expect(machine.status == .error)
        guard case .settled(.success(1)) = machine.phase else {
            Issue.record("MEMO: awaiters must still get the value")
            return
        }
    }
}
