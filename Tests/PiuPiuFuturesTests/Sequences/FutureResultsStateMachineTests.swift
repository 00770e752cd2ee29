import PiuPiu
import TestSupport
import Testing

private typealias Machine = FutureResultsStateMachine<Int, String, String>

@Suite("The decisions of a sequence of futures' results", .timeLimit(.minutes(10)))
struct FutureResultsStateMachineTests {
    /// The consumer's next step; begins a child if that is to read.
    private func step(_ machine: inout Machine) -> String {
        switch machine.next() {
        case .readSource:
            let offset = machine.begin()
            let isAdopted = machine.adopt("child \(offset)", at: offset)
            #expect(isAdopted)
            return "begin \(offset)"
        case .deliver(let delivery): return text(delivery)
        case .wait: return "wait"
        }
    }

    /// What a consumer that wants to wait has to do.
    private func wait(_ machine: inout Machine, _ consumer: String) -> String {
        switch machine.wait(consumer) {
        case .readSource: "ask again"
        case .deliver(let delivery): text(delivery)
        case .wait: "wait"
        }
    }

    private func text(_ delivery: Machine.Delivery) -> String {
        switch delivery {
        case .element((let offset, .success(let value))): "\(offset): \(value)"
        case .element((let offset, .failure(let error))): "\(offset): \(error)"
        case .end: "end"
        case .cancelled: "cancelled"
        }
    }

    private func text(_ effects: Machine.Effects) -> [String] {
        effects.cancelledChildren.map { "cancel \($0)" }.sorted()
            + effects.deliveries.map { "\($0.consumer) \($0.delivery.map { "gets \(text($0))" } ?? "asks again")" }
            + effects.dropped.map { "drop \($0.offset)" }.sorted()
    }

    private func machine(_ order: FutureResultsOrder, limit: Int?, stopsAtFailure: Bool = false) -> Machine {
        Machine(order: order, limit: limit, stopsAtFailure: stopsAtFailure)
    }

    @Test("Results come in order of completion, and each makes room for one more when taken")
    func completionOrder() {
        var machine = machine(.completion, limit: 2)
        #expect(step(&machine) == "begin 0")
        #expect(step(&machine) == "begin 1")
        #expect(step(&machine) == "wait")
        #expect(text(machine.finish(1, with: .success(10))) == [])
        #expect(text(machine.finish(0, with: .success(0))) == [])
        #expect(step(&machine) == "1: 10")
        #expect(step(&machine) == "begin 2")
        #expect(step(&machine) == "0: 0")
        #expect(step(&machine) == "begin 3")
        #expect(step(&machine) == "wait")
    }

    @Test("In the order of the sequence an early result waits for its turn, and counts towards the limit")
    func sequenceOrder() {
        var machine = machine(.sequence, limit: 2)
        #expect([step(&machine), step(&machine)] == ["begin 0", "begin 1"])
        #expect(text(machine.finish(1, with: .success(10))) == [])
        #expect(step(&machine) == "wait")
        #expect(wait(&machine, "consumer") == "wait")
        #expect(text(machine.finish(0, with: .success(0))) == ["consumer gets 0: 0"])
        #expect(step(&machine) == "begin 2")
        #expect(step(&machine) == "1: 10")
    }

    @Test("A limit below one counts as one, and nil is no limit", arguments: [1, 0, -1, Int.min, nil])
    func limits(limit: Int?) {
        var machine = machine(.completion, limit: limit)
        #expect(step(&machine) == "begin 0")
        #expect(step(&machine) == (limit == nil ? "begin 1" : "wait"))
    }

    @Test("The end comes after the last result, for every consumer, and stays")
    func end() {
        var machine = machine(.completion, limit: 2)
        #expect(step(&machine) == "begin 0")
        #expect(text(machine.sourceEnded()) == [])
        #expect(wait(&machine, "first") == "wait")
        #expect(wait(&machine, "second") == "wait")
        let effects = machine.finish(0, with: .failure(Mishap()))
        #expect(text(effects) == ["first gets 0: Mishap(number: 0)", "second gets end"])
        #expect(step(&machine) == "end")
        #expect(text(machine.cancel()) == [])
        #expect(step(&machine) == "end")
    }

