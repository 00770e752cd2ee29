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
        case halfOpen
    }

    private let rules: CircuitRules
    private var stage: Stage

    /// A new one with each change of the stage: outcomes of exchanges sent before no longer count.
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
    package var isHalfOpen: Bool { stage == .halfOpen }

    /// Whether an exchange may be sent: `nil` if so, otherwise the minimum wait.
    ///
    /// - Parameter next: the generation to begin, if one does.
    package mutating func enter(at now: Duration, next: Int) -> Duration? {
        switch stage {
        case .closed:
            return nil
        case .open(let end):
            guard now >= end else { return end - now }
            begin(.halfOpen, next)
            return nil
        case .halfOpen:
            // That depends on the probe, which is in flight.
            return .zero
        }
    }

    /// An exchange that was sent in a generation is over.
    package mutating func record(_ outcome: Outcome, of generation: Int, at now: Duration, next: Int) {
        guard generation == self.generation else { return }
        switch (stage, outcome) {
        case (.closed(var window), .success), (.closed(var window), .failure):
            window.add(isFailure: outcome == .failure, at: now)
            let counts = window.counts(at: now)
            guard rules.isTooMuch(counts.failures, of: counts.exchanges) else {
                stage = .closed(window)
                return
            }
            open(for: rules.openDuration, at: now, next)
        case (.halfOpen, .success): begin(.closed(OutcomeWindow(length: rules.window)), next)
        case (.halfOpen, .failure): open(for: rules.openDuration, at: now, next)
        // The next exchange is the probe.
        case (.halfOpen, .nothing): open(for: .zero, at: now, next)
        case (.closed, .nothing), (.open, _): break
        }
    }

    private mutating func open(for duration: Duration, at now: Duration, _ next: Int) {
        begin(.open(until: now + duration), next)
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

    func isTooMuch(_ failures: Int, of exchanges: Int) -> Bool {
        // Without any failure it is never too much, even at a rate of 0.
        failures > 0 && exchanges >= minimumExchanges && Double(failures) >= failureRate * Double(exchanges)
    }
}
