import Foundation
import PiuPiu
import PiuPiuTesting
import TestSupport
import Testing

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

@Suite("Observation against a model", .timeLimit(.minutes(10)))
struct ObservationModelTests {
    private static let seeds = [UInt64.random(in: 0...(.max)), UInt64.random(in: 0...(.max))]

    private func makeCourse() throws -> ObservationCourse {
        ObservationCourse(of: ObservedExchange(try request("GET"), .data, start: .now), attempt: 1)
    }

    @Test("O2 ORDER: events are delivered once, in order, one at a time, and none after the end")
    func order() throws {
        var course = try makeCourse()
        // Each element is the event to deliver at that step.
        let given = [
            course.add(.started, at: .zero),
            course.add(.admitted, at: .seconds(3)), course.restart(attempt: 2, at: .seconds(2)),
            course.next(), course.next(), course.next(),
            course.end(.cancelled, at: .seconds(1)),
            course.end(.cancelled, at: .seconds(5)), course.add(.admitted, at: .seconds(5)), course.next(),
        ]
        #expect(
            given.map { $0?.word } == ["started", nil, nil, "admitted", "restarted", nil, "cancelled", nil, nil, nil])
        #expect(given.compactMap { $0?.elapsed } == [.zero, .seconds(3), .seconds(3), .seconds(3)])
        #expect(given.compactMap { $0?.attempt } == [1, 1, 2, 2])
        #expect(given[6]?.summary?.duration == .seconds(3))
    }

    @Test("O2 ORDER: an event that waits is delivered when it is asked for, or before the next one")
    func waitingEvents() throws {
        var course = try makeCourse()
        #expect(course.add(.started, at: .zero)?.word == "started")
        course.addWaiting(.admitted, at: .seconds(1))
        #expect(course.first() == nil)
        #expect(course.next()?.word == "admitted")
        #expect(course.next() == nil)
        course.addWaiting(.refreshed, at: .seconds(2))
        #expect(course.first()?.word == "refreshed")
        #expect(course.first() == nil && course.next() == nil && course.first() == nil)
        course.addWaiting(.refreshed, at: .seconds(3))
        let first = course.end(.cancelled, at: .seconds(4))
        #expect(first?.word == "refreshed" && first?.elapsed == .seconds(3))
        #expect(course.next()?.word == "cancelled")
        course.addWaiting(.admitted, at: .seconds(5))
        #expect(course.next() == nil && course.first() == nil)
    }

    @Test("O2 ORDER: random turns of two threads that report and deliver", arguments: seeds)
    func randomCourse(seed: UInt64) throws {
        var random = SeededGenerator(seed: seed)
        for _ in 0..<2000 {
            var course = try makeCourse(), expected: [String] = [], delivered: [String] = []
            var isDelivering = false, isOver = false, sent: Int64 = 0
            for time in 0..<Int.random(in: 1...30, using: &random) {
                let instant = Duration.seconds(time + Int.random(in: -3...0, using: &random))
                let event: ExchangeEvent?
                switch Int.random(in: 0..<10, using: &random) {
                case 0 where isDelivering, 1 where isDelivering, 2 where isDelivering:
                    event = course.next()
                    isDelivering = event != nil
                    if let event { delivered.append(event.word) }
                    continue
                case 3:
                    event = course.end(.failure(TransferError(.timedOut)), at: instant)
                    if !isOver { expected.append("failed with timedOut") }
                    isOver = true
                case 4:
                    course.count(sent: 2, received: 1)
                    if !isOver { sent += 2 }
                    continue
                case 5:
                    course.addWaiting(.admitted, at: instant)
                    if !isOver { expected.append("admitted") }
                    continue
                case 6:
                    event = course.first()
                default:
                    event = course.add(.refreshed, at: instant)
                    if !isOver { expected.append("refreshed") }
                }
                try #require(event == nil || !isDelivering, "seed \(seed)")
                if let event {
                    isDelivering = true
                    delivered.append(event.word)
                    if let summary = event.summary { #expect(summary.bytesSent == sent, "seed \(seed)") }
                }
            }
            if !isDelivering, let event = course.first() { delivered.append(event.word) }
            while let event = course.next() { delivered.append(event.word) }
            try #require(delivered == expected, "seed \(seed)")
        }
    }

    /// The answer to one attempt.
    private enum Move: CaseIterable {
        case ok, notFound, unavailable, timedOut, redirects

        var answer: MockAnswer {
            switch self {
            case .ok: .text("text")
            case .notFound: .number(404)
            case .unavailable: .number(503)
            case .timedOut: .broken(.timedOut)
            case .redirects: .broken(.tooManyRedirects)
            }
        }

        var isRetried: Bool { self == .unavailable || self == .timedOut }

        /// The head that is reported, and the end.
        var words: (head: [String], end: String) {
            switch self {
            case .ok: (["head 200"], "finished 200")
            case .notFound: (["head 404"], "finished 404")
            case .unavailable: (["head 503"], "finished 503")
            case .timedOut: ([], "failed with timedOut")
            case .redirects: ([], "failed with tooManyRedirects")
            }
        }
    }

    @Test(
        "O1 ONE, O2 ORDER: random exchanges, retried and observed on both sides, match a model",
        arguments: seeds)
    func randomExchanges(seed: UInt64) async throws {
        var random = SeededGenerator(seed: seed)
        var policy = RetryPolicy.fixed(SkippingClock())
        policy.budget = nil
        for number in 0..<300 {
            let moves = (0..<6).map { _ in Move.allCases.randomElement(using: &random) ?? .ok }
            policy.maximumAttempts = Int.random(in: 1...5, using: &random)
            let (outside, inside) = (ObservedEvents(), ObservedEvents())
            let server = MockRouteTable(script: MockScript(moves.map(\.answer)))
            let dispatcher = server.observed(by: inside).retrying(policy).observed(by: outside)
            _ = await dispatcher.dataFuture(from: try request("GET")).statusOrError
            var words = ["started"], attempts: [[String]] = []
            for (attempt, move) in moves.prefix(policy.maximumAttempts).enumerated() {
                words += move.words.head
                attempts.append(["started"] + move.words.head + [move.words.end])
                guard move.isRetried, attempt + 1 < policy.maximumAttempts else {
                    words.append(move.words.end)
                    break
                }
                words += ["retrying \(attempt + 2)", "restarted"]
            }
            let text: Comment = "seed \(seed), exchange \(number): \(moves)"
            try #require(outside.words == words && inside.wordsByExchange == attempts, text)
            outside.check(text)
            inside.check(text)
        }
    }

    @Test("O2 ORDER: many threads at once report to one exchange, whose events come one at a time")
    func threads() async throws {
        let observed = ObservedEvents(), get = try request("GET")
        let server = scripted(
            MockAnswer { request, _ in
                let observation = ExchangeObservation.current
                await withTaskGroup(of: Void.self) { group in
                    for _ in 0..<8 {
                        group.addTask { for _ in 0..<200 { observation?.report(.refreshed) } }
                    }
                }
                return Response.makeMockResponse(with: request, statusCode: .ok)
            })
        _ = try await server.observed(by: observed).dataFuture(from: get).value
        await observed.ended()
        #expect(
            observed.words == ["started"] + Array(repeating: "refreshed", count: 1600) + ["head 200", "finished 200"])
        observed.check()
    }

    @Test("O2 ORDER: the last attempt's head is reported at the end if it wasn't before, even after an earlier head")
    func untoldHead() throws {
        let get = try request("GET"), head = TransferHead(url: try url("https://example.com"), status: 200)
        for step in [ExchangeEvent.Step.retrying(attempt: 2, after: .zero), .refreshed] {
            var course = ObservationCourse(of: ObservedExchange(get, .data, start: Date()), attempt: 1)
            let first = course.add(.head(TransferHead(url: try url("https://example.com"), status: 503)), at: .zero)
            _ = course.add(step, at: .zero)
            _ = course.end(.response(head), at: .zero)
            var events = [first].compactMap(\.self)
            while let event = course.next() { events.append(event) }
            #expect(events.map(\.step.description).filter { $0.hasPrefix("head") } == ["head 503", "head 200"])
            #expect(events.last?.step.description.hasPrefix("finished 200") == true && events.count == 4)
        }
    }

    @Test("An event reported on the main thread is delivered elsewhere")
    @MainActor
    func mainThread() async throws {
        let observed = ObservedEvents(), get = try request("GET"), gate = Gate(), found = Box<ExchangeObservation>()
        let server = scripted(
            MockAnswer { request, _ in
                found.value = .current(for: request)
                await gate.pass()
                return Response.makeMockResponse(with: request, statusCode: .ok)
            })
        let future = server.observed(by: observed).dataFuture(from: get)
        let task = Task { await future.statusOrError }
        await gate.reached()
        try #require(found.value).report(.cacheStatus(CacheStatus(isHit: true)))
        await observed.event("cache PiuPiu; hit")
        gate.open()
        #expect(await task.value == "200")
        await observed.ended()
        #expect(observed.words == ["started", "cache PiuPiu; hit", "head 200", "finished 200"])
        observed.check()
    }
}
