import PiuPiu
import Testing

@Suite("Locked")
struct LockedTests {
    @Test("A value is changed and read under the lock by many tasks", .timeLimit(.minutes(1)))
    func countsExactly() async {
        let count = Locked(0)
        await withTaskGroup { group in
            for _ in 0..<100 {
                group.addTask {
                    for _ in 0..<100 { count.withLock { $0 += 1 } }
                }
            }
        }
        #expect(count.withLock { $0 } == 10_000)
    }
}
