import PiuPiu
import TestSupport
import Testing

@Suite("Slots", .timeLimit(.minutes(10)))
struct TransferSlotsTests {
    @Test("L3 FAIR: first come first served")
    func order() {
        var slots = TransferSlots(total: 2)
        check(slots.enter(1, host: "a"), .begin)
        check(slots.enter(2, host: "a"), .begin)
        for ticket in 3...5 { check(slots.enter(ticket, host: "a"), .wait) }
        check(slots.leave(2), [3])
        check(slots.leave(1), [4])
        check(slots.leave(4), [5])
        check(slots.leave(5), [])
        #expect(slots.running == 1 && slots.waiting == 0)
    }

    @Test("A host whose limit is lowered again passes no slot on until it is within that limit")
    func loweredLimit() {
        var slots = TransferSlots(perHost: 1)
        check(slots.enter(1, host: "a"), .begin)
        for ticket in 2...6 { check(slots.enter(ticket, host: "a"), .wait) }
        #expect(!slots.hasRaisedLimits)
        check(slots.raiseLimit(of: "a", to: 3), [2, 3])
        #expect(slots.hasRaisedLimits)
        slots.resetLimit(of: "a")
        slots.resetLimit(of: "b")
        #expect(!slots.hasRaisedLimits)
        check(slots.leave(1), [])
        check(slots.leave(2), [])
        check(slots.leave(3), [4])
        check(slots.leave(4), [5])
        check(slots.raiseLimit(of: "a", to: 2), [6])
    }

    @Test("L3 FAIR: hosts take turns")
    func turns() {
        var slots = TransferSlots(total: 1)
        check(slots.enter(0, host: "x"), .begin)
        for (ticket, host) in ["a", "a", "a", "b", "c", "b"].enumerated() {
            check(slots.enter(ticket + 1, host: host), .wait)
        }
        var order: [Int] = [0]
        while let last = order.last, let next = slots.leave(last).first { order.append(next) }
        #expect(order == [0, 1, 4, 5, 2, 6, 3])
        #expect(slots.hostCount == 0)
    }

    @Test("L3 FAIR: a full host doesn't hold up another")
    func perHost() {
        var slots = TransferSlots(total: 3, perHost: 1)
        check(slots.enter(1, host: "a"), .begin)
        check(slots.enter(2, host: "a"), .wait)
        check(slots.enter(3, host: "b"), .begin)
        check(slots.enter(4, host: "c"), .begin)
        check(slots.enter(5, host: "d"), .wait)
        check(slots.leave(3), [5])
        check(slots.leave(1), [2])
    }

    @Test("L2 SLOT: a slot is given back once, however often its ticket leaves")
    func once() {
        var slots = TransferSlots(total: 1)
        check(slots.enter(1, host: "a"), .begin)
        check(slots.enter(2, host: "a"), .wait)
        check(slots.enter(3, host: "a"), .wait)
        check(slots.leave(1), [2])
        check(slots.leave(1), [])
        check(slots.leave(7), [])
        #expect(slots.running == 1 && slots.waiting == 1)
    }

    @Test("L4 LEAVE: tickets that leave the line lose no slot, and leave nothing behind")
    func leaving() {
        var slots = TransferSlots(total: 1)
        check(slots.enter(0, host: "a"), .begin)
        for ticket in 1...100_000 { check(slots.enter(ticket, host: "h\(ticket % 10)"), .wait) }
        for ticket in (2...100_000).reversed() { check(slots.leave(ticket), []) }
        #expect(slots.waiting == 1 && slots.count == 2 && slots.hostCount == 2)
        check(slots.leave(0), [1])
    }

    @Test("L4 LEAVE: at its bound the line is full, until a ticket leaves")
    func bound() {
        var slots = TransferSlots(total: 1, maximumWaiting: 1)
        check(slots.enter(1, host: "a"), .begin)
        check(slots.enter(2, host: "a"), .wait)
        check(slots.enter(3, host: "b"), .full)
        check(slots.leave(3), [])
        check(slots.leave(2), [])
        check(slots.enter(4, host: "b"), .wait)
        check(slots.leave(1), [4])
    }

    @Test("L5 BYPASS: skipping the line needs no slot, and the line waits until one is free")
    func bypass() {
        var slots = TransferSlots(total: 1, maximumWaiting: 1)
        check(slots.enter(1, host: "a"), .begin)
        check(slots.enter(2, host: "a"), .wait)
        check(slots.enter(3, host: "a", skipsLine: true), .begin)
        check(slots.leave(1), [])
        check(slots.leave(3), [2])
    }

