import PiuPiu
import PiuPiuTesting
import TestSupport
import Testing

@Suite("Circuits", .timeLimit(.minutes(10)))
struct CircuitTests {
    private let rules = CircuitRules(.standard)

    /// A circuit, and its outcomes.
    private struct Line {
        var circuits: Circuits
        var now = Duration.zero

        init(_ rules: CircuitRules) { circuits = Circuits(rules) }

        mutating func enter(_ origin: String = "a") -> Circuits.Entry { circuits.enter(origin, at: now) }

        /// Sends one exchange and ends it; returns whether it was sent.
        @discardableResult
        mutating func exchange(_ outcome: Circuit.Outcome, _ origin: String = "a") -> Bool {
            guard case .pass(let permit) = enter(origin) else { return false }
            circuits.record(outcome, of: permit, at: now)
            return true
        }

        mutating func exchanges(_ outcomes: [Circuit.Outcome]) { for outcome in outcomes { exchange(outcome) } }
    }

    private func opened() -> Line {
        var line = Line(rules)
        line.exchanges(Array(repeating: .failure, count: 20))
        return line
    }

    @Test("BREAKER: opens at half of twenty, for five seconds")
    func opens() {
        var line = Line(rules)
        line.exchanges(Array(repeating: .failure, count: 10) + Array(repeating: .success, count: 9))
        check(line.exchange(.success), true)
        check(line.enter(), .refuse(.seconds(5)))
        line.now = .seconds(4)
        check(line.enter(), .refuse(.seconds(1)))
    }

    @Test("BREAKER: stays closed for nineteen exchanges, and below half")
    func staysClosed() {
        var line = Line(rules)
        line.exchanges(Array(repeating: .failure, count: 19))
        check(line.exchange(.nothing), true)
        check(line.exchange(.nothing), true)
        line = Line(rules)
        line.exchanges(Array(repeating: .success, count: 1_000) + Array(repeating: .failure, count: 999))
        check(line.exchange(.failure), true)
        check(line.exchange(.failure), false)
    }

    @Test("BREAKER: outcomes older than the window don't count")
    func window() {
        var line = Line(rules)
        line.exchanges(Array(repeating: .failure, count: 19))
        line.now = .seconds(30)
        line.exchanges(Array(repeating: .failure, count: 19))
        check(line.exchange(.nothing), true)
        line.now = .seconds(56)
        line.exchange(.failure)
        check(line.exchange(.failure), false)
    }

