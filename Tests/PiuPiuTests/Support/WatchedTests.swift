import PiuPiuTesting
import TestSupport
import Testing

@Suite("Watched values", .timeLimit(.minutes(10)))
struct WatchedTests {
    @Test("A wait ends when its condition is true, or by a cancellation, before or during it")
    func wait() async {
        let number = Watched(0), log = EventLog()
        let waiting = Task {
            await number.wait { $0 == 2 }
            log("2")
        }
        number.withLock { $0 = 1 }
        #expect(log.events.isEmpty)
        number.withLock { $0 = 2 }
        await waiting.value

        for isEarly in [true, false] {
            let begun = Gate()
            let hopeless = Task {
                if isEarly { try? await begun.passUnlessCancelled() } else { begun.open() }
                await number.wait { $0 == 3 }
            }
            await (isEarly ? begun.reached() : begun.opened())
            hopeless.cancel()
            await hopeless.value
        }
    }

    @Test("A deaf wait ignores a cancellation")
    func deafWait() async {
        let number = Watched(0), log = EventLog()
        let waiting = Task {
            await number.waitDeaf { $0 == 1 }
            log("through")
        }
        waiting.cancel()
        log("cancelled")
        number.withLock { $0 = 1 }
        await waiting.value
        #expect(log.events == ["cancelled", "through"])
    }
}
