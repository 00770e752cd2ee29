import Foundation
import PiuPiu
import TestSupport
import Testing

@Suite("The list of alarms", .timeLimit(.minutes(10)))
struct AlarmListTests {
    @Test(
        "Random additions and removals match a sorted array",
        arguments: [UInt64.random(in: 0...(.max)), UInt64.random(in: 0...(.max))])
    func random(seed: UInt64) {
        var random = SeededGenerator(seed: seed), alarms = AlarmList<Int, Int>(), now = 0
        var model: [(id: AlarmList<Int, Int>.ID, instant: Int, content: Int)] = []
        var gone: [AlarmList<Int, Int>.ID] = []
        for step in 0..<5000 {
            let text: Comment = "seed \(seed), step \(step)"
            switch Int.random(in: 0..<10, using: &random) {
            case 0..<5:
                // Many at the same instant, and some that are due already.
                let instant = now + Int.random(in: -1...20, using: &random)
                model.append((alarms.add(step, at: instant), instant, step))
            case 5..<8:
                guard let index = model.indices.randomElement(using: &random) else { continue }
                let alarm = model.remove(at: index)
                #expect(alarms.remove(alarm.id) == alarm.content, text)
                gone.append(alarm.id)
            case 8:
                now += Int.random(in: 0...5, using: &random)
                let due = alarms.removeAll(until: now)
                let expected = model.filter { $0.instant <= now }
                #expect(due.sorted() == expected.map(\.content).sorted(), text)
                let instants = due.map { content in expected.first { $0.content == content }?.instant ?? .max }
                #expect(instants == instants.sorted(), text)
                gone += expected.map(\.id)
                model.removeAll { $0.instant <= now }
            default:
                // The ID of a removed alarm is never used again.
                if let id = gone.randomElement(using: &random) { #expect(alarms.remove(id) == nil, text) }
            }
            #expect(alarms.count == model.count && alarms.first == model.map(\.instant).min(), text)
        }
    }

    @Test("Removed alarms leave nothing behind, and release their contents")
    func released() {
        final class Held: Sendable {}
        var alarms = AlarmList<Int, Held>()
        weak var first: Held?
        do {
            let held = Held()
            first = held
            let id = alarms.add(held, at: 1)
            #expect(alarms.remove(id) === held && alarms.remove(id) == nil)
        }
        #expect(first == nil && alarms.first == nil && alarms.removeAll(until: .max).isEmpty)
    }
}