    @Test("Raising a host's limit admits its waiters, as far as there are slots")
    func raised() {
        var slots = TransferSlots(total: 3, perHost: 1)
        for ticket in 1...5 { check(slots.enter(ticket, host: "a"), ticket == 1 ? .begin : .wait) }
        check(slots.raiseLimit(of: "a", to: 9), [2, 3])
        check(slots.raiseLimit(of: "a", to: 2), [])
        check(slots.leave(1), [4])
    }

    @Test("When there are many raised limits, those of idle hosts are forgotten")
    func manyRaised() {
        var slots = TransferSlots(total: 100, perHost: 1)
        check(slots.enter(1, host: "busy"), .begin)
        for host in ["busy"] + (0..<5_000).map({ "host \($0)" }) { check(slots.raiseLimit(of: host, to: 2), []) }
        check(slots.enter(2, host: "busy"), .begin)
        check(slots.enter(3, host: "host 4999"), .begin)
        check(slots.enter(4, host: "host 4999"), .begin)
        check(slots.enter(5, host: "host 0"), .begin)
        check(slots.enter(6, host: "host 0"), .wait)
    }

    @Test("Limits below one are one")
    func small() {
        var slots = TransferSlots(total: 0, perHost: -1, maximumWaiting: -1)
        check(slots.enter(1, host: "a"), .begin)
        check(slots.enter(2, host: "a"), .full)
    }
}

/// A plain model: lists that are searched each time.
private struct SlotModel {
    let total: Int, perHost: Int, maximumWaiting: Int
    var running: [(ticket: Int, host: String)] = []
    var waiting: [(ticket: Int, host: String)] = []
    /// The hosts that could be served, in the order of their turns.
    var turns: [String] = []

    func hasRoom(_ host: String) -> Bool { running.count { $0.host == host } < perHost }

    mutating func enter(_ ticket: Int, _ host: String, _ skipsLine: Bool) -> TransferSlots.Admission {
        if (running.count < total && hasRoom(host)) || skipsLine {
            running.append((ticket, host))
            updateTurns()
            return .begin
        }
        guard waiting.count < maximumWaiting else { return .full }
        waiting.append((ticket, host))
        updateTurns()
        return .wait
    }

    mutating func leave(_ ticket: Int) -> [Int] {
        running.removeAll { $0.ticket == ticket }
        waiting.removeAll { $0.ticket == ticket }
        updateTurns()
        var admitted: [Int] = []
        while running.count < total, let host = turns.first,
            let index = waiting.firstIndex(where: { $0.host == host })
        {
            turns.removeFirst()
            admitted.append(waiting[index].ticket)
            running.append(waiting.remove(at: index))
            updateTurns()
        }
        return admitted
    }

    mutating func updateTurns() {
        let ready = waiting.map(\.host).filter(hasRoom)
        turns.removeAll { !ready.contains($0) }
        for host in ready where !turns.contains(host) { turns.append(host) }
    }
}

@Suite("Slots against a model", .timeLimit(.minutes(10)))
struct SlotModelTests {
    @Test(
        "L2 to L5: a random program matches a plain model of the rules",
        arguments: (0..<4).map { _ in UInt64.random(in: 0...(.max)) })
    func random(seed: UInt64) throws {
        var random = SeededGenerator(seed: seed)
        for _ in 0..<50 {
            let total = Int.random(in: 1...6, using: &random), perHost = Int.random(in: 1...4, using: &random)
            let maximum = Int.random(in: 0...12, using: &random)
            var slots = TransferSlots(total: total, perHost: perHost, maximumWaiting: maximum)
            var model = SlotModel(total: total, perHost: perHost, maximumWaiting: maximum)
            for ticket in 0..<200 {
                if Int.random(in: 0..<5, using: &random) < 3 {
                    let host = ["a", "b", "c"].randomElement(using: &random) ?? ""
                    let skipsLine = Int.random(in: 0..<20, using: &random) == 0
                    let admission = slots.enter(ticket, host: host, skipsLine: skipsLine)
                    try #require(admission == model.enter(ticket, host, skipsLine), "seed \(seed)")
                } else if let leaving = (model.running + model.waiting).randomElement(using: &random)?.ticket {
                    let admitted = slots.leave(leaving)
                    try #require(admitted == model.leave(leaving), "seed \(seed)")
                }
                try #require(
                    slots.running == model.running.count && slots.waiting == model.waiting.count, "seed \(seed)")
            }
        }
    }
}
