import PiuPiu
import TestSupport
import Testing

@Suite("Locked", .timeLimit(.minutes(10)))
struct LockedTests {
    @Test("A value is changed and read under the lock by many tasks")
    func countsExactly() async {
        let count = Locked(0)
        await withTaskGroup { group in
            for _ in 0..<8 {
                group.addTask {
                    for _ in 0..<20_000 { count.withLock { $0 += 1 } }
                }
            }
        }
        #expect(count.withLock { $0 } == 160_000)
    }

    @Test("The value is released with the box")
    func release() {
        var token: LifetimeToken? = LifetimeToken()
        let weakToken = Weak(token ?? LifetimeToken())
        var box: Locked<LifetimeToken?>? = Locked(token)
        token = nil
        #expect(box != nil && weakToken.object != nil)
        box = nil
        #expect(weakToken.object == nil)
    }
}
