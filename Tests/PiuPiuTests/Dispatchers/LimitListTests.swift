import Foundation
import PiuPiu
import TestSupport
import Testing

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

@Suite("The list of time limits", .timeLimit(.minutes(10)))
struct LimitListTests {
    @Test("A silent exchange is looked at twice until it times out, however many there are", arguments: [2_000, 8_000])
    func looks(count: Int) {
        let timeout: UInt64 = 1_000
        var list = LimitList(), limits: [Int: UInt64] = [:], looks = 0
        for now in 0..<UInt64(count) + timeout {
            if now < count {
                limits[Int(now)] = now + timeout
                list.note(now + timeout)
            }
            while list.first <= now {
                if list.mustBegin(at: now) {
                    looks += limits.count
                    list.add(limits.map { (ticket: $0.key, limit: $0.value) })
                }
                for ticket in list.removeDue(at: now) {
                    looks += 1
                    check(limits.removeValue(forKey: ticket), now)
                }
            }
        }
        #expect(limits.isEmpty && list.first == .max)
        #expect(looks <= 2 * count)
    }

    private struct Running {
        let handle: any TransferHandle
        let timeout: UInt64
        var activity: UInt64
        var hasHead = false
        var isPaused = false
    }

    @Test(
        "Each exchange ends at its own limit, whatever the others do",
        arguments: [UInt64.random(in: 0...(.max)), UInt64.random(in: 0...(.max))])
    func limits(seed: UInt64) throws {
        var random = SeededGenerator(seed: seed), running: [Int: Running] = [:], count = 0, ended = 0
        let time = TransferTimeTests.ManualTime(), engine = TransferTimeTests.QuietEngine()
        let driver = TransferDriver(engine, timer: time.timer)
        var request = URLRequest(url: try url("http://host/"))
        for second in 0..<UInt64(1_000) {
            let place = running.keys.sorted().randomElement(using: &random)
            let step = Int.random(in: 0..<8, using: &random)
            if step < 3 {
                let timeout = UInt64.random(in: 1...30, using: &random)
                request.timeoutInterval = TimeInterval(timeout)
                let handle = driver.start(TransferRequest(request)) { _ in }
                running[count] = Running(handle: handle, timeout: timeout, activity: second)
                count += 1
            } else if let place, var exchange = running[place] {
                if step == 3 {
                    exchange.isPaused.toggle()
                    if exchange.isPaused { exchange.handle.pause() } else { exchange.handle.resume() }
                } else if exchange.hasHead {
                    engine.tell(step == 4 ? .finished : .body(Data([1])), hop: place)
                } else {
                    let head = TransferHead(url: try url("http://host/"), status: 200)
                    engine.tell(.head(head, request: request), hop: place)
                }
                let isOver = step == 4 && exchange.hasHead
                if step > 3 { exchange.hasHead = true }
                exchange.activity = second
                running[place] = isOver ? nil : exchange
            }
            time.advance(seconds: 1)
            let late = running.filter { !$0.value.isPaused && $0.value.activity + $0.value.timeout <= second + 1 }
            for place in late.keys { running[place] = nil }
            ended += late.count
            let cancelled = engine.calls.all.count { $0 == "cancel" }
            #expect(cancelled == ended, "seed \(seed), second \(second)")
        }
    }
}
