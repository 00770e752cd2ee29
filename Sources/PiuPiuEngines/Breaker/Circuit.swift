/// The circuit of one origin: closed, open or half open.
///
/// A pure value. An exchange that may be sent gets a permit, and reports its outcome with it.
package struct Circuit: Sendable, Equatable {
    /// What an exchange says about its server.
    package enum Outcome: Sendable, Equatable {
        case success
        case failure
        /// It says nothing.
        case nothing
    }

    private enum Stage: Sendable, Equatable {
        case closed(OutcomeWindow)
        case open(until: Duration)
        /// A probe is in flight; from that instant on, another one may be sent.
        case halfOpen(until: Duration, probes: Probes)
    }

    /// The probes since the circuit was open.
    private struct Probes: Sendable, Equatable {
        /// The generation of the first one.
        let first: Int
        /// How many before the last one took too long.
        var late = 0
    }

    private let rules: CircuitRules
    private var stage: Stage

    /// A new one with each change of the stage, and with each probe: outcomes of exchanges sent before no longer count,
    /// except the success of an earlier probe.
    package private(set) var generation: Int

    /// A closed circuit.
    ///
    /// - Parameter generation: larger than all earlier ones of this origin.
    package init(rules: CircuitRules, generation: Int) {
        self.rules = rules
        self.generation = generation
        stage = .closed(OutcomeWindow(length: rules.window))
    }

    /// Whether a probe is in flight.
    package var isHalfOpen: Bool { if case .halfOpen = stage { true } else { false } }

    /// Whether an exchange may be sent: `nil` if so, otherwise the minimum wait.
    ///
    /// - Parameter next: the generation to begin, if one does.
    package mutating func enter(at now: Duration, next: Int) -> Duration? {
        switch stage {
        case .closed:
            return nil
        case .open(let end):
            guard now >= end else { return end - now }
            beginProbe(Probes(first: next), at: now, next)
        case .halfOpen(let end, var probes):
            // That depends on the probe, which is in flight.
            guard now >= end else { return .zero }
            probes.late += 1
            beginProbe(probes, at: now, next)
        }
        return nil
    }

    /// An exchange that was sent in a generation is over.
    package mutating func record(_ outcome: Outcome, of generation: Int, at now: Duration, next: Int) {
        // Also of a slow probe that others have followed. Of the failures, only that of the last probe counts.
        if case .halfOpen(_, let probes) = stage, outcome == .success, generation >= probes.first {
            return begin(.closed(OutcomeWindow(length: rules.window)), next)
        }
        guard generation == self.generation else { return }
        switch (stage, outcome) {
        case (.closed(var window), .success), (.closed(var window), .failure):
            window.add(isFailure: outcome == .failure, at: now)
            let counts = window.counts(at: now)
            guard rules.isTooMuch(counts.failures, of: counts.exchanges) else {
                stage = .closed(window)
                return
            }
            open(at: now, next)
        case (.halfOpen, .failure): open(at: now, next)
        case (.halfOpen(_, var probes), .nothing):
            // The next exchange is the probe, in place of this one.
            probes.late -= 1
            begin(.halfOpen(until: now, probes: probes), next)
        case (.closed, .nothing), (.halfOpen, .success), (.open, _): break
        }
    }

    private mutating func open(at now: Duration, _ next: Int) {
        begin(.open(until: now + rules.openDuration), next)
    }

    private mutating func beginProbe(_ probes: Probes, at now: Duration, _ next: Int) {
        begin(.halfOpen(until: now + rules.probeDuration(after: probes.late), probes: probes), next)
    }

    private mutating func begin(_ stage: Stage, _ next: Int) {
        self.stage = stage
        generation = next
    }
}

/// The numbers of a ``CircuitBreaker``, clamped to valid ranges.
package struct CircuitRules: Sendable, Equatable {
    package let window: Duration
    package let minimumExchanges: Int
    package let failureRate: Double
    package let openDuration: Duration

    /// The longest time, about 31 years: a clock may not support later instants.
    private static let longest = Duration.seconds(1_000_000_000)

    package init(_ breaker: CircuitBreaker) {
        window = min(max(breaker.window, .zero), Self.longest)
        minimumExchanges = max(breaker.minimumExchanges, 1)
        failureRate = breaker.failureRate
        openDuration = min(max(breaker.openDuration, .zero), Self.longest)
    }

    /// How long others wait for a probe, when so many before it took too long: a silent server keeps each of them until
    /// its timeout, and is to get few.
    func probeDuration(after late: Int) -> Duration { openDuration * (1 << min(late, 3)) }

    func isTooMuch(_ failures: Int, of exchanges: Int) -> Bool {
        // Without any failure it is never too much, even at a rate of 0.
        failures > 0 && exchanges >= minimumExchanges && Double(failures) >= failureRate * Double(exchanges)
    }
}
