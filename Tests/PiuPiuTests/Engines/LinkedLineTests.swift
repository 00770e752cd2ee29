import PiuPiu
import Testing

@Suite("Lines of which any element can be removed", .timeLimit(.minutes(10)))
struct LinkedLineTests {
    @Test("An element that is put first comes before all others, and can be removed like them")
    func prepended() {
        var line = LinkedLine<Int>()
        line.prepend(2)
        line.append(3)
        line.prepend(1)
        line.prepend(0)
        line.prepend(3)
        #expect(line.count == 4 && line.first == 0)
        line.remove(1)
        line.append(4)
        var order: [Int] = []
        while let next = line.popFirst() { order.append(next) }
        #expect(order == [0, 2, 3, 4] && line.isEmpty)
        line.prepend(5)
        line.append(6)
        let rest = [line.popFirst(), line.popFirst(), line.popFirst()]
        #expect(rest == [5, 6, nil])
    }
}
