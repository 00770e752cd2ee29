import Foundation
import PiuPiu
import TestSupport

/// The rules of all policies again, as plainly as possible: one event at a time, in the order of their instants.
final class PolicyProgramModel {
    /// What a policy inside needs to know of those around it.
    struct Surroundings {
        var deadline: Duration?
        var isRetried = false
        /// A retry inside has begun: it decides on the exchange.
        var decide: () -> Void = {}
    }

    typealias Done = (Ending) -> Void
    typealias Cancel = () -> Void

    let program: PolicyProgram
    private(set) var now = Duration.zero
    private(set) var ending: Ending?
    private(set) var sent = 0
    private(set) var observed = 0
    /// How many copies of a hedged request have ended by themselves.
    private(set) var copiesEnded = 0
    /// Whether two events coincided, so that their order is unknown.
    private(set) var isAmbiguous = false
    private var lastID = 0
    private var events: [Int: (instant: Duration, happen: () -> Void)] = [:]
    /// How often the credential was renewed, and who waits for that.
    private var generation = 0
    private var waiters: [Int: (Bool) -> Void]?
    /// How many refreshes there were, how many failed, and the generation of the last failure.
    private var refreshes = 0
    private var failures = 0
    private var failedGeneration: Int?
    private var cancel: Cancel = {}

    init(_ program: PolicyProgram) {
        self.program = program
    }

    /// When each sleeper wakes up.
    var sleepers: [Duration] { events.values.map(\.instant).sorted() }

    /// The instant of the next event.
    var next: Duration? { events.values.map(\.instant).min() }

    func start() {
        cancel = run(program.layers[...], in: Surroundings()) { self.ending = $0 }
    }

    /// The caller loses interest.
    func giveUp() { cancel() }

    /// Lets the next event happen.
    func step() {
        guard let (id, event) = events.min(by: { $0.value.instant < $1.value.instant }) else { return }
        now = event.instant
        events[id] = nil
        if next == now { isAmbiguous = true }
        event.happen()
    }

    private func newID() -> Int {
        lastID += 1
        return lastID
    }

    private func after(_ delay: Duration, _ happen: @escaping () -> Void) -> Cancel {
        let id = newID()
        events[id] = (now + delay, happen)
        return { self.events[id] = nil }
    }

    private func run(_ layers: ArraySlice<PolicyProgram.Layer>, in around: Surroundings, _ done: @escaping Done)
        -> Cancel
    {
        let rest = layers.dropFirst()
        switch layers.first {
        case nil: return send(done)
        case .validation:
            return run(rest, in: around) { ending in
                guard case .status(let status) = ending, status >= 300 else { return done(ending) }
                done(.unacceptable(status))
            }
        case .observation:
            observed += 1
            return run(rest, in: around, done)
        case .deadline(let limit): return endBy(limit, rest, around, done)
        case .retry(let attempts): return retry(attempts, rest, around, done)
        case .hedge(let delay, let copies): return hedge(delay, copies, rest, around, done)
        case .credentials: return authenticate(rest, around, done)
        }
    }

    private func send(_ done: @escaping Done) -> Cancel {
        let fate = program.fates[sent % program.fates.count]
        sent += 1
        return after(fate.latency) { done(Int(fate.kind).map { .status($0) } ?? .error(fate.kind)) }
    }

    private func endBy(
        _ limit: Duration, _ rest: ArraySlice<PolicyProgram.Layer>, _ around: Surroundings, _ done: @escaping Done
    ) -> Cancel {
        var around = around, inner: Cancel = {}
        around.deadline = now + limit
        let alarm = after(limit) {
            inner()
            done(.deadline)
        }
        inner = run(rest, in: around) { ending in
            alarm()
            done(ending)
        }
        return {
            alarm()
            inner()
        }
    }

    private func retry(
        _ attempts: Int, _ rest: ArraySlice<PolicyProgram.Layer>, _ around: Surroundings, _ done: @escaping Done
    ) -> Cancel {
        var inside = around, cancel: Cancel = {}, attempt = 1, isDecided = false
        around.decide()
        inside.isRetried = true
        inside.decide = {
            isDecided = true
            around.decide()
        }
        func begin() {
            cancel = run(rest, in: inside) { ending in
                let isThrottled = ending.status == 429
                // A product with a fraction, as inexact as the policy's.
                let wait = PolicyProgram.unit * ((isThrottled ? 4 : 2) << (attempt - 1)) * 0.5
                guard !isDecided, ending.isPassing, attempt < attempts,
                    around.deadline.map({ self.now + wait < $0 }) ?? true
                else {
                    return done(ending)
                }
                attempt += 1
                cancel = self.after(wait, begin)
            }
        }
        begin()
        return { cancel() }
    }

    private func hedge(
        _ delay: Duration, _ maximum: Int, _ rest: ArraySlice<PolicyProgram.Layer>, _ around: Surroundings,
        _ done: @escaping Done
    ) -> Cancel {
        guard maximum > 1 else { return run(rest, in: around, done) }
        var inside = around, isRetried = around.isRetried
        inside.decide = {
            isRetried = true
            around.decide()
        }
        var running: [Int: Cancel] = [:], count = 0, timer: Cancel = {}
        func endAll() {
            timer()
            for cancel in running.values { cancel() }
        }
        func send() {
            timer()
            count += 1
            let copy = count
            running[copy] = run(rest, in: inside) { ending in
                self.copiesEnded += 1
                running[copy] = nil
                if ending.isPassing {
                    if count < maximum, !isRetried { return send() }
                    if !running.isEmpty { return }
                }
                endAll()
                done(ending)
            }
            guard count < maximum, around.deadline.map({ self.now + delay < $0 }) ?? true else { return }
            timer = after(delay) { send() }
        }
        send()
        return endAll
    }

    private func authenticate(
        _ rest: ArraySlice<PolicyProgram.Layer>, _ around: Surroundings, _ done: @escaping Done
    ) -> Cancel {
        var cancel: Cancel = {}
        let failuresBefore = failures
        func wait(for next: @escaping () -> Void) {
            let id = newID()
            cancel = { self.waiters?[id] = nil }
            refresh()
            waiters?[id] = { isRenewed in isRenewed ? next() : done(.refresh) }
        }
        func send() {
            let old = generation
            cancel = run(rest, in: around) { ending in
                guard ending == .status(401) else { return done(ending) }
                let again = { cancel = self.run(rest, in: around, done) }
                if self.generation > old { return again() }
                let hasFailed = self.failedGeneration == old && self.failures > failuresBefore
                if hasFailed, self.waiters == nil { return done(.refresh) }
                wait(for: again)
            }
        }
        if waiters == nil { send() } else { wait(for: send) }
        return { cancel() }
    }

    /// Begins a refresh, unless one is in flight. No caller owns it: it goes on without its waiters.
    private func refresh() {
        guard waiters == nil else { return }
        waiters = [:]
        let isFailing = program.failingRefreshes[refreshes % program.failingRefreshes.count]
        refreshes += 1
        let limit = after(PolicyProgram.refreshLimit) {}
        _ = after(PolicyProgram.refreshLatency) {
            limit()
            if isFailing {
                self.failures += 1
                self.failedGeneration = self.generation
            } else {
                self.generation += 1
            }
            let waiters = self.waiters ?? [:]
            self.waiters = nil
            for waiter in waiters.values { waiter(!isFailing) }
        }
    }
}
