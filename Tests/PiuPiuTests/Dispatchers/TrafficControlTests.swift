import PiuPiu
import TestSupport
import Testing

@Suite("The order in which exchanges use the session", .timeLimit(.oneProcessAtATime))
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
        #expect(first == .launch)
        #expect(second == .launch)
        let (c, third) = admit(&traffic, "c")
        #expect(third == .wait)
        check(admit(&traffic, "d").1, .wait)
        check(admit(&traffic, "e", to: "other").1, .launch)
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
        check(admit(&traffic, "b").1, .launch)
        check(admit(&traffic, "c").1, .wait)
    }

    @Test func finishingWaitsForEverybody() {
        var traffic = Traffic(limitPerHost: 1)
        let (a, _) = admit(&traffic, "a")
        let (b, _) = admit(&traffic, "b")
        check(traffic.end(.finishing), [])
        traffic.hasCancelled()
        check(admit(&traffic, "c").1, .refused)
        check(traffic.engineEnding(), nil)
        check(traffic.leave(a), "b")
        check(traffic.engineEnding(), nil)
        #expect(!traffic.isOver)
        check(traffic.leave(b), nil)
        #expect(traffic.isOver)
        check(traffic.engineEnding(), .finishing)
        check(traffic.engineEnding(), nil)
        // What goes on in the engine may still be cancelled.
        for ending in [EngineEnding.Kind.cancelling, nil] {
            check(traffic.end(.cancelling), [])
            traffic.hasCancelled()
            check(traffic.engineEnding(), ending)
        }
    }

    @Test func cancellingWaitsForNobodyButThoseWhoCancel() {
        var traffic = Traffic(limitPerHost: 1)
        _ = admit(&traffic, "a")
        _ = admit(&traffic, "b")
        check(Set(traffic.end(.cancelling)), ["a", "b"])
        check(traffic.engineEnding(), nil)
        traffic.hasCancelled()
        check(traffic.engineEnding(), .cancelling)
        check(traffic.end(.finishing), [])
        traffic.hasCancelled()
        check(traffic.engineEnding(), nil)
    }

    @Test func anExchangeThatGoesElsewhereLeavesItsPlaceAndWaitsForAnother() {
        var traffic = Traffic(limitPerHost: 1)
        let (a, _) = admit(&traffic, "a", to: "here")
        let (b, _) = admit(&traffic, "b", to: "here")
        let (c, _) = admit(&traffic, "c", to: "there")
        let same = traffic.move(a, to: "here")
        #expect(same.mayGoOn && same.next == nil)
        let moved = traffic.move(a, to: "there")
        #expect(!moved.mayGoOn && moved.next == "b")
        check(traffic.leave(c), "a")
        check(traffic.leave(b), nil)
        check(traffic.leave(a), nil)
        #expect(traffic.count == 0)
    }

    @Test func aRaisedLimitIsThatOfItsHostAlone() {
        var traffic = Traffic(limitPerHost: 1)
        for item in ["a", "b", "c", "d"] { _ = admit(&traffic, item) }
        _ = admit(&traffic, "e", to: "other")
        check(traffic.raiseLimit(of: "h", to: 3), ["b", "c"])
        check(traffic.raiseLimit(of: "h", to: 2), [])
        check(admit(&traffic, "f", to: "other").1, .wait)
        check(admit(&traffic, "g").1, .wait)
    }

    @Test func aLimitThatIsLoweredAgainLetsNobodyInUntilEnoughHaveLeft() {
        var traffic = Traffic(limitPerHost: 1)
        #expect(!traffic.hasRaisedLimits)
        check(traffic.raiseLimit(of: "", to: .max), [])
        #expect(!traffic.hasRaisedLimits)
        let tickets = ["a", "b", "c", "d", "e"].map { admit(&traffic, $0).0 }
        check(traffic.raiseLimit(of: "h", to: 3), ["b", "c"])
        #expect(traffic.hasRaisedLimits)
        traffic.resetLimit(of: "other")
        traffic.resetLimit(of: "h")
        #expect(!traffic.hasRaisedLimits)
        check(traffic.leave(tickets[0]), nil)
        check(traffic.leave(tickets[1]), nil)
        check(traffic.leave(tickets[2]), "d")
        check(admit(&traffic, "f").1, .wait)
        check(traffic.leave(tickets[3]), "e")
        check(traffic.raiseLimit(of: "h", to: 2), ["f"])
    }

    @Test func raisedLimitsOfIdleHostsAreForgottenWhenThereAreMany() {
        var traffic = Traffic(limitPerHost: 1)
        _ = admit(&traffic, "a", to: "busy")
        for host in ["", "busy"] + (0..<5_000).map({ "host \($0)" }) { check(traffic.raiseLimit(of: host, to: 2), []) }
        for (host, admission) in [
            ("", Traffic.Admission.launch), ("busy", .launch), ("host 4999", .launch), ("host 0", .wait),
        ] {
            if host != "busy" { _ = admit(&traffic, "b", to: host) }
            check(admit(&traffic, "c", to: host).1, admission)
        }
    }

    @Test func aCancellationOverridesAFinish() {
        var traffic = Traffic(limitPerHost: 1)
        _ = admit(&traffic, "a")
        _ = traffic.end(.finishing)
        traffic.hasCancelled()
        check(traffic.end(.cancelling), ["a"])
        check(traffic.engineEnding(), nil)
        traffic.hasCancelled()
        check(traffic.engineEnding(), .cancelling)
    }

    @Test func aLongLineIsServedInOrder() {
        var traffic = Traffic(limitPerHost: 1)
        var running = admit(&traffic, "first").0
        let tickets = (0..<1_000).map { admit(&traffic, "\($0)").0 }
        for number in stride(from: 0, to: 1_000, by: 3) { traffic.withdraw(tickets[number]) }
        traffic.withdraw(tickets[0])
        var served: [String] = []
        while let next = traffic.leave(running) {
            served.append(next)
            guard let number = Int(next) else { break }
            running = tickets[number]
        }
        #expect(served == (0..<1_000).filter { $0 % 3 != 0 }.map(String.init))
        #expect(traffic.count == 0)
    }

    #if os(Linux)
        @Test("Exchanges that leave a line leave nothing, also while no other one ends", .oneProcessAtATime)
        func memory() async {
            await #expect(processExitsWith: .success) {
                var traffic = TrafficControl<String>(limitPerHost: 1)
                func leave(_ count: Int) {
                    for _ in 0..<count {
                        let ticket = traffic.makeTicket()
                        _ = traffic.admit("", ticket: ticket, to: "h")
                        traffic.withdraw(ticket)
                    }
                }
                let running = traffic.makeTicket()
                _ = traffic.admit("", ticket: running, to: "h")
                leave(1_000)
                let before = try ProcessFigures.now().allocatedKilobytes
                leave(200_000)
                let growth = try ProcessFigures.now().allocatedKilobytes - before
                try #require(growth < 500, "\(growth) kB")
            }
        }
    #endif
}