    @Test("NEVER-HANG: the end of the source resumes all consumers that wait", arguments: [1, 2])
    func endOfSource(limit: Int) {
        var machine = machine(.completion, limit: limit)
        for offset in 0..<limit { #expect(step(&machine) == "begin \(offset)") }
        for consumer in ["first", "second", "third"] { #expect(wait(&machine, consumer) == "wait") }
        let effects = machine.finish(0, with: .success(7))
        #expect(text(effects) == ["first gets 0: 7", "second asks again"])
        let ends = ["third gets end"]
        #expect(text(machine.sourceEnded()) == (limit == 1 ? ends : []))
        if limit == 2 { #expect(text(machine.finish(1, with: .success(8))) == ["third gets 1: 8"]) }
        #expect([step(&machine), step(&machine)] == ["end", "end"])
    }

    @Test("NEVER-HANG: where there is room again, one that waits asks again, in its turn, in either order")
    func roomForOneMore() {
        for order in [FutureResultsOrder.completion, .sequence] {
            var machine = machine(order, limit: 2)
            #expect([step(&machine), step(&machine)] == ["begin 0", "begin 1"])
            for consumer in ["first", "second", "third"] { #expect(wait(&machine, consumer) == "wait") }
            #expect(text(machine.finish(0, with: .success(0))) == ["first gets 0: 0", "second asks again"])
            #expect([step(&machine), wait(&machine, "second")] == ["begin 2", "wait"])
            // The third waits longer than the second, which has asked again.
            #expect(text(machine.finish(1, with: .success(1))) == ["third gets 1: 1", "second asks again"])
            // Between the question and the wait, too.
            #expect(step(&machine) == "begin 3")
            #expect(step(&machine) == "wait")
            #expect(text(machine.finish(2, with: .success(2))) == [])
            #expect([wait(&machine, "second"), wait(&machine, "second")] == ["2: 2", "ask again"])
        }
    }

    @Test("A result that comes before its consumer waits for it")
    func finishBeforeWait() {
        var machine = machine(.completion, limit: nil)
        #expect(step(&machine) == "begin 0")
        #expect(text(machine.sourceEnded()) == [])
        #expect(step(&machine) == "wait")
        #expect(text(machine.finish(0, with: .success(7))) == [])
        #expect(wait(&machine, "consumer") == "0: 7")
    }

    @Test("A failure cancels children in flight, drops unreachable results, and comes after those ready")
    func failure() {
        var machine = machine(.sequence, limit: nil, stopsAtFailure: true)
        #expect((0..<6).map { _ in step(&machine) }.last == "begin 5")
        for offset in [0, 1, 4] { #expect(text(machine.finish(offset, with: .success(offset))) == []) }
        let effects = machine.finish(3, with: .failure(Mishap(number: 3)))
        #expect(text(effects) == ["cancel child 2", "cancel child 5", "drop 4"])
        #expect(text(machine.finish(2, with: .success(2))) == [])
        #expect(text(machine.finish(5, with: .failure(Mishap(number: 5)))) == [])
        #expect((0..<4).map { _ in step(&machine) } == ["0: 0", "1: 1", "3: Mishap(number: 3)", "end"])
    }

    @Test("A failure resumes a waiting consumer at once, and a child that starts after it is refused")
    func failureWhileWaiting() {
        var machine = machine(.completion, limit: nil, stopsAtFailure: true)
        #expect(step(&machine) == "begin 0")
        let late = machine.begin()
        let effects = machine.finish(0, with: .failure(Mishap()))
        #expect(text(effects) == [])
        let isAdopted = machine.adopt("late", at: late)
        #expect(!isAdopted)
        #expect(wait(&machine, "consumer") == "0: Mishap(number: 0)")

        var other = self.machine(.completion, limit: 1, stopsAtFailure: true)
        #expect(step(&other) == "begin 0")
        #expect(wait(&other, "consumer") == "wait")
        #expect(text(other.finish(0, with: .failure(Mishap()))) == ["consumer gets 0: Mishap(number: 0)"])
    }

    @Test("A cancellation cancels children in flight, drops ready results, and is delivered once")
    func cancellation() {
        var machine = machine(.completion, limit: nil, stopsAtFailure: true)
        #expect((0..<3).map { _ in step(&machine) }.last == "begin 2")
        #expect(text(machine.finish(1, with: .success(1))) == [])
        #expect(text(machine.cancel()) == ["cancel child 0", "cancel child 2", "drop 1"])
        #expect(text(machine.cancel()) == [])
        #expect(text(machine.finish(0, with: .failure(CancellationError()))) == [])
        #expect([step(&machine), step(&machine)] == ["cancelled", "end"])
    }

    @Test("A cancellation drops the failure that waits for its turn, too, and no child runs after it")
    func cancelFailing() {
        var machine = machine(.sequence, limit: nil, stopsAtFailure: true)
        #expect([step(&machine), step(&machine), step(&machine)] == ["begin 0", "begin 1", "begin 2"])
        #expect(machine.runningChildren == ["child 0", "child 1", "child 2"])
        #expect(text(machine.finish(0, with: .success(0))) == [])
        #expect(text(machine.finish(1, with: .failure(Mishap(number: 1)))) == ["cancel child 2"])
        #expect(machine.runningChildren == [])
        #expect(text(machine.cancel()) == ["drop 0", "drop 1"])
    }

    @Test("A cancellation resumes waiting consumers; before the start it prevents any start")
    func cancellationWhileWaiting() {
        var machine = machine(.completion, limit: 1)
        #expect(step(&machine) == "begin 0")
        #expect(wait(&machine, "first") == "wait")
        #expect(wait(&machine, "second") == "wait")
        #expect(text(machine.cancel()) == ["cancel child 0", "first gets cancelled", "second gets end"])

        var fresh = self.machine(.completion, limit: 1)
        #expect(text(fresh.cancel()) == [])
        #expect([step(&fresh), step(&fresh)] == ["cancelled", "end"])
    }

    @Test("A child that ends before its handle arrives is not cancelled later")
    func finishBeforeAdopt() {
        var machine = machine(.completion, limit: 2)
        let offset = machine.begin()
        #expect(text(machine.finish(offset, with: .success(1))) == [])
        let isAdopted = machine.adopt("child", at: offset)
        #expect(isAdopted)
        #expect(text(machine.cancel()) == ["drop 0"])
    }

    @Test("Random events in any order match a plain model", arguments: 0..<300)
    func againstModel(seed: UInt64) {
        var generator = SeededGenerator(seed: seed)
        let order: FutureResultsOrder = Bool.random(using: &generator) ? .completion : .sequence
        let limit = Int.random(in: 1...30, using: &generator), total = Int.random(in: 0...120, using: &generator)
        let end = Int.random(in: 0...total * 2, using: &generator)
        var machine = machine(order, limit: limit)
        var running: [Int] = [], finished: [Int] = [], given: [Int] = [], startedCount = 0
        while given.count < min(end, total) {
            #expect(startedCount - given.count <= limit)
            if !running.isEmpty, Bool.random(using: &generator) {
                let offset = running.remove(at: Int.random(in: running.indices, using: &generator))
                finished.append(offset)
                #expect(text(machine.finish(offset, with: .success(offset))) == [])
                continue
            }
            let due = order == .completion ? finished.first { !given.contains($0) } : given.count
            switch machine.next() {
            case .readSource:
                #expect(startedCount - given.count < limit)
                guard startedCount < total else {
                    #expect(text(machine.sourceEnded()) == [])
                    continue
                }
                running.append(machine.begin())
                #expect(running.last == startedCount)
                let isAdopted = machine.adopt("\(startedCount)", at: startedCount)
                #expect(isAdopted)
                startedCount += 1
            case .deliver(let delivery):
                guard case .element((let offset, _)) = delivery, offset == due, finished.contains(offset) else {
                    Issue.record("\(delivery) instead of \(String(describing: due))")
                    return
                }
                given.append(offset)
            case .wait:
                let isDue = due.map { finished.contains($0) && !given.contains($0) } ?? false
                guard !isDue, !running.isEmpty else {
                    Issue.record("waits with \(finished.count) of \(startedCount) finished, \(given.count) delivered")
                    return
                }
            }
        }
        if given.count == total {
            #expect(text(machine.sourceEnded()) == [])
            return #expect(step(&machine) == "end")
        }
        let effects = machine.cancel()
        #expect(effects.cancelledChildren.compactMap(Int.init).sorted() == running.sorted())
        #expect(effects.dropped.map(\.offset).sorted() == finished.filter { !given.contains($0) }.sorted())
        #expect([step(&machine), step(&machine)] == ["cancelled", "end"])
    }

    @Test("A child that is reported twice counts once")
    func finishTwice() {
        var machine = machine(.completion, limit: 3)
        #expect([step(&machine), step(&machine)] == ["begin 0", "begin 1"])
        #expect(text(machine.finish(0, with: .success(10))) == [])
        #expect(text(machine.finish(0, with: .success(11))) == [])
        #expect([step(&machine), step(&machine), step(&machine)] == ["begin 2", "0: 10", "begin 3"])
        #expect(text(machine.finish(0, with: .success(12))) == [])
        #expect(step(&machine) == "wait")
    }
}
