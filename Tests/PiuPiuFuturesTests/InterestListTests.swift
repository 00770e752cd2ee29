import PiuPiu
import TestSupport
import Testing

@Suite("The list of interested parties, without concurrency", .timeLimit(.minutes(10)))
struct InterestListTests {
    private func all(_ list: InterestList<Int>) -> [Int] {
        var parties: [Int] = []
        list.forEach { parties.append($0) }
        return parties
    }

    @Test("INTEREST: parties are found by their names also where the names begin again")
    func lastName() {
        var list = InterestList<Int>(after: .max - 3)
        let ids = (0..<8).map { list.append($0) }
        #expect(ids.contains(.max) && ids.contains(0))
        for number in [5, 0, 7, 3] { #expect(list.remove(ids[number]) == number) }
        for number in [1, 2, 4, 6] { #expect(list.replace(ids[number], with: -number) == number) }
        #expect(all(list) == [-1, -2, -4, -6])
        for number in [1, 2, 4, 6] { #expect(list.remove(ids[number]) == -number) }
        #expect(list.isEmpty)
    }

    @Test("INTEREST: parties come and leave, and the others stay, in the order in which they came")
    func random() {
        let seed = UInt64.random(in: 0 ... .max)
        var generator = SeededGenerator(seed: seed)
        var list = InterestList<Int>()
        var model: [(id: InterestList<Int>.ID, party: Int)] = []
        for number in 0..<20_000 {
            switch Int.random(in: 0..<5, using: &generator) {
            case 0, 1: model.append((list.append(number), number))
            case 2:
                guard let index = model.indices.randomElement(using: &generator) else { continue }
                let replaced = list.replace(model[index].id, with: -number)
                #expect(replaced == model[index].party, "seed \(seed)")
                model[index].party = -number
            default:
                guard let index = model.indices.randomElement(using: &generator) else { continue }
                let gone = model.remove(at: index)
                let removed = list.remove(gone.id), again = list.remove(gone.id)
                #expect(removed == gone.party && again == nil, "seed \(seed)")
            }
            #expect(list.isEmpty == model.isEmpty, "seed \(seed)")
            if number.isMultiple(of: 500) { #expect(all(list) == model.map(\.party), "seed \(seed)") }
        }
        #expect(all(list) == model.map(\.party), "seed \(seed)")
    }
}
