import PiuPiu
import Testing

@Suite("The short list, compared with an array", .timeLimit(.minutes(10)))
struct ShortListTests {
    private func elements(_ list: ShortList<Int>) -> [Int] {
        var elements: [Int] = []
        list.forEach { elements.append($0) }
        return elements
    }

    /// One step per base-5 digit: 0 to 2 remove the first number with that remainder modulo 3;
    /// the others append one.
    @Test("Every sequence of seven appends and removals has the same effect on both")
    func sequences() {
        for code in 0..<78_125 {
            var list = ShortList<Int>(), array: [Int] = [], rest = code
            for step in 0..<7 {
                let digit = rest % 5
                rest /= 5
                if digit < 3 {
                    let index = array.firstIndex { $0 % 3 == digit }
                    let taken = list.take { $0 % 3 == digit }
                    #expect(taken == index.map { array.remove(at: $0) })
                } else {
                    list.append(step * digit)
                    array.append(step * digit)
                }
            }
            guard elements(list) == array, list.isEmpty == array.isEmpty else {
                Issue.record("\(code): \(elements(list)), not \(array)")
                return
            }
        }
    }
}
