import PiuPiu
import Testing

@Suite("The state machine of a future, without concurrency", .timeLimit(.minutes(1)))
struct FutureStateMachineTests {
    private typealias Machine = FutureStateMachine<Int, Int>

    private enum Step: CaseIterable {
        case send, join, wait, leave, succeed, fail, cancel
    }

    /// A run of the machine beside the simplest model that can be thought of.
    private struct Trial {
        var machine = Machine()
        var launches = 0
        var settlements: [FutureStatus] = []
        /// Joined, and not told anything yet: whether they have left word how to wake them.
        var pending: [(id: Machine.InterestID, isWaiting: Bool)] = []
        var woken: [Int] = []
        var isSent = false

        mutating func take(_ settlement: Machine.Settlement) {
            settlements.append(settlement.outcome.status)
            woken += settlement.resumptions
            #expect(Set(settlement.resumptions) == Set(pending.filter(\.isWaiting).map { Int($0.id) }))
            pending.removeAll(where: \.isWaiting)
        }

        mutating func perform(_ step: Step) {
            let wasSettled = machine.isSettled
            switch step {
            case .send:
                isSent = true
                if machine.send() { launches += 1 }
            case .join:
                switch machine.join(listener: nil) {
                case .settled: #expect(wasSettled)
                case .launch(let id):
                    launches += 1
                    pending.append((id, false))
                case .wait(let id): pending.append((id, false))
                }
            case .wait:
                guard let index = pending.firstIndex(where: { !$0.isWaiting }) else { return }
                if machine.wait(pending[index].id, resumption: Int(pending[index].id)) != nil {
                    #expect(wasSettled)
                    pending.remove(at: index)
                } else {
                    pending[index].isWaiting = true
                }
            case .leave:
                guard !pending.isEmpty else { return }
                let party = pending.removeFirst()
                switch machine.leave(party.id) {
                case .unknown:
                    #expect(wasSettled)
                case .resume(let resumption):
                    #expect(resumption == (party.isWaiting ? Int(party.id) : nil))
                    #expect(isSent || !pending.isEmpty)
                    #expect(!machine.isSettled)
                case .last(let resumption, let settlement):
                    #expect(resumption == (party.isWaiting ? Int(party.id) : nil))
                    #expect(!isSent && pending.isEmpty)
                    take(settlement)
                }
            case .succeed:
                if let settlement = machine.settle(.success(1)) { take(settlement) } else { #expect(wasSettled) }
            case .fail:
                if let settlement = machine.settle(.failure(Mishap())) { take(settlement) } else { #expect(wasSettled) }
            case .cancel:
                let wasIdle = machine.status == .created
                switch machine.cancel(hadUndelivered: false) {
                case .beforeStart(let settlement):
                    #expect(wasIdle)
                    take(settlement)
                case .whileRunning(let settlement):
                    #expect(!wasIdle)
                    take(settlement)
                case .beforeDelivery: Issue.record("there was nothing undelivered")
                case .ignored: #expect(wasSettled)
                }
            }
            #expect(launches <= 1, "ONCE")
            #expect(settlements.count <= 1, "SETTLE")
            #expect(Set(woken).count == woken.count, "nobody is woken twice")
            #expect(machine.isSettled == (settlements.count == 1))
            if let status = settlements.first { #expect(machine.status == status, "MEMO") }
            #expect(machine.isSettled || pending.isEmpty == machine.hasNoInterest)
        }
    }

    @Test("ONCE, SETTLE, MEMO, SHARED: every sequence of up to six steps")
    func everySequence() {
        func explore(_ trial: Trial, depth: Int) {
            guard depth > 0 else { return }
            for step in Step.allCases {
                var next = trial
                next.perform(step)
                explore(next, depth: depth - 1)
            }
        }
        explore(Trial(), depth: 6)
    }

    @Test("A child takes up the place that was reserved for it, once")
    func reservation() {
        final class Child: UpdateReceiver {
            func receive(_ update: TransferUpdate) {}
        }
        let first = Child(), second = Child()
        var machine = Machine()
        guard case .launch(let reserved) = machine.join(listener: first, isReserved: true),
            case .wait(let taken) = machine.takeReservation(of: first),
            case .wait(let other) = machine.takeReservation(of: second),
            case .wait(let again) = machine.takeReservation(of: first)
        else {
            Issue.record("unexpected answers")
            return
        }
        #expect(reserved == taken)
        #expect(Set([taken, other, again]).count == 3)
        #expect(machine.listeners.count == 3)
    }

    @Test("AFTER-CANCEL: what was not delivered yet becomes a cancellation, and the status says so")
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
