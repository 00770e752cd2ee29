import PiuPiu
import TestSupport
import Testing

@Suite("The decisions of a scope", .timeLimit(.minutes(10)))
struct ScopeRosterTests {
    @Test("Members come, leave, and are cancelled in the order in which they came")
    func order() throws {
        var roster = ScopeRoster<String>()
        let ids = ["a", "b", "c", "d"].compactMap { roster.enter($0) }
        try #require(ids.count == 4)
        roster.leave(ids[1])
        roster.leave(ids[1])
        #expect(roster.count == 3)
        #expect(roster.cancel(isFinal: false).members == ["a", "c", "d"])
        #expect(roster.count == 0 && roster.cancel(isFinal: false).members.isEmpty)
        // An ID is never used twice, so a late leave removes no other member.
        let next = roster.enter("e")
        roster.leave(ids[0])
        #expect(next.map(ids.contains) == false && roster.count == 1)
    }

    @Test("After the end no member is admitted")
    func end() {
        var roster = ScopeRoster<Int>()
        _ = roster.enter(1)
        #expect(!roster.isCancelled && roster.cancel(isFinal: true).members == [1])
        #expect(roster.isCancelled && roster.enter(2) == nil && roster.cancel(isFinal: true).members.isEmpty)
        #expect(roster.cancel(isFinal: false).members.isEmpty && roster.isCancelled)
    }

    @Test("A member that another caller is cancelling is marked by this one, too, until it is known to be")
    func twoCallers() {
        var roster = ScopeRoster<Int>()
        _ = roster.enter(1)
        let first = roster.cancel(isFinal: true), second = roster.cancel(isFinal: true)
        #expect(first.members == [1] && first.ofOthers.isEmpty)
        #expect(second.members.isEmpty && second.ofOthers == [1])
        roster.hasMarked(second.batch)
        #expect(roster.cancel(isFinal: false).ofOthers == [1])
        roster.hasMarked(first.batch)
        #expect(roster.cancel(isFinal: true).ofOthers.isEmpty)
    }

    @Test("Random programs match a plain list of members", arguments: 0..<50)
    func random(seed: UInt64) {
        var generator = SeededGenerator(seed: seed)
        var roster = ScopeRoster<Int>(), present: [(id: Int, member: Int)] = [], isCancelled = false
        for member in 0..<200 {
            switch Int.random(in: 0..<20, using: &generator) {
            case 0:
                let isFinal = Int.random(in: 0..<10, using: &generator) == 0
                #expect(roster.cancel(isFinal: isFinal).members == present.map(\.member), "seed \(seed)")
                present = []
                if isFinal { isCancelled = true }
            case 1..<10:
                guard let place = present.indices.randomElement(using: &generator) else { continue }
                roster.leave(present.remove(at: place).id)
            default:
                let id = roster.enter(member)
                #expect((id == nil) == isCancelled, "seed \(seed)")
                if let id { present.append((id, member)) }
            }
            #expect(roster.count == present.count && roster.isCancelled == isCancelled, "seed \(seed)")
        }
    }
}
