import PiuPiu
import Testing

@Suite("The order in which exchanges use the session", .timeLimit(.minutes(10)))
struct TrafficControlTests {
    private typealias Traffic = TrafficControl<String>

    private func admit(_ traffic: inout Traffic, _ item: String, to host: String = "h") -> (Int, Traffic.Admission) {
        let ticket = traffic.makeTicket()
        return (ticket, traffic.admit(item, ticket: ticket, to: host))
    }

    @Test func theLimitIsPerHostAndTheLineIsFair() {
        var traffic = Traffic(limitPerHost: 2)
        let (a, first) = admit(&traffic, "a")
        let (b, second) = admit(&traffic, "b")
        #expect(first == .launch(isAlone: true))
        #expect(second == .launch(isAlone: false))
        let (c, third) = admit(&traffic, "c")
        #expect(third == .wait)
        check(admit(&traffic, "d").1, .wait)
        check(admit(&traffic, "e", to: "other").1, .launch(isAlone: false))
        check(traffic.leave(a), "c")
        check(traffic.leave(b), "d")
        check(traffic.leave(c), nil)
    }

    @Test func oneThatWithdrawsIsPassedOver() {
        var traffic = Traffic(limitPerHost: 1)
        let (a, _) = admit(&traffic, "a")
        let (b, _) = admit(&traffic, "b")
        _ = admit(&traffic, "c")
        traffic.withdraw(b)
        traffic.withdraw(a)  // runs: it stays until it leaves
        #expect(traffic.count == 2)
        check(traffic.leave(a), "c")
    }

    @Test func leavingTwiceChangesNothing() {
        var traffic = Traffic(limitPerHost: 1)
        let (a, _) = admit(&traffic, "a")
        check(traffic.leave(a), nil)
        check(traffic.leave(a), nil)
        check(admit(&traffic, "b").1, .launch(isAlone: true))
        check(admit(&traffic, "c").1, .wait)
    }

    @Test func finishingWaitsForEverybody() {
        var traffic = Traffic(limitPerHost: 1)
        let (a, _) = admit(&traffic, "a")
        let (b, _) = admit(&traffic, "b")
        check(traffic.end(.finishing), [])
        traffic.releaseSession()
        check(admit(&traffic, "c").1, .refused)
        check(traffic.sessionEnding(), nil)
        check(traffic.leave(a), "b")
        check(traffic.holdSession(), true)
        traffic.releaseSession()
        check(traffic.sessionEnding(), nil)
        check(traffic.leave(b), nil)
        check(traffic.sessionEnding(), .finishing)
        check(traffic.sessionEnding(), nil)
        check(traffic.holdSession(), false)
    }

    @Test func cancellingWaitsForHoldersOnly() {
        var traffic = Traffic(limitPerHost: 1)
        _ = admit(&traffic, "a")
        _ = admit(&traffic, "b")
        check(traffic.holdSession(), true)
        check(Set(traffic.end(.cancelling)), ["a", "b"])
        check(traffic.holdSession(), false)
        check(traffic.sessionEnding(), nil)
        traffic.releaseSession()
        check(traffic.sessionEnding(), nil)
        traffic.releaseSession()
        check(traffic.sessionEnding(), .cancelling)
        check(traffic.end(.finishing), [])
        traffic.releaseSession()
        check(traffic.sessionEnding(), nil)
    }

    @Test func aCancellationOverridesAFinish() {
        var traffic = Traffic(limitPerHost: 1)
        _ = admit(&traffic, "a")
        _ = traffic.end(.finishing)
        traffic.releaseSession()
        check(traffic.end(.cancelling), ["a"])
        check(traffic.sessionEnding(), nil)
        traffic.releaseSession()
        check(traffic.sessionEnding(), .cancelling)
    }

    @Test func aLongLineIsServedInOrder() {
        var line = TicketLine()
        for ticket in 0..<1_000 { line.append(ticket) }
        for ticket in stride(from: 0, to: 1_000, by: 3) { check(line.remove(ticket), true) }
        check(line.remove(0), false)
        var served: [Int] = []
        while let ticket = line.popFirst() { served.append(ticket) }
        #expect(served == (0..<1_000).filter { $0 % 3 != 0 })
        line.append(7)
        check(line.popFirst(), 7)
    }
}