    @Test("BREAKER: one probe after five seconds; a success closes, with an empty window")
    func closes() {
        var line = opened()
        line.now = .seconds(5)
        guard case .pass(let probe) = line.enter() else { return #expect(Bool(false)) }
        check(line.enter(), .refuse(.zero))
        line.circuits.record(.success, of: probe, at: line.now)
        line.exchanges(Array(repeating: .failure, count: 19))
        check(line.exchange(.failure), true)
        check(line.exchange(.failure), false)
    }

    @Test("BREAKER: a failed probe opens it again, for the full time")
    func opensAgain() {
        var line = opened()
        line.now = .seconds(7)
        guard case .pass(let probe) = line.enter() else { return #expect(Bool(false)) }
        line.now = .seconds(8)
        line.circuits.record(.failure, of: probe, at: line.now)
        check(line.enter(), .refuse(.seconds(5)))
    }

    @Test("BREAKER: a cancelled probe gives its turn back")
    func cancelledProbe() {
        var line = opened()
        line.now = .seconds(5)
        guard case .pass(let probe) = line.enter() else { return #expect(Bool(false)) }
        line.circuits.record(.nothing, of: probe, at: line.now)
        guard case .pass(let second) = line.enter() else { return #expect(Bool(false)) }
        #expect(second != probe)
        // Its turn is over.
        line.circuits.record(.failure, of: probe, at: line.now)
        check(line.enter(), .refuse(.zero))
    }

    /// A half-open circuit with a slow probe, and another one that was sent five seconds later.
    private func slowProbe() throws -> (line: Line, slow: Circuits.Permit, second: Circuits.Permit) {
        var line = opened()
        line.now = .seconds(5)
        let slow = try #require(line.enter().permit)
        line.now = Duration.seconds(10) - .nanoseconds(1)
        check(line.enter(), .refuse(.zero))
        line.now = .seconds(10)
        let second = try #require(line.enter().permit)
        check(line.enter(), .refuse(.zero))
        return (line, slow, second)
    }

    @Test("BREAKER: a slow probe keeps others waiting for five seconds; then another one decides")
    func slowProbes() throws {
        for outcome in [Circuit.Outcome.failure, .nothing] {
            let (halfOpen, slow, second) = try slowProbe()
            var line = halfOpen
            line.circuits.record(outcome, of: slow, at: line.now)
            check(line.enter(), .refuse(.zero))
            line.circuits.record(.success, of: second, at: line.now)
            check(line.exchange(.success), true)
            check(line.exchange(.success), true)
        }
        let (halfOpen, _, second) = try slowProbe()
        var line = halfOpen
        line.circuits.record(.failure, of: second, at: line.now)
        check(line.enter(), .refuse(.seconds(5)))
    }

    @Test("BREAKER: the late success of a slow probe closes the circuit, unless a later one has failed")
    func lateSuccess() throws {
        for isCancelled in [false, true] {
            let (halfOpen, slow, second) = try slowProbe()
            var line = halfOpen
            if isCancelled { line.circuits.record(.nothing, of: second, at: line.now) }
            line.circuits.record(.success, of: slow, at: line.now)
            line.circuits.record(.failure, of: second, at: line.now)
            line.exchanges(Array(repeating: .failure, count: 19))
            check(line.exchange(.nothing), true)
        }
        let (halfOpen, slow, second) = try slowProbe()
        var line = halfOpen
        line.circuits.record(.failure, of: second, at: line.now)
        line.circuits.record(.success, of: slow, at: line.now)
        check(line.enter(), .refuse(.seconds(5)))
        line.now = .seconds(15)
        check(line.exchange(.nothing), true)
        line.circuits.record(.success, of: slow, at: line.now)
        check(line.enter().permit?.isProbe, true)
    }

    @Test("BREAKER: each probe after one that took too long has twice its time, up to eight times that of the first")
    func silentServer() {
        var line = opened(), probes: [Int] = []
        func send(during seconds: Range<Int>) {
            for second in seconds {
                line.now = .seconds(second)
                if line.enter().permit != nil { probes.append(second) }
            }
        }
        send(during: 0..<200)
        #expect(probes == [5, 10, 20, 40, 80, 120, 160])
        // One that gives its turn back isn't late.
        (line, probes) = (opened(), [])
        for start in [5, 10] {
            line.now = .seconds(start)
            for _ in 0..<9 { check(line.exchange(.nothing), true) }
            send(during: start..<start + 5)
        }
        send(during: 15..<40)
        #expect(probes == [5, 10, 20])
        // Nor do those count that were late before the circuit was open again.
        line = opened()
        send(during: 0..<39)
        line.now = .seconds(40)
        check(line.exchange(.failure), true)
        probes = []
        send(during: 40..<60)
        #expect(probes == [45, 50])
    }

    @Test("BREAKER: exchanges sent before the circuit changed don't count")
    func late() {
        var line = Line(rules)
        var early: [Circuits.Permit] = []
        for _ in 0..<40 { if case .pass(let permit) = line.enter() { early.append(permit) } }
        line.exchanges(Array(repeating: .failure, count: 20))
        line.now = .seconds(5)
        guard case .pass(let probe) = line.enter() else { return #expect(Bool(false)) }
        line.circuits.record(.success, of: early[0], at: line.now)
        check(line.enter(), .refuse(.zero))
        line.circuits.record(.success, of: probe, at: line.now)
        for permit in early { line.circuits.record(.failure, of: permit, at: line.now) }
        check(line.exchange(.success), true)
    }

    @Test("BREAKER: an exchange that waited is checked again")
    func waited() {
        var line = Line(rules)
        guard case .pass(let permit) = line.enter() else { return #expect(Bool(false)) }
        check(line.circuits.enterAgain(with: permit, at: line.now), .pass(permit))
        line.exchanges(Array(repeating: .failure, count: 20))
        check(line.circuits.enterAgain(with: permit, at: line.now), .refuse(.seconds(5)))
        line.now = .seconds(5)
        guard case .pass(let probe) = line.circuits.enterAgain(with: permit, at: line.now) else {
            return #expect(Bool(false))
        }
        #expect(probe != permit)
    }

    @Test("BREAKER: each origin has its own circuit, and the least recently used is forgotten")
    func origins() {
        var line = opened()
        check(line.exchange(.success, "b"), true)
        check(line.exchange(.success), false)
        for number in 0..<(Circuits.limit - 2) { line.exchange(.failure, "\(number)") }
        check(line.exchange(.success), false)
        #expect(line.circuits.count == Circuits.limit)
        for number in 0..<(Circuits.limit * 3) { line.exchange(.failure, "x\(number)") }
        #expect(line.circuits.count == Circuits.limit)
        check(line.exchange(.success), true)
    }

    @Test("Senseless numbers do no harm")
    func extremes() {
        var breaker = CircuitBreaker.standard
        (breaker.window, breaker.minimumExchanges, breaker.failureRate) = (.seconds(-1), 0, 0)
        breaker.openDuration = .seconds(Int64.max)
        var line = Line(CircuitRules(breaker))
        check(line.exchange(.success), true)
        check(line.exchange(.failure), true)
        check(line.enter(), .refuse(.seconds(1_000_000_000)))
        (breaker.window, breaker.openDuration, breaker.failureRate) = (.seconds(Int64.max), .seconds(-1), .nan)
        line = Line(CircuitRules(breaker))
        line.now = .seconds(1 << 40)
        for _ in 0..<100 { check(line.exchange(.failure), true) }
    }
}

extension Circuits.Entry {
    fileprivate var permit: Circuits.Permit? { if case .pass(let permit) = self { permit } else { nil } }
}

/// A plain model: a list of all outcomes.
private struct CircuitModel {
    var outcomes: [(second: Int, isFailure: Bool)] = []
    var openUntil: Int?
    /// How often it has changed.
    var changes = 0
    /// Until when others wait for the last probe, how many before it took too long, and the number of changes when the
    /// first one was sent.
    var probes: (until: Int, late: Int, first: Int)?

    mutating func refusal(at second: Int) -> Int? {
        guard let openUntil else { return nil }
        if second < openUntil { return openUntil - second }
        if let probes, second < probes.until { return 0 }
        changes += 1
        let late = probes.map { $0.late + 1 } ?? 0
        probes = (until: second + [5, 10, 20, 40][min(late, 3)], late: late, first: probes?.first ?? changes)
        return nil
    }

    /// - Parameter sent: the number of changes when the exchange was sent.
    mutating func record(_ outcome: Circuit.Outcome, sent: Int, at second: Int) {
        guard let last = probes else { return recordClosed(outcome, sent: sent, at: second) }
        if outcome == .success, sent >= last.first {
            (openUntil, probes, outcomes) = (nil, nil, [])
        } else if sent == changes {
            probes = outcome == .failure ? nil : (until: second, late: last.late - 1, first: last.first)
            if outcome == .failure { openUntil = second + 5 }
        } else {
            return
        }
        changes += 1
    }

    private mutating func recordClosed(_ outcome: Circuit.Outcome, sent: Int, at second: Int) {
        guard sent == changes, outcome != .nothing else { return }
        outcomes.append((second, outcome == .failure))
        // The window is ten parts of three seconds.
        outcomes.removeAll { $0.second / 3 <= second / 3 - 10 }
        let failures = outcomes.count { $0.isFailure }
        guard failures > 0, outcomes.count >= 20, failures * 2 >= outcomes.count else { return }
        openUntil = second + 5
        changes += 1
    }
}

@Suite("Circuits against a model", .timeLimit(.minutes(10)))
struct CircuitModelTests {
    @Test(
        "BREAKER: random exchanges match a plain model of the rules",
        arguments: (0..<4).map { _ in UInt64.random(in: 0...(.max)) })
    func random(seed: UInt64) throws {
        var random = SeededGenerator(seed: seed)
        var circuits = Circuits(CircuitRules(.standard)), model = CircuitModel()
        // The exchanges in flight, each with the number of the model's changes at its start.
        var running: [(permit: Circuits.Permit, changes: Int)] = []
        var second = 0, isBad = false
        for _ in 0..<20_000 {
            if Int.random(in: 0..<300, using: &random) == 0 { isBad.toggle() }
            if Int.random(in: 0..<6, using: &random) == 0 { second += Int.random(in: 1...3, using: &random) }
            let now = Duration.seconds(second)
            if running.isEmpty || Bool.random(using: &random) {
                let entry = circuits.enter("a", at: now)
                if let refusal = model.refusal(at: second) {
                    try #require(entry == .refuse(.seconds(refusal)), "seed \(seed)")
                } else {
                    guard case .pass(let permit) = entry else {
                        Issue.record("\(entry), seed \(seed)")
                        return
                    }
                    running.append((permit, model.changes))
                }
            } else {
                let ended = running.remove(at: Int.random(in: 0..<running.count, using: &random))
                let outcome: Circuit.Outcome =
                    switch Int.random(in: 0..<20, using: &random) {
                    case 0: .nothing
                    case 1...(isBad ? 15 : 4): .failure
                    default: .success
                    }
                circuits.record(outcome, of: ended.permit, at: now)
                model.record(outcome, sent: ended.changes, at: second)
            }
        }
    }
}
